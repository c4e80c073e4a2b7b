// SPDX-License-Identifier: Apache-2.0

// Layout of a checkpoint file. Internal to the .cpp files of io, except PlaneArray.
//
// An HDF5 file behind a user block of 4096 bytes:
//   /NAME            texts, as strings of fixed length
//   /planes/NAME     arrays [planes][values], contiguous, without filters
//   /checksums/NAME  uint64 [planes]: the Checksum of each plane
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lbm::io {

enum class ElementType { uint16, float32, float64 };

constexpr std::size_t bytes_of(ElementType type) {
  return type == ElementType::uint16 ? 2 : type == ElementType::float32 ? 4 : 8;
}

// An array larger than memory: `planes` pieces of equal size.
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

// Bytes that are written, or read, and checksummed at a time: they stay in a core's cache between
// both.
inline constexpr std::size_t piece_bytes = std::size_t{1} << 18;
inline constexpr std::size_t user_block_bytes = 4096;
inline constexpr std::size_t most_arrays = 100;
inline constexpr std::uint64_t format = 1;  // of the file format

struct ByteRange {
  std::uint64_t begin = 0, end = 0;
  bool operator==(const ByteRange&) const = default;
};

struct UserBlock {
  std::uint64_t format = checkpoint::format;
  std::uint64_t file_bytes = 0;
  std::uint64_t rest_checksum = 0;  // of all bytes outside of the user block and the arrays
  std::vector<ByteRange> arrays;    // in file order
};

using UserBlockBytes = std::array<std::byte, user_block_bytes>;

// Serialises the block, its own checksum last.
UserBlockBytes to_bytes(const UserBlock& block);
// Returns an error text, or "" after filling `block`.
std::string from_bytes(const UserBlockBytes& bytes, UserBlock& block);

// True if all arrays lie in the file behind the user block.
bool ranges_fit(const UserBlock& block);

// Checksum of the bytes outside of the user block and the array ranges. Returns 0 or an errno.
int checksum_rest(int fd, const UserBlock& block, std::uint64_t& sum);

}  // namespace checkpoint
}  // namespace lbm::io
