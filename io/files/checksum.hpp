// SPDX-License-Identifier: Apache-2.0

// A 64-bit checksum of file data against damage, not forgery.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace lbm::io {

// Eight independent sums, each over every eighth 64-bit word, for instruction-level parallelism. A
// step is bijective in sum and word: a change within one word, such as a flipped bit, always
// changes the result; any other change is missed with probability 2^-64.
class Checksum {
 public:
  // The seed (a position in a file, say) makes equal data at different places differ.
  explicit Checksum(std::uint64_t seed = 0) : seed_(seed) {
    for (std::size_t i = 0; i < width; ++i) sums_[i] = step(seed, i + 1);
  }

  // Pieces of any length: the sum is that of the pieces one after the other.
  void add(std::span<const std::byte> bytes);
  std::uint64_t value() const;

 private:
  static constexpr std::size_t width = 8;
  static constexpr std::size_t block = 8 * width;  // bytes

  // The odd multiplier loses no information; the rotation returns high bits to the low end.
  static constexpr std::uint64_t step(std::uint64_t sum, std::uint64_t word) {
    return std::rotl((sum ^ word) * 0x9e3779b97f4a7c15U, 29);
  }

  void add_blocks(std::span<const std::byte> bytes);

  std::uint64_t seed_;
  std::array<std::uint64_t, width> sums_{};
  std::uint64_t length_ = 0;
  std::array<std::byte, block> rest_{};  // bytes behind the last whole block
};

inline std::uint64_t checksum(std::span<const std::byte> bytes, std::uint64_t seed = 0) {
  Checksum sum(seed);
  sum.add(bytes);
  return sum.value();
}

}  // namespace lbm::io
