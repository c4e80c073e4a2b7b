// SPDX-License-Identifier: Apache-2.0

// Whether a case stores all cells, or only fluid ones (lattice.cells).
#pragma once

#include <string>
#include <vector>

#include "cases/case/bodies/body_voxels.hpp"
#include "cases/case/case.hpp"

namespace lbm::cases {

// Why fluid cells alone cannot be stored: what of the case needs solid cells, as a part of a
// message. Empty: they can.
std::string why_all_cells(const Case& lbm_case);

// Whether fluid cells alone may be stored, as far as the keys tell: asked for, or auto with images
// of voxels.
bool may_store_fluid_only(const Case& lbm_case);

// Of all cells of the box, those that images leave to the fluid. At least 0: images may overlap or
// reach beyond the box.
double fluid_share(const Case& lbm_case, const std::vector<VoxelFacts>& voxels);

// The choice. voxels: the images of the case.
CellsStored stored_cells(const Case& lbm_case, const std::vector<VoxelFacts>& voxels);

// Whether forces on a body, or stresses on its walls, are asked for.
bool is_asked_for(const Case& lbm_case, const Body& body);

// What is stored of a cell: what the case says; for auto moments where the collision needs no more,
// else populations.
inline Representation stored_values(const LatticeKeys& lattice) {
  return lattice.representation.value_or(
      is_regularised(lattice.collision) ? Representation::moments : Representation::populations);
}

}  // namespace lbm::cases
