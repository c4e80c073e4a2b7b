// SPDX-License-Identifier: Apache-2.0

// Owning HDF5 handles without printed errors, and datasets and attributes of files that anybody may
// have written. Internal to io; this header needs no HDF5.
#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lbm::io {

// Owns one HDF5 identifier (hid_t) and closes it with `close`; errors of that close are lost.
class Hdf5Handle {
 public:
  using Close = int (*)(std::int64_t);
  Hdf5Handle() = default;
  Hdf5Handle(std::int64_t id, Close close) : id_(id), close_(close) {}
  ~Hdf5Handle() { reset(); }
  Hdf5Handle(Hdf5Handle&& other) noexcept
      : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  std::int64_t get() const { return id_; }
  // Closes now; negative on error.
  int reset() { return id_ >= 0 ? close_(std::exchange(id_, -1)) : 0; }

 private:
  std::int64_t id_ = -1;
  Close close_ = nullptr;
};

// Thrown by all functions below, and caught inside io.
struct Hdf5Failure {
  int error;  // errno met by HDF5; 0 if no system call failed
};
// Thrown for contents that HDF5 reads well but that lbm does not, and caught inside io.
struct Hdf5Misfit {
  std::string why;
};

void hdf5_check(int result);
Hdf5Handle hdf5_checked(std::int64_t id, Hdf5Handle::Close close);

// The file, to be read; without locks.
Hdf5Handle hdf5_open(const std::filesystem::path& path);
Hdf5Handle hdf5_group(const Hdf5Handle& parent, const std::string& name);
Hdf5Handle hdf5_dataset(const Hdf5Handle& parent, const std::string& name);
// Type of the values of a dataset.
Hdf5Handle hdf5_type(const Hdf5Handle& dataset);
// The properties with which a dataset was made.
Hdf5Handle hdf5_properties(const Hdf5Handle& dataset);
// Sizes along the axes of a dataset, the slowest first; none for a single number.
std::vector<std::uint64_t> hdf5_shape(const Hdf5Handle& dataset);
// {}: of one value.
Hdf5Handle hdf5_space(const std::vector<std::uint64_t>& shape);
Hdf5Handle hdf5_new_dataset(const Hdf5Handle& parent, const std::string& name, std::int64_t type,
                            const std::vector<std::uint64_t>& shape, const Hdf5Handle& properties);
// Reads values of this type from the box of `count` values from `begin` on.
void hdf5_read(const Hdf5Handle& dataset, std::int64_t type,
               const std::vector<std::uint64_t>& begin, const std::vector<std::uint64_t>& count,
               void* to);

// Where a contiguous dataset lies in the file, in bytes.
std::uint64_t hdf5_offset(const Hdf5Handle& dataset);
// HDF5 only sets the end of a file, and this allocates its blocks. Returns the bytes of the file.
std::uint64_t hdf5_reserve(const Hdf5Handle& file, int fd);
// The bytes that a dataset can have at most, unpacked, in a file of so many bytes: what it claims
// is compared with this before memory is taken. Throws Hdf5Misfit where its values lie in another
// file, or in chunks of more than 256 MiB. name: for messages.
double hdf5_most_bytes(const std::string& name, const Hdf5Handle& dataset,
                       std::uint64_t file_bytes);

// The attribute of an object: empty where it is missing, holds no numbers, or more than `most`.
std::vector<double> hdf5_attribute_numbers(const Hdf5Handle& object, const std::string& name,
                                           std::size_t most);
// Empty where the attribute is missing or is not one text.
std::optional<std::string> hdf5_attribute_text(const Hdf5Handle& object, const std::string& name);

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
  int (*print_)(std::int64_t, void*) = nullptr;
  void* print_data_ = nullptr;
};

}  // namespace lbm::io
