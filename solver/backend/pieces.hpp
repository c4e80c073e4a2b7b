// SPDX-License-Identifier: Apache-2.0

// For memory that is registered with the device in pieces: a copy may not cross from one piece to
// the next.
#pragma once

#include <algorithm>
#include <cstddef>

namespace lbm {

// Calls part(begin, bytes) for the parts of [begin, begin + bytes) between multiples of `piece`,
// in order.
template <class Part>
void for_parts(std::size_t begin, std::size_t bytes, std::size_t piece, Part part) {
  const std::size_t end = begin + bytes;
  while (begin < end) {
    const std::size_t next = std::min(end, (begin / piece + 1) * piece);
    part(begin, next - begin);
    begin = next;
  }
}

}  // namespace lbm
