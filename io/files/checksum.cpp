#include "io/files/checksum.hpp"

namespace lbm::io {

// Compiled without vectors (CMakeLists.txt): they have no product of 64 bits, and what GCC makes of
// several smaller ones takes twice as long as a core's own.
void Checksum::add_blocks(std::span<const std::byte> bytes) {
  auto sums = sums_;  // in registers
  for (std::size_t at = 0; at < bytes.size(); at += block) {
    std::array<std::uint64_t, lanes> words;
    std::memcpy(words.data(), bytes.data() + at, block);
    for (std::size_t i = 0; i < lanes; ++i) sums[i] = step(sums[i], words[i]);
  }
  sums_ = sums;
}

}  // namespace lbm::io
