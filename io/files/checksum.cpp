// SPDX-License-Identifier: Apache-2.0
#include "io/files/checksum.hpp"

#include <algorithm>
#include <cstring>

namespace lbm::io {

void Checksum::add(std::span<const std::byte> bytes) {
  const std::size_t held = length_ % block;
  length_ += bytes.size();
  if (held > 0) {
    const auto more = bytes.first(std::min(block - held, bytes.size()));
    std::copy(more.begin(), more.end(), rest_.begin() + held);
    if (held + more.size() < block) return;
    add_blocks(rest_);
    bytes = bytes.subspan(more.size());
  }
  const std::size_t whole = bytes.size() / block * block;
  add_blocks(bytes.first(whole));
  std::copy(bytes.begin() + static_cast<std::ptrdiff_t>(whole), bytes.end(), rest_.begin());
}

std::uint64_t Checksum::value() const {
  Checksum last = *this;
  if (const std::size_t held = length_ % block; held > 0) {
    std::fill(last.rest_.begin() + held, last.rest_.end(), std::byte{0});
    last.add_blocks(last.rest_);
  }
  std::uint64_t sum = step(seed_, length_);
  for (const std::uint64_t part : last.sums_) sum = step(sum, part);
  return sum ^ sum >> 31;
}

// Compiled without SIMD (CMakeLists.txt): it has no 64-bit product, and GCC's emulation is half as
// fast as scalar code.
void Checksum::add_blocks(std::span<const std::byte> bytes) {
  auto sums = sums_;  // keeps them in registers
  for (std::size_t at = 0; at < bytes.size(); at += block) {
    std::array<std::uint64_t, width> words;
    std::memcpy(words.data(), bytes.data() + at, block);
    for (std::size_t i = 0; i < width; ++i) sums[i] = step(sums[i], words[i]);
  }
  sums_ = sums;
}

}  // namespace lbm::io
