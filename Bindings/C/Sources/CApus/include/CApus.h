/* The header that programs have, and what Swift lacks to implement it. */
#ifndef CAPUS_H
#define CAPUS_H

#include "../../../include/apus.h"

/* The caller's token now, which other threads and signal handlers write. */
static inline int32_t apus_token_value(const volatile int32_t *token) {
  return __atomic_load_n(token, __ATOMIC_RELAXED);
}

#endif
