// SPDX-License-Identifier: Apache-2.0

// Interpolation weights of the cells around a point, and extrapolation weights at a wall.
#pragma once

#include <array>
#include <vector>

#include "cases/case/case.hpp"
#include "solver/boundary/boundaries.hpp"

namespace lbm::cases {

struct PointCell {
  std::array<int, 3> cell{};
  double weight = 0;
};

// Trilinear interpolation between cell centres; `place` in cells from the corner of the box.
// Weights of solid cells are distributed among the others. Empty if all are solid.
std::vector<PointCell> cells_around(const Case& lbm_case, const Boundaries& boundaries,
                                    const Vec3& place);

// Fluid cells whose centres are farther than this from a place on a wall do not count, in cells.
inline constexpr double wall_reach = 2;

// Extrapolation to a place on a wall, in cells from the corner of the box: the linear function that
// fits the fluid cells within wall_reach best (least squares), at the place itself. Only cells that
// are connected with the nearest one count: not those behind a thin body. The weights are exact for
// linear functions where these cells have two layers; some are negative, their sum is 1. Empty
// without fluid within reach.
std::vector<PointCell> cells_at_wall(const Case& lbm_case, const Boundaries& boundaries,
                                     const Vec3& place);

// True if a solid cell or a face that is not periodic is within wall_reach of the place.
bool is_near_wall(const Case& lbm_case, const Boundaries& boundaries, const Vec3& place);

}  // namespace lbm::cases
