// SPDX-License-Identifier: Apache-2.0
#include "cases/case/model/pressure_gradient.hpp"

namespace lbm::cases {

Vec3 pressure_gradient(const Case& lbm_case, const Units& units, const tiling::FieldBox& region) {
  Vec3 gradient{};
  if (lbm_case.force.acceleration) {
    gradient = to_lattice_acceleration(units, *lbm_case.force.acceleration);
  }
  // p = rho / 3 on the lattice.
  const auto along = [&](double difference, int cells) {
    return to_density_difference(units, difference) / 3 / cells;
  };
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const Face &low = lbm_case.faces[2 * axis], &high = lbm_case.faces[2 * axis + 1];
    const auto& drop = low.pressure_drop ? low.pressure_drop : high.pressure_drop;
    if (drop) gradient[axis] += along(*drop, lbm_case.grid.cells[axis]);
    const bool by_place = !low.pressure_formula.empty() || !high.pressure_formula.empty();
    if (low.type == BoundaryKind::pressure && high.type == BoundaryKind::pressure && !by_place) {
      gradient[axis] +=
          along(low.pressure.value_or(0) - high.pressure.value_or(0), region.count[axis]);
    }
  }
  return gradient;
}

}  // namespace lbm::cases
