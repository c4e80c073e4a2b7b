// SPDX-License-Identifier: Apache-2.0
#include "cases/run/results/field_planes.hpp"

#include "cases/case/model/regions.hpp"

#include <algorithm>
#include <thread>

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

FieldPlanes::FieldPlanes(const Case& lbm_case, const CaseModel& model, const FieldOutput& output)
    : FieldPlanes(lbm_case, model, output, region_box(lbm_case, model.derived, output.region)) {}

FieldPlanes::FieldPlanes(const Case& lbm_case, const CaseModel& model, const FieldOutput& output,
                         const tiling::FieldBox& wanted)
    : output_(output),
      grid_(grid_shape(lbm_case)),
      box_(fields::with_halo(grid_, wanted, needs_halo(kinds_of(output)))),
      units_(file_units(lbm_case, model.derived, output.style.units)),
      kinds_(kinds_of(output)),
      threads_(threads_of_plane(box_.loaded.plane_cells())),
      maker_(grid_, box_, kinds_, units_.scales, model.derived.viscosity) {
  maker_.set_threads(threads_);
}

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

bool FieldPlanes::has_plane_each() const { return output_.average <= 1 && !output_.isosurface; }

int FieldPlanes::index(int z) const { return box_.wanted.index_of(z, grid_.cells[2]); }

}  // namespace lbm::cases
