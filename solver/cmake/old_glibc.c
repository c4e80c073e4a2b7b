// SPDX-License-Identifier: Apache-2.0

// Functions that glibc 2.28 lacks, made from those that it has. See old_glibc.py.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define HIDDEN __attribute__((visibility("hidden")))

// glibc 2.32. False is always safe: counters are then atomic.
HIDDEN char __libc_single_threaded = 0;

// glibc 2.33 has these as functions, earlier ones as inline calls of __xstat.
HIDDEN int fstatat(int directory, const char* path, struct stat* status, int flags) {
  return (int)syscall(SYS_newfstatat, directory, path, status, flags);
}
HIDDEN int stat(const char* path, struct stat* status) { return fstatat(AT_FDCWD, path, status, 0); }
HIDDEN int lstat(const char* path, struct stat* status) {
  return fstatat(AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW);
}
HIDDEN int fstat(int file, struct stat* status) { return (int)syscall(SYS_fstat, file, status); }
// 64-bit machines have one struct stat.
HIDDEN int stat64(const char* path, struct stat64* status) { return stat(path, (struct stat*)status); }
HIDDEN int lstat64(const char* path, struct stat64* status) { return lstat(path, (struct stat*)status); }
HIDDEN int fstat64(int file, struct stat64* status) { return fstat(file, (struct stat*)status); }
HIDDEN int fstatat64(int directory, const char* path, struct stat64* status, int flags) {
  return fstatat(directory, path, (struct stat*)status, flags);
}

// *real becomes the time of CLOCK_REALTIME at which the clock will have the time `until`. Returns 0, ETIMEDOUT where that is
// over, or an error of clock_gettime(). Should CLOCK_REALTIME be set meanwhile, who waits comes back early or late.
static int in_real_time(clockid_t clock, const struct timespec* until, struct timespec* real) {
  struct timespec now;
  if (clock_gettime(clock, &now) != 0 || clock_gettime(CLOCK_REALTIME, real) != 0) return errno;
  const int64_t left = (int64_t)(until->tv_sec - now.tv_sec) * 1000000000 + (until->tv_nsec - now.tv_nsec);
  if (left <= 0) return ETIMEDOUT;
  const int64_t end = real->tv_nsec + left;
  real->tv_sec += end / 1000000000;
  real->tv_nsec = end % 1000000000;
  return 0;
}

// glibc 2.30. clock: CLOCK_MONOTONIC or CLOCK_REALTIME, as std::condition_variable uses them.
HIDDEN int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                                  const struct timespec* until) {
  if (clock == CLOCK_REALTIME) return pthread_cond_timedwait(condition, mutex, until);
  struct timespec real;
  const int error = in_real_time(clock, until, &real);
  return error != 0 ? error : pthread_cond_timedwait(condition, mutex, &real);
}

// glibc 2.30, for std::timed_mutex.
HIDDEN int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const struct timespec* until) {
  if (clock == CLOCK_REALTIME) return pthread_mutex_timedlock(mutex, until);
  struct timespec real;
  const int error = in_real_time(clock, until, &real);
  if (error == ETIMEDOUT && pthread_mutex_trylock(mutex) == 0) return 0;
  return error != 0 ? error : pthread_mutex_timedlock(mutex, &real);
}

// glibc 2.36, for std::random_device.
HIDDEN uint32_t arc4random(void) {
  uint32_t value = 0;
  while (getrandom(&value, sizeof value, 0) != sizeof value) {
  }
  return value;
}

