// SPDX-License-Identifier: Apache-2.0

// The C library's own functions, behind those that fault_calls.cpp puts in front of them.
#pragma once

#include <dlfcn.h>
#include <sys/types.h>

#include <cstddef>

namespace lbm::faults {

template <class Function>
Function* real_function(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

inline int real_open(const char* path, int flags, mode_t mode) {
  static auto* const call = real_function<int(const char*, int, mode_t)>("open");
  return call(path, flags, mode);
}

inline ssize_t real_pwrite(int fd, const void* data, std::size_t bytes, off_t offset) {
  static auto* const call = real_function<ssize_t(int, const void*, std::size_t, off_t)>("pwrite");
  return call(fd, data, bytes, offset);
}

inline ssize_t real_write(int fd, const void* data, std::size_t bytes) {
  static auto* const call = real_function<ssize_t(int, const void*, std::size_t)>("write");
  return call(fd, data, bytes);
}

inline int real_ftruncate(int fd, off_t bytes) {
  static auto* const call = real_function<int(int, off_t)>("ftruncate");
  return call(fd, bytes);
}

inline int real_unlink(const char* path) {
  static auto* const call = real_function<int(const char*)>("unlink");
  return call(path);
}

inline int real_rename(const char* from, const char* to) {
  static auto* const call = real_function<int(const char*, const char*)>("rename");
  return call(from, to);
}

}  // namespace lbm::faults
