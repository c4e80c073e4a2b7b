// SPDX-License-Identifier: Apache-2.0
#include "io/files/checksum.hpp"

namespace lbm::io {

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
