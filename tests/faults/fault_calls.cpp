// SPDX-License-Identifier: Apache-2.0

// Takes the place of the C library's file functions in a program that is started with LD_PRELOAD:
// all that writes through them is reached, HDF5, VTK and the C++ library included. fault_plan.hpp
// has the environment variables.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>

#include "tests/faults/faulty_files.hpp"
#include "tests/faults/real_calls.hpp"

using lbm::faults::Call;
using lbm::faults::FaultyFiles;
using lbm::faults::real_function;

// The next function of this name and type: that of the C library.
#define LBM_REAL(name) static auto* const real = real_function<decltype(name)>(#name)

namespace {

FaultyFiles& files() { return FaultyFiles::instance(); }

bool exists(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0;
}

// act() opens and returns a descriptor.
template <class Act>
int open_file(int directory, const char* path, int flags, const Act& act) {
  const std::string covered = files().covered(directory, path);
  const bool creates = !covered.empty() && (flags & O_CREAT) != 0;
  const bool fresh = creates && !exists(covered);
  const int fd = files().call(creates ? Call::create : Call::open, covered, act);
  if (auto* const unsafe = files().unsafe(); unsafe != nullptr && fresh && fd >= 0) {
    const int error = errno;
    unsafe->created(covered);
    errno = error;
  }
  return fd;
}

template <class Act>
int sync_file(int fd, const Act& act) {
  if (!files().active()) return act();
  const std::string covered = files().covered(fd);
  const int result = files().call(Call::sync, covered, act);
  auto* const unsafe = files().unsafe();
  if (result == 0 && unsafe != nullptr && !covered.empty()) unsafe->synced(fd);
  return result;
}

template <class Act>
int rename_file(int from_directory, const char* from, int to_directory, const char* to,
                const Act& act) {
  const std::string target = files().covered(to_directory, to);
  auto* const unsafe = target.empty() ? nullptr : files().unsafe();
  const std::string source = unsafe != nullptr ? files().covered(from_directory, from) : "";
  const std::string kept = unsafe != nullptr ? unsafe->keep_target(target) : "";
  return files().call(Call::rename, target, [&] {
    const int result = act();
    const int error = errno;
    if (result == 0 && unsafe != nullptr) unsafe->renamed(source, target, kept);
    errno = error;
    return result;
  });
}

std::FILE* open_stream(const char* path, const char* mode,
                       std::FILE* (*real)(const char*, const char*)) {
  std::FILE* stream = nullptr;
  const int flags = mode[0] == 'r' ? O_RDONLY : O_WRONLY | O_CREAT;
  (void)open_file(AT_FDCWD, path, flags, [&] {
    stream = real(path, mode);
    return stream != nullptr ? 0 : -1;
  });
  return stream;
}

mode_t mode_of(int flags, va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}

[[gnu::destructor]] void at_exit() { files().at_exit(); }

}  // namespace

#define LBM_MODE(flags)                          \
  va_list arguments;                             \
  va_start(arguments, flags);                    \
  const mode_t mode = mode_of(flags, arguments); \
  va_end(arguments)

extern "C" {

int open(const char* path, int flags, ...) {
  LBM_REAL(open);
  LBM_MODE(flags);
  return open_file(AT_FDCWD, path, flags, [&] { return real(path, flags, mode); });
}

int open64(const char* path, int flags, ...) {
  LBM_REAL(open64);
  LBM_MODE(flags);
  return open_file(AT_FDCWD, path, flags, [&] { return real(path, flags, mode); });
}

int openat(int directory, const char* path, int flags, ...) {
  LBM_REAL(openat);
  LBM_MODE(flags);
  return open_file(directory, path, flags, [&] { return real(directory, path, flags, mode); });
}

std::FILE* fopen(const char* path, const char* mode) {
  LBM_REAL(fopen);
  return open_stream(path, mode, real);
}

std::FILE* fopen64(const char* path, const char* mode) {
  LBM_REAL(fopen64);
  return open_stream(path, mode, real);
}

ssize_t read(int fd, void* to, size_t bytes) {
  LBM_REAL(read);
  return files().transfer(Call::read, fd, bytes, -1, [&](size_t n) { return real(fd, to, n); });
}

ssize_t pread(int fd, void* to, size_t bytes, off_t offset) {
  LBM_REAL(pread);
  return files().transfer(Call::read, fd, bytes, offset,
                          [&](size_t n) { return real(fd, to, n, offset); });
}

ssize_t write(int fd, const void* from, size_t bytes) {
  LBM_REAL(write);
  return files().transfer(Call::write, fd, bytes, -1, [&](size_t n) { return real(fd, from, n); });
}

// The C++ library writes a buffer and what comes behind it in one call.
ssize_t writev(int fd, const iovec* parts, int count) {
  LBM_REAL(writev);
  size_t bytes = 0;
  for (int i = 0; i < count; ++i) bytes += parts[i].iov_len;
  return files().transfer(Call::write, fd, bytes, -1, [&](size_t n) {
    if (n == bytes) return real(fd, parts, count);
    int first = 0;
    while (first < count && parts[first].iov_len == 0) ++first;
    return first == count ? 0
                          : ::lbm::faults::real_write(fd, parts[first].iov_base,
                                                      std::min(n, parts[first].iov_len));
  });
}

ssize_t pwrite(int fd, const void* from, size_t bytes, off_t offset) {
  LBM_REAL(pwrite);
  return files().transfer(Call::write, fd, bytes, offset,
                          [&](size_t n) { return real(fd, from, n, offset); });
}

int fsync(int fd) {
  LBM_REAL(fsync);
  return sync_file(fd, [&] { return real(fd); });
}

int fdatasync(int fd) {
  LBM_REAL(fdatasync);
  return sync_file(fd, [&] { return real(fd); });
}

int fallocate(int fd, int mode, off_t offset, off_t bytes) {
  LBM_REAL(fallocate);
  return files().call(Call::reserve, files().active() ? files().covered(fd) : "",
                      [&] { return real(fd, mode, offset, bytes); });
}

int ftruncate(int fd, off_t bytes) noexcept {
  LBM_REAL(ftruncate);
  return files().call(Call::truncate, files().active() ? files().covered(fd) : "",
                      [&] { return real(fd, bytes); });
}

int rename(const char* from, const char* to) noexcept {
  LBM_REAL(rename);
  return rename_file(AT_FDCWD, from, AT_FDCWD, to, [&] { return real(from, to); });
}

int renameat(int from_directory, const char* from, int to_directory, const char* to) noexcept {
  LBM_REAL(renameat);
  return rename_file(from_directory, from, to_directory, to,
                     [&] { return real(from_directory, from, to_directory, to); });
}

int unlink(const char* path) noexcept {
  LBM_REAL(unlink);
  return files().call(Call::remove, files().covered(AT_FDCWD, path), [&] { return real(path); });
}

int unlinkat(int directory, const char* path, int flags) noexcept {
  LBM_REAL(unlinkat);
  return files().call(Call::remove, files().covered(directory, path),
                      [&] { return real(directory, path, flags); });
}

}  // extern "C"
