#include "CProcess.h"

#include <pthread.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>

static int argument_count = 0;
static char **arguments = NULL;

// The C library calls constructors with what it calls main with.
__attribute__((constructor)) static void keep_arguments(int count, char **values, char **environment) {
  (void)environment;
  argument_count = count;
  arguments = values;
}

int apus_argument_count(void) { return argument_count; }

const char *apus_argument(int index) {
  return index >= 0 && index < argument_count ? arguments[index] : NULL;
}

int apus_may_lack_threads(int count) {
  struct rlimit limit;
  struct sysinfo system;
  if (getrlimit(RLIMIT_NPROC, &limit) != 0 || sysinfo(&system) != 0) return 1;
  return limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < (rlim_t)system.procs + (rlim_t)count;
}

static void *take_turn(void *turn) {
  pthread_mutex_lock(turn);
  pthread_mutex_unlock(turn);
  return NULL;
}

int apus_start_trial_threads(int count) {
  pthread_t threads[count];
  pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
  pthread_attr_t attributes;
  int started = 0;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 256 << 10);
  pthread_mutex_lock(&turn);
  while (started < count && pthread_create(&threads[started], &attributes, take_turn, &turn) == 0) started++;
  pthread_mutex_unlock(&turn);
  for (int i = 0; i < started; i++) pthread_join(threads[i], NULL);
  pthread_attr_destroy(&attributes);
  return started;
}
