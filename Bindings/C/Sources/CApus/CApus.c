/* The header is all there is: Swift implements it. */
#include "CApus.h"

/* Swift's library asks for hypotf alone of what glibc has since 2.35 and not since 2.34. */
__attribute__((visibility("hidden"))) float hypotf(float x, float y) {
  if (__builtin_isinf(x) || __builtin_isinf(y)) return __builtin_inff();
  /* Squares of any float neither overflow a double nor vanish in it. */
  return (float)__builtin_sqrt((double)x * x + (double)y * y);
}
