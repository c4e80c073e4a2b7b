// SPDX-License-Identifier: Apache-2.0

// Numbers in another byte order than that of this machine.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <span>

namespace lbm::io {

// Brings numbers of `size` bytes, read in that order, to the order of this machine.
inline void to_native_order(std::span<std::byte> bytes, std::size_t size, bool big_endian) {
  if (size <= 1 || big_endian == (std::endian::native == std::endian::big)) return;
  for (std::size_t at = 0; at + size <= bytes.size(); at += size) {
    std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                 bytes.begin() + static_cast<std::ptrdiff_t>(at + size));
  }
}

}  // namespace lbm::io
