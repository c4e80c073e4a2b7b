// SPDX-License-Identifier: Apache-2.0

// Where arrays of boundary data may begin.
#pragma once

#include <cstddef>

namespace lbm {

// The next multiple of 64 bytes.
constexpr std::size_t aligned(std::size_t bytes) {
  constexpr std::size_t alignment = 64;
  return (bytes + alignment - 1) / alignment * alignment;
}

}  // namespace lbm
