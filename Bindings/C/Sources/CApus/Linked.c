/* What archives that are linked into the library ask for, and what glibc 2.34 or a shared library does not have. */
#include <stdio.h>

#define LOCAL __attribute__((visibility("hidden")))

/* Swift's overlay of the C library asks for that of 2.35. */
LOCAL float hypotf(float x, float y) {
  if (__builtin_isinf(x) || __builtin_isinf(y)) return __builtin_inff();
  /* Squares of any float neither overflow a double nor vanish in it. */
  return (float)__builtin_sqrt((double)x * x + (double)y * y);
}

/* GCC's unwinder asks for that of 2.35. None is found: the library has no tables for unwinding. */
LOCAL int _dl_find_object(void *address, void *result) {
  (void)address, (void)result;
  return -1;
}

/* `stderr` in the archives of libpng and libjpeg, which Tools/package renames: they are made for programs, which may reach a
   variable of another library without its address being looked up. */
LOCAL FILE *apus_stderr;

__attribute__((constructor)) static void find_stderr(void) { apus_stderr = stderr; }
