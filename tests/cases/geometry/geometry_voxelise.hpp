// SPDX-License-Identifier: Apache-2.0

// Solid cells of a shape, for the tests of bodies.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/cases/geometry/geometry_support.hpp"

namespace lbm::geometry::testing {

// Counts the solid cells of [0, n)^3, and compares sides() with side().
template <class Each>
std::int64_t voxelise(const Shape& shape, int n, Each each) {
  std::int64_t solid = 0;
  std::vector<std::int8_t> sides(n * n);
  for (int k = 0; k < n; ++k) {
    const Window w{{0.5, 0.5, k + 0.5}, n, n};
    std::fill(sides.begin(), sides.end(), std::int8_t{9});
    shape.sides(w, sides);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        const Vec p{i + 0.5, j + 0.5, k + 0.5};
        EXPECT_EQ(int{sides[j * n + i]}, shape.side(p)) << i << " " << j << " " << k;
        each(p, sides[j * n + i] >= 0);
        solid += sides[j * n + i] >= 0 ? 1 : 0;
      }
  }
  return solid;
}
inline std::int64_t voxelise(const Shape& shape, int n) {
  return voxelise(shape, n, [](const Vec&, bool) {});
}

}  // namespace lbm::geometry::testing
