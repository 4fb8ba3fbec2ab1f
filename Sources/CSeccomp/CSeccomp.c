#include "CSeccomp.h"

#include <unistd.h>

long apus_system_call(long number, long first, long second, long third, long fourth, long fifth) {
  return syscall(number, first, second, third, fourth, fifth, 0L);
}

int apus_process_control(int option, unsigned long first) { return prctl(option, first, 0UL, 0UL, 0UL); }
