#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "CProcess.h"

static atomic_int bell = -1;
static atomic_int last_signal = 0;

int apus_open_signal_bell(void) {
  int descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  atomic_store(&bell, descriptor);
  return descriptor;
}

// May run on any thread, in the middle of anything.
static void ring(int number) {
  int saved = errno;
  uint64_t one = 1;
  atomic_store(&last_signal, number);
  // Where the count is full, the bell has rung.
  ssize_t written = write(atomic_load(&bell), &one, sizeof one);
  (void)written;
  errno = saved;
}

int apus_ring_on_signal(int number) {
  struct sigaction action = {.sa_handler = ring, .sa_flags = SA_RESTART};
  return sigaction(number, &action, NULL);
}

int apus_last_signal(void) { return atomic_load(&last_signal); }
