// SPDX-License-Identifier: Apache-2.0

// A 64-bit checksum of file data against damage, not forgery.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>

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

  static constexpr std::size_t block = 64;  // bytes

  // Adds a piece; all but the last must be whole blocks (std::logic_error).
  void add(std::span<const std::byte> bytes) {
    if (length_ % block != 0) throw std::logic_error("Checksum: a piece after the last one");
    length_ += bytes.size();
    const std::size_t whole = bytes.size() / block * block;
    add_blocks(bytes.first(whole));
    if (whole == bytes.size()) return;
    std::array<std::byte, block> last{};
    std::memcpy(last.data(), bytes.data() + whole, bytes.size() - whole);
    add_blocks(last);
  }

  std::uint64_t value() const {
    std::uint64_t sum = step(seed_, length_);
    for (const std::uint64_t part : sums_) sum = step(sum, part);
    return sum ^ sum >> 31;
  }

 private:
  static constexpr std::size_t width = 8;

  // The odd multiplier loses no information; the rotation returns high bits to the low end.
  static constexpr std::uint64_t step(std::uint64_t sum, std::uint64_t word) {
    return std::rotl((sum ^ word) * 0x9e3779b97f4a7c15U, 29);
  }

  void add_blocks(std::span<const std::byte> bytes);

  std::uint64_t seed_;
  std::array<std::uint64_t, width> sums_{};
  std::uint64_t length_ = 0;
};

inline std::uint64_t checksum(std::span<const std::byte> bytes, std::uint64_t seed = 0) {
  Checksum sum(seed);
  sum.add(bytes);
  return sum.value();
}

}  // namespace lbm::io
