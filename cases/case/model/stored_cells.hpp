// SPDX-License-Identifier: Apache-2.0

// Choice of the cells that a case stores: all, or only fluid cells (lattice.cells).
#pragma once

#include <string>
#include <vector>

#include "cases/case/bodies/body_voxels.hpp"
#include "cases/case/case.hpp"

namespace lbm::cases {

// Reason why a case cannot store fluid cells alone, as a part of a message. Empty: it can.
std::string why_all_cells(const Case& lbm_case);

// True if the keys allow storing fluid cells alone: lattice.cells is fluid, or auto with images of
// voxels and an empty why_all_cells().
bool may_store_fluid_only(const Case& lbm_case);

// Share of the cells of the box that the images leave to the fluid. Never below 0, although images
// may overlap or reach beyond the box.
double fluid_share(const Case& lbm_case, const std::vector<VoxelFacts>& voxels);

// The choice. voxels: the images of the case.
CellsStored stored_cells(const Case& lbm_case, const std::vector<VoxelFacts>& voxels);

// True if the case asks for forces on the body, or for wall stresses.
bool is_asked_for(const Case& lbm_case, const Body& body);

// Values stored per cell: lattice.representation; for auto, moments where the collision needs no
// other values, else populations.
inline Representation stored_values(const LatticeKeys& lattice) {
  return lattice.representation.value_or(
      is_regularised(lattice.collision) ? Representation::moments : Representation::populations);
}

}  // namespace lbm::cases
