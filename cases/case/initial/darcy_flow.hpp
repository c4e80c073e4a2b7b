// SPDX-License-Identifier: Apache-2.0

// The start of a flow through a porous medium: the pressure of Darcy's law on blocks of cells, so
// that only the pores have to relax, not the pressure along the sample. Lattice units.
#pragma once

#include <array>
#include <cstdint>

#include "solver/boundary/boundary_view.hpp"
#include "solver/lattice/boundary_condition.hpp"
#include "solver/lattice/initial_state.hpp"

namespace lbm::cases {

// Edge of a block in cells: 4, more in boxes of over 1.3e8 cells, with 2^21 blocks at most.
int darcy_block_edge(const std::array<int, 3>& cells);

// Host memory of darcy_state() in bytes: 60 a block during the call, 8 of which it keeps.
std::uint64_t darcy_bytes(const std::array<int, 3>& cells);

// Fluid at rest with the pressure of the blocks, interpolated linearly between their centres.
//
// Two neighbouring blocks are joined by the pores that are open in the section between them, with
// the conductance sum d^2 / (distance of centres); d is the distance in the section of an open cell
// from the next closed one. In place of cells the method is that of Chung, Wang, Armstrong &
// Mostaghimi (2019), SPE J. 24, 1154: an elliptic equation with the conductance of the local
// distance to the wall. The common factor of all conductances has no effect on the pressure. A
// small conductance, 1e-4 of the mean, joins all blocks, so that solid ones have a pressure, too.
//
// faces: periodic without a density drop, walls, free slip, or pressures without a profile. Runs on
// all threads.
InitialState darcy_state(const std::array<int, 3>& cells, const FaceBoundaries& faces,
                         const BoundaryView& boundaries, const std::array<double, 3>& acceleration);

}  // namespace lbm::cases
