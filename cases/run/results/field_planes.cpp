// SPDX-License-Identifier: Apache-2.0
#include "cases/run/results/field_planes.hpp"

#include <algorithm>
#include <thread>

#include "cases/case/model/boundary_conditions.hpp"
#include "cases/case/model/regions.hpp"
#include "cases/run/results/file_series.hpp"

namespace lbm::cases {
namespace {

// Kinds to compute: for a surface its scalar comes first, for means the solid mask comes last.
std::vector<fields::Kind> kinds_of(const FieldOutput& output) {
  std::vector<fields::Kind> kinds = output.fields;
  if (output.isosurface) kinds.insert(kinds.begin(), *output.isosurface);
  if (output.average > 1) kinds.push_back(fields::Kind::solid);
  return kinds;
}

bool needs_halo(const std::vector<fields::Kind>& kinds) {
  return std::any_of(kinds.begin(), kinds.end(), fields::needs_gradient);
}

// Cells of a plane from which more threads than one pay.
constexpr std::int64_t least_shared_cells = 1 << 16;

}  // namespace

// While a GPU computes, the cores have little else to do.
int threads_of_plane(std::int64_t cells) {
  if (cells < least_shared_cells) return 1;
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, 16);
}

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

FieldPlanes::FieldPlanes(const Case& lbm_case, const CaseModel& model, const FieldOutput& output)
    : FieldPlanes(lbm_case, model, output, region_box(lbm_case, model.derived, output.region)) {}

FieldPlanes::FieldPlanes(const Case& lbm_case, const CaseModel& model, const FieldOutput& output,
                         const tiling::FieldBox& wanted)
    : case_(lbm_case),
      model_(model),
      output_(output),
      grid_(grid_shape(lbm_case)),
      box_(fields::with_halo(grid_, wanted, needs_halo(kinds_of(output)))),
      units_(file_units(lbm_case, model.derived, output.style.units)),
      kinds_(kinds_of(output)),
      threads_(threads_of_plane(box_.loaded.plane_cells())),
      maker_(grid_, box_, kinds_, units_.scales, model.derived.viscosity, threads_) {}

fields::HaloBox FieldPlanes::box_of(const Case& lbm_case, const Derived& derived,
                                    const FieldOutput& output) {
  return fields::with_halo(grid_shape(lbm_case), region_box(lbm_case, derived, output.region),
                           needs_halo(kinds_of(output)));
}

std::vector<io::ArrayInfo> FieldPlanes::arrays_of(const FieldOutput& output,
                                                  const FileUnits& units) {
  std::vector<io::ArrayInfo> all;
  if (output.isosurface) {
    io::ArrayInfo& scalar = all.emplace_back(array_info(*output.isosurface, output.style, units));
    if (scalar.components > 1) scalar.name += "_magnitude";
    // Not written; VTK has one array of a name, and `fields` may have this one, too.
    const bool twice = std::find(output.fields.begin(), output.fields.end(), *output.isosurface) !=
                       output.fields.end();
    if (twice && scalar.components == 1) scalar.name += "_isosurface";
    scalar.components = 1;
  }
  for (const fields::Kind kind : output.fields) {
    all.push_back(array_info(kind, output.style, units));
  }
  return all;
}

io::ImageGeometry FieldPlanes::geometry() const {
  return image_geometry(box_.wanted, output_.average, units_.scales.length);
}

FieldPlanes::Step FieldPlanes::begin(std::int64_t step) const {
  return {fields::PlaneWindow(grid_, box_, threads_), walls_at(case_, model_, step)};
}

}  // namespace lbm::cases
