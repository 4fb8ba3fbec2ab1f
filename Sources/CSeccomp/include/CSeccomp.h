#ifndef APUS_CSECCOMP_H
#define APUS_CSECCOMP_H

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

/// What the kernel does, asked by number. In C both take any number of arguments, and Swift calls no such functions.
/// Where that fails, they return -1, and `errno` says why.
long apus_system_call(long number, long first, long second, long third, long fourth, long fifth);
int apus_process_control(int option, unsigned long first);

#endif
