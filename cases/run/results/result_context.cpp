#include "cases/run/results/result_context.hpp"

#include <algorithm>
#include <cmath>

#include "cases/case/model/boundary_conditions.hpp"
#include "cases/case/units.hpp"

namespace lbm::app {

fields::GridShape grid_shape(const Case& lbm_case) {
  fields::GridShape grid{lbm_case.grid.cells, {}};
  for (std::size_t a = 0; a < 3; ++a) {
    grid.periodic[a] = lbm_case.faces[2 * a].type == FaceType::periodic;
  }
  return grid;
}

// Cells whose centres lie between the corners; at least one along each axis.
tiling::FieldBox region_box(const Case& lbm_case, const Derived& derived, const Region& region) {
  const Units units = make_units(lbm_case, derived);
  tiling::FieldBox box;
  box.stride = region.stride;
  for (std::size_t a = 0; a < 3; ++a) {
    const int n = lbm_case.grid.cells[a];
    int begin = 0, end = n;
    if (region.box_from) {
      // A little off, so that metres that mean a whole number of cells give it.
      const double from = to_cells(units, (*region.box_from)[a]) - 1e-6;
      begin = static_cast<int>(std::clamp(std::ceil(from - 0.5), 0.0, n - 1.0));
    }
    if (region.box_to) {
      const double to = to_cells(units, (*region.box_to)[a]) + 1e-6;
      end = static_cast<int>(std::clamp(std::floor(to - 0.5) + 1, begin + 1.0, double{1} * n));
    }
    if (region.slice == static_cast<int>(a)) {
      const double at = std::floor(to_cells(units, region.at.value_or(0)));
      begin = static_cast<int>(std::clamp(at, 0.0, n - 1.0));
      end = begin + 1;
    }
    box.begin[a] = begin;
    box.count[a] = (end - begin - 1) / region.stride + 1;
  }
  return box;
}

fields::WallsAround walls_at(const Case& lbm_case, const Setup& setup, std::int64_t step) {
  const FaceSpecs specs = plain_faces(lbm_case, setup.derived);
  std::array<fields::FaceVelocity, 6> faces;
  for (std::size_t f = 0; f < 6; ++f) {
    const lbm::FaceRule& rule = specs[f].rule;
    const bool wall = rule.kind == FaceKind::wall;
    const FaceRule& asked = lbm_case.faces[f];
    const bool uniform = rule.kind == FaceKind::velocity &&
                         asked.profile.value_or(InletProfile::uniform) == InletProfile::uniform &&
                         rule.turbulence.rms == 0;
    if ((!wall && !uniform) || !lbm_case.faces[f].patches.empty()) continue;
    faces[f].is_wall = wall;
    faces[f].velocity = rule.velocity;
    for (double& v : *faces[f].velocity) v *= rule.factor.at(static_cast<double>(step));
  }
  return {grid_shape(lbm_case), setup.boundaries, faces};
}

}  // namespace lbm::app
