// SPDX-License-Identifier: Apache-2.0

// Saturating arithmetic for byte counts: a case can request more output than 64 bits can count.
#pragma once

#include <algorithm>
#include <cstdint>

namespace lbm::cases {

// The sum of two such counts does not overflow.
inline constexpr std::uint64_t most_bytes = std::uint64_t{1} << 62;

constexpr std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b) {
  return std::min(std::min(a, most_bytes) + std::min(b, most_bytes), most_bytes);
}

constexpr std::uint64_t saturating_multiply(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > most_bytes / b ? most_bytes : a * b;
}

}  // namespace lbm::cases
