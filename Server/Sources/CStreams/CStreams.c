#include "CStreams.h"

#include <signal.h>
#include <unistd.h>

bool apus_is_ignored(int signal) {
  struct sigaction action;
  return sigaction(signal, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

static volatile int source = -1, target = -1;

// Calls only what signal handlers may (signal-safety(7)). The action is the default again by then.
static void copy(int signal) {
  char bytes[4096];
  ssize_t count;
  while ((count = read(source, bytes, sizeof bytes)) > 0) {
    if (write(target, bytes, (size_t)count) < 0) break;
  }
  raise(signal);
}

void apus_copy_on_fault(int from, int to) {
  static const int faults[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP};
  source = from;
  target = to;
  struct sigaction action = {.sa_handler = copy, .sa_flags = SA_RESETHAND | SA_NODEFER};
  for (unsigned place = 0; place < sizeof faults / sizeof *faults; ++place) sigaction(faults[place], &action, NULL);
}
