// A library that is loaded into a command and tries to get out of it by every way, when the command has done its work, or
// a server has been told to stop; Tools/checks/privacy builds it. To the file that PRIVACY_ANSWERS names it adds a line for
// each way: what it was, and `out` or the name of the error. With REFUSES_FILTERS the library stands for a kernel that
// takes no filter instead.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef REFUSES_FILTERS

long syscall(long number, ...) {
  long arguments[6];
  va_list list;
  va_start(list, number);
  for (int i = 0; i < 6; i++) arguments[i] = va_arg(list, long);
  va_end(list);
  if (number == SYS_seccomp) {
    errno = ENOSYS;
    return -1;
  }
  long (*next)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  return next(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
}

#else

static int answers = -1, oldUDP = -1, oldTCP = -1;
static struct sockaddr_in listener;
static sem_t begin, end;

static void tell(const char *who, const char *way, long result) {
  char line[128];
  const char *answer = result >= 0 ? "out" : strerrorname_np(errno);
  int count = snprintf(line, sizeof line, "%s: %s %s\n", who, way, answer);
  if (write(answers, line, (size_t)count) != count) abort();
}

static long sendBy(int descriptor) {
  return sendto(descriptor, "out", 3, 0, (struct sockaddr *)&listener, sizeof listener);
}

static long connectBy(int descriptor) { return connect(descriptor, (struct sockaddr *)&listener, sizeof listener); }

// A socket that cannot be had has said why.
static long orError(int descriptor, long (*use)(int)) {
  if (descriptor < 0) return -1;
  long result = use(descriptor);
  int error = errno;
  close(descriptor);
  errno = error;
  return result;
}

static void tryAll(const char *who) {
  tell(who, "UDP", orError(socket(AF_INET, SOCK_DGRAM, 0), sendBy));
  tell(who, "TCP", orError(socket(AF_INET, SOCK_STREAM, 0), connectBy));
  tell(who, "UDP by a number", orError((int)syscall(SYS_socket, AF_INET, SOCK_DGRAM, 0), sendBy));
  tell(who, "UDP by a socket that was open", sendBy(dup(oldUDP)));
}

// The call of 32 bits that opens a socket. A kernel without such calls ends the process.
static void tryOldCalls(void) {
#ifdef __x86_64__
  pid_t child = fork();
  if (child == 0) {
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(359L), "b"(AF_INET), "c"(SOCK_DGRAM), "d"(0) : "memory", "r8", "r9", "r10", "r11");
    errno = result < 0 ? (int)-result : 0;
    tell("a process", "socket by calls of 32 bits", result < 0 ? -1 : 0);
    _Exit(0);
  }
  waitpid(child, NULL, 0);
#endif
}

static void *oldThread(void *unused) {
  (void)unused;
  sem_wait(&begin);
  tryAll("an old thread");
  tell("an old thread", "TCP by a socket that was open", connectBy(oldTCP));
  sem_post(&end);
  return NULL;
}

static void *newThread(void *unused) {
  (void)unused;
  tryAll("a new thread");
  return NULL;
}

static void *load(void) {
  const char *file = getenv("PRIVACY_ANSWERS"), *port = getenv("PRIVACY_PORT");
  // Programs that the command starts load the library again: `apus photos` is another program.
  if (!file || !port) return NULL;
  answers = open(file, O_WRONLY | O_APPEND | O_CLOEXEC);
  listener.sin_family = AF_INET;
  listener.sin_port = htons((unsigned short)atoi(port));
  listener.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  oldUDP = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  oldTCP = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sem_init(&begin, 0, 0);
  sem_init(&end, 0, 0);
  pthread_t thread;
  pthread_create(&thread, NULL, oldThread, NULL);
  return NULL;
}

__attribute__((constructor)) static void loaded(void) { load(); }

static void tryEverywhere(void) {
  if (answers < 0) return;
  tryAll("the command");
  sem_post(&begin);
  sem_wait(&end);
  pthread_t thread;
  if (pthread_create(&thread, NULL, newThread, NULL) == 0) pthread_join(thread, NULL);
  pid_t child = fork();
  if (child == 0) {
    tryAll("a process");
    _Exit(0);
  }
  waitpid(child, NULL, 0);
  tryOldCalls();
}

// The server ends by exit(), which calls this.
__attribute__((destructor)) static void unloaded(void) { tryEverywhere(); }

// The last that other commands call.
__attribute__((noreturn)) void _exit(int status) {
  tryEverywhere();
  syscall(SYS_exit_group, status);
  __builtin_unreachable();
}

#endif
