// A checksum of 64 bits for data in files: finds damage, not forgery.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>

namespace lbm::io {

// Eight sums beside each other, each over every eighth word of 64 bits, so that a core does several
// steps at once. One step is one-to-one in the sum and in the word: a change that is confined to
// one word, such as a flipped bit, always changes the result; any other one goes unnoticed with a
// chance of 2^-64.
class Checksum {
 public:
  // Data with another seed (its place in a file, say) has another checksum.
  explicit Checksum(std::uint64_t seed = 0) : seed_(seed) {
    for (std::size_t i = 0; i < lanes; ++i) sums_[i] = step(seed, i + 1);
  }

  static constexpr std::size_t block = 64;  // bytes

  // In pieces, all but the last one whole blocks. Throws std::logic_error for another piece.
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
    for (const std::uint64_t lane : sums_) sum = step(sum, lane);
    return sum ^ sum >> 31;
  }

 private:
  static constexpr std::size_t lanes = 8;

  // The multiplier is odd, so nothing is lost; the rotation brings high bits, which it moves only
  // upwards, back to the low ones.
  static constexpr std::uint64_t step(std::uint64_t sum, std::uint64_t word) {
    return std::rotl((sum ^ word) * 0x9e3779b97f4a7c15U, 29);
  }

  void add_blocks(std::span<const std::byte> bytes);

  std::uint64_t seed_;
  std::array<std::uint64_t, lanes> sums_{};
  std::uint64_t length_ = 0;
};

inline std::uint64_t checksum(std::span<const std::byte> bytes, std::uint64_t seed = 0) {
  Checksum sum(seed);
  sum.add(bytes);
  return sum.value();
}

}  // namespace lbm::io
