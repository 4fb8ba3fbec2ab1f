#pragma once
/// Tells the processor that this thread spins.
static inline __attribute__((always_inline)) int sched_spin(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
  return 0;
}
