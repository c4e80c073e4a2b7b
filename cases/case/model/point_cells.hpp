// The cells whose values make that of a place.
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

// Of trilinear interpolation between cell centres; place in cells from the corner of the box. Solid
// cells are left out and the others share what they had. Empty: all are solid.
std::vector<PointCell> cells_around(const Case& lbm_case, const Boundaries& boundaries,
                                    const Vec3& place);

}  // namespace lbm::cases
