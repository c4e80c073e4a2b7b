// SPDX-License-Identifier: Apache-2.0

// gather_boundary_cell() as a function of its own: boundary conditions work on one cell at a time,
// so they are compiled once, not once for each instruction set.
#pragma once

#include "solver/update/boundary_cell.hpp"
#include "solver/update/fluid_cells.hpp"

namespace lbm::cpu {

// As gather_boundary_cell(). Defined for all storages; Offsets: CellOffsets or FluidOffsets.
template <class Storage, class Offsets>
void gather_boundary(BoundaryCell<Storage, Offsets>& cell, const LinkedCell* linked,
                     const CellList* list, std::int64_t* bodies, BodyLoad& load,
                     typename Storage::Real (&g)[d3q19::directions]);

}  // namespace lbm::cpu
