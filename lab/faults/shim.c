/*
 * Fails one call that changes a file below FAULTS_ROOT: the n-th that all processes together make. FAULTS_STATE names a
 * file of two numbers that they share: the calls so far, and which one fails (0: none, only count).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static volatile long *state;
static char root[PATH_MAX];
static size_t root_bytes;

__attribute__((constructor)) static void begin(void) {
  const char *file = getenv("FAULTS_STATE"), *given = getenv("FAULTS_ROOT");
  if (!file || !given) return;
  int fd = (int)syscall(SYS_openat, AT_FDCWD, file, O_RDWR | O_CLOEXEC, 0);
  if (fd < 0) return;
  void *map = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  syscall(SYS_close, fd);
  if (map == MAP_FAILED) return;
  root_bytes = strlen(strncpy(root, given, sizeof root - 1));
  state = map;
}

static int strikes(const char *path) {
  if (!state || strncmp(path, root, root_bytes) != 0 || strstr(path, "/logs/")) return 0;
  long n = __atomic_add_fetch(&state[0], 1, __ATOMIC_SEQ_CST);
  if (n != state[1]) return 0;
  errno = state[2] ? (int)state[2] : EIO;
  return 1;
}

static int strikes_fd(int fd) {
  char link[64], path[PATH_MAX];
  if (!state) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  long bytes = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
  if (bytes <= 0) return 0;
  path[bytes] = 0;
  return strikes(path);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define ON_FD(type, name, params, args)                                                                                \
  type name params {                                                                                                   \
    static __typeof__(&name) real;                                                                                     \
    if (!real) real = REAL(name);                                                                                      \
    return strikes_fd(fd) ? -1 : real args;                                                                            \
  }

ON_FD(ssize_t, write, (int fd, const void *b, size_t n), (fd, b, n))
ON_FD(ssize_t, pwrite, (int fd, const void *b, size_t n, off_t at), (fd, b, n, at))
ON_FD(ssize_t, pwrite64, (int fd, const void *b, size_t n, off64_t at), (fd, b, n, at))
ON_FD(ssize_t, writev, (int fd, const struct iovec *v, int n), (fd, v, n))
ON_FD(int, fsync, (int fd), (fd))
ON_FD(int, fdatasync, (int fd), (fd))
ON_FD(int, ftruncate, (int fd, off_t n), (fd, n))
ON_FD(int, ftruncate64, (int fd, off64_t n), (fd, n))

int rename(const char *from, const char *to) {
  return strikes(to) ? -1 : REAL(rename)(from, to);
}
int renameat(int a, const char *from, int b, const char *to) {
  return strikes(to) ? -1 : REAL(renameat)(a, from, b, to);
}
int link(const char *from, const char *to) {
  return strikes(to) ? -1 : REAL(link)(from, to);
}

/* Calls that a runtime makes by number. */
long syscall(long n, ...) {
  va_list list;
  va_start(list, n);
  long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long), d = va_arg(list, long);
  long e = va_arg(list, long), f = va_arg(list, long);
  va_end(list);
  static long (*real)(long, ...);
  if (!real) real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  static __thread int inside;
  int changes = n == SYS_write || n == SYS_pwrite64 || n == SYS_fsync || n == SYS_fdatasync || n == SYS_ftruncate;
  if (changes && !inside) {
    inside = 1;
    int fails = strikes_fd((int)a);
    inside = 0;
    if (fails) return -1;
  }
  return real(n, a, b, c, d, e, f);
}
