// What a checkpoint file is made of. For the .cpp files of io only, but for PlaneArray.
//
// An HDF5 file behind a user block of 4096 bytes. In the file:
//   /NAME            texts, as strings of fixed length
//   /planes/NAME     arrays [planes][values], contiguous, without filters
//   /checksums/NAME  uint64 [planes]: the Checksum of each plane
// The user block says how long the file is, where the arrays lie, and the checksum of every byte
// outside of them: all that HDF5 reads is known to be whole before HDF5 reads it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/files/posix_file.hpp"

namespace lbm::io {

enum class ElementType { uint16, float32, float64 };

constexpr std::size_t bytes_of(ElementType type) {
  return type == ElementType::uint16 ? 2 : type == ElementType::float32 ? 4 : 8;
}

// An array that is too large for memory: `planes` pieces of equal size.
struct PlaneArray {
  std::string name;  // letters, digits and `_`
  ElementType type = ElementType::float32;
  std::int64_t planes = 0, values_per_plane = 0;

  std::size_t plane_bytes() const {
    return static_cast<std::size_t>(values_per_plane) * bytes_of(type);
  }
  std::uint64_t bytes() const { return static_cast<std::uint64_t>(planes) * plane_bytes(); }
  bool operator==(const PlaneArray&) const = default;
};

namespace checkpoint {

inline constexpr std::size_t user_block_bytes = 4096;
inline constexpr std::size_t most_arrays = 100;
inline constexpr std::uint64_t format = 1;  // of the file

struct ByteRange {
  std::uint64_t begin = 0, end = 0;
  bool operator==(const ByteRange&) const = default;
};

struct UserBlock {
  std::uint64_t format = checkpoint::format;
  std::uint64_t file_bytes = 0;
  std::uint64_t rest_checksum = 0;  // of what is neither in the user block nor in the arrays
  std::vector<ByteRange> arrays;    // in the order of the file
};

using UserBlockBytes = std::array<std::byte, user_block_bytes>;

// With its own checksum at the end.
UserBlockBytes to_bytes(const UserBlock& block);
// Why the bytes are no user block; `block` is filled when that is empty.
std::string from_bytes(const UserBlockBytes& bytes, UserBlock& block);

// The checksum of the bytes outside of the user block and the ranges. Returns 0 or an errno.
int checksum_rest(int fd, const UserBlock& block, std::uint64_t& sum);

}  // namespace checkpoint
}  // namespace lbm::io
