// SPDX-License-Identifier: Apache-2.0

// Bodies for tests: cells by a rule, walls at made-up places on the links.
#pragma once

#include <cmath>
#include <functional>

#include "solver/boundary/boundaries.hpp"

namespace lbm::test {

class CellSolids final : public SolidGeometry {
 public:
  // 1 + the body of a cell, 0 for fluid.
  using BodyOf = std::function<int(int x, int y, int z)>;

  CellSolids(int nx, int ny, int nz, BodyOf body_of)
      : nx_(nx), ny_(ny), nz_(nz), body_of_(std::move(body_of)) {}

  void plane(int z, std::span<std::uint16_t> body) const override {
    for (int y = 0; y < ny_; ++y) {
      for (int x = 0; x < nx_; ++x) {
        body[static_cast<std::size_t>(y) * nx_ + x] = static_cast<std::uint16_t>(body_of_(x, y, z));
      }
    }
  }
  // Anything from nearly 0 to 1, the same for the same link.
  double wall_distance(int, const std::array<double, 3>& fluid,
                       const std::array<double, 3>& solid) const override {
    double sum = 0;
    for (int a = 0; a < 3; ++a) sum += (a + 1.3) * fluid[a] + (a + 2.7) * solid[a];
    return 0.02 + 0.98 * std::abs(std::sin(sum));
  }
  // Likewise.
  double slant(const std::array<double, 3>& fluid,
               const std::array<double, 3>& solid) const override {
    return 1.02 - wall_distance(0, fluid, solid);
  }
  std::array<int, 2> plane_range() const override { return {0, nz_}; }

 private:
  int nx_, ny_, nz_;
  BodyOf body_of_;
};

inline FaceBoundaries face_specs(const std::array<BoundaryKind, 6>& kinds) {
  FaceBoundaries faces;
  for (int f = 0; f < 6; ++f) faces[f].condition.kind = kinds[f];
  return faces;
}

}  // namespace lbm::test
