// Interpolation weights of the cells around a point.
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

}  // namespace lbm::cases
