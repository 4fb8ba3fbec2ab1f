#include "CAllocator.h"

#include <malloc.h>

void apus_release_freed_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}
