// SPDX-License-Identifier: Apache-2.0
#include "cases/run/results/result_context.hpp"

#include "cases/case/model/boundary_conditions.hpp"
#include "cases/case/model/regions.hpp"

namespace lbm::cases {

fields::WallsAround walls_at(const Case& lbm_case, const CaseModel& model, std::int64_t step) {
  const FaceBoundaries specs = plain_faces(lbm_case, model.derived);
  std::array<fields::FaceVelocity, 6> faces;
  for (std::size_t f = 0; f < 6; ++f) {
    const BoundaryCondition& rule = specs[f].condition;
    const bool wall = rule.kind == BoundaryKind::wall;
    const FaceCondition& asked = lbm_case.faces[f];
    const bool uniform = rule.kind == BoundaryKind::velocity &&
                         asked.profile.value_or(InletProfile::uniform) == InletProfile::uniform &&
                         rule.turbulence.rms == 0;
    if ((!wall && !uniform) || !lbm_case.faces[f].patches.empty()) continue;
    faces[f].is_wall = wall;
    faces[f].velocity = rule.velocity;
    for (double& v : *faces[f].velocity) v *= rule.factor.at(static_cast<double>(step));
  }
  return {grid_shape(lbm_case), model.boundaries, faces, static_cast<double>(step)};
}

}  // namespace lbm::cases
