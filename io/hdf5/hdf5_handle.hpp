// SPDX-License-Identifier: Apache-2.0

// Owning HDF5 handles without printed errors. Internal to the .cpp files of io: this header needs
// HDF5.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <mutex>
#include <utility>

namespace lbm::io {

// Owns one HDF5 identifier and closes it with `close`; errors of that close are lost.
class Hdf5Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Hdf5Handle() = default;
  Hdf5Handle(hid_t id, Close close) : id_(id), close_(close) {}
  ~Hdf5Handle() { reset(); }
  Hdf5Handle(Hdf5Handle&& other) noexcept
      : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    if (this != &other) {
      reset();
      id_ = std::exchange(other.id_, H5I_INVALID_HID);
      close_ = other.close_;
    }
    return *this;
  }
  hid_t get() const { return id_; }
  // Closes now; negative on error.
  herr_t reset() { return id_ >= 0 ? close_(std::exchange(id_, H5I_INVALID_HID)) : 0; }

 private:
  hid_t id_ = H5I_INVALID_HID;
  Close close_ = nullptr;
};

// Thrown by hdf5_checked() and caught inside io.
struct Hdf5Failure {
  int error;  // errno met by HDF5; 0 if no system call failed
};

// These throw Hdf5Failure.
void hdf5_check(herr_t result);
Hdf5Handle hdf5_checked(hid_t id, Hdf5Handle::Close close);

// Where a contiguous dataset lies in the file, in bytes.
std::uint64_t hdf5_offset(const Hdf5Handle& dataset);
// HDF5 only sets the end of a file, and this allocates its blocks. Returns the bytes of the file.
std::uint64_t hdf5_reserve(const Hdf5Handle& file, int fd);

// The errno in HDF5's error stack of the last failed call, or 0.
int hdf5_errno();

// While it lives, HDF5 prints no errors, and no other thread of ours is inside HDF5 (most builds
// are not thread-safe).
class Hdf5Section {
 public:
  Hdf5Section();
  ~Hdf5Section();
  Hdf5Section(const Hdf5Section&) = delete;
  Hdf5Section& operator=(const Hdf5Section&) = delete;

 private:
  std::unique_lock<std::recursive_mutex> lock_;
  H5E_auto2_t print_ = nullptr;
  void* print_data_ = nullptr;
};

}  // namespace lbm::io
