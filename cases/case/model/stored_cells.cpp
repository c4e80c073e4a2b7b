// SPDX-License-Identifier: Apache-2.0
#include "cases/case/model/stored_cells.hpp"

#include <algorithm>

#include "cases/case/model/case_formulas.hpp"

namespace lbm::cases {
namespace {

// From here on all cells are stored: the update of a fluid cell that is looked up takes longer. In
// images whose pores are a dozen voxels wide it pays beyond (docs/voxels.md); but the forces on a
// body in a stream are mostly wanted.
constexpr double most_fluid = 0.75;

bool has_images(const Case& lbm_case) {
  return std::any_of(lbm_case.bodies.begin(), lbm_case.bodies.end(), [](const Body& body) {
    return body.solid && body.shape == BodyShape::voxels;
  });
}

bool wants_wall_stress(const Case& lbm_case) {
  constexpr FieldKind stress = FieldKind::wall_shear_stress;
  return std::any_of(lbm_case.outputs.begin(), lbm_case.outputs.end(), [&](const FieldOutput& o) {
    return std::count(o.fields.begin(), o.fields.end(), stress) > 0 || o.isosurface == stress;
  });
}

}  // namespace

std::string why_all_cells(const Case& lbm_case) {
  const bool solid = std::any_of(lbm_case.bodies.begin(), lbm_case.bodies.end(),
                                 [](const Body& body) { return body.solid; });
  if (!solid) return "a case without bodies";
  if (!lbm_case.sponge.faces.empty()) return "a sponge";
  if (acceleration_depends_on_place(lbm_case)) return "a force that depends on the place";
  const bool walls =
      std::any_of(lbm_case.faces.begin(), lbm_case.faces.end(),
                  [](const Face& face) { return face.type != BoundaryKind::periodic; });
  if (lbm_case.lattice.collision == CollisionKind::regularised_filtered && walls) {
    return "lattice.collision: regularised_filtered at faces that are not periodic";
  }
  return "";
}

bool may_store_fluid_only(const Case& lbm_case) {
  const auto& asked = lbm_case.lattice.cells;
  if (asked) return *asked == CellsStored::fluid;
  return has_images(lbm_case) && why_all_cells(lbm_case).empty();
}

double fluid_share(const Case& lbm_case, const std::vector<VoxelFacts>& voxels) {
  const auto& n = lbm_case.grid.cells;
  const double box = static_cast<double>(n[0]) * n[1] * n[2];
  double solid = 0;
  for (const VoxelFacts& image : voxels) {
    const auto& [nx, ny, nz] = image.cells;
    solid += (1 - image.fluid_share) * static_cast<double>(nx) * static_cast<double>(ny) *
             static_cast<double>(nz);
  }
  return std::max(0.0, 1 - solid / box);
}

CellsStored stored_cells(const Case& lbm_case, const std::vector<VoxelFacts>& voxels) {
  if (lbm_case.lattice.cells) return *lbm_case.lattice.cells;
  return may_store_fluid_only(lbm_case) && fluid_share(lbm_case, voxels) <= most_fluid
             ? CellsStored::fluid
             : CellsStored::all;
}

bool is_asked_for(const Case& lbm_case, const Body& body) {
  if (wants_wall_stress(lbm_case)) return true;
  for (const NamedQuantity& quantity : lbm_case.quantities) {
    const auto& names = quantity.bodies;
    if (std::find(names.begin(), names.end(), body.name) != names.end()) return true;
  }
  return std::any_of(lbm_case.expect.begin(), lbm_case.expect.end(),
                     [&](const Expectation& e) { return e.body == body.name; });
}

}  // namespace lbm::cases
