// The lattice at time zero: equilibrium populations of a given flow.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "solver/lattice/lattice.hpp"

namespace lbm {

// One row of cells: density and velocity in lattice units, nx values each.
struct StateRow {
  std::span<double> density, ux, uy, uz;
};

// Fills row y of plane z. An empty function means fluid at rest with density 1. Called from many
// threads; may throw.
using InitialState = std::function<void(int y, int z, const StateRow& row)>;

// Writes plane z (lattice.layout.bytes bytes) as the equilibrium of `state`, padding zeroed. Solid
// cells get it, too: their populations are never read. Runs on all threads; a call from a parallel
// region runs on its own thread. Throws what `state` throws, the first exception of all threads.
void write_initial_plane(const Lattice& lattice, const InitialState& state, int z,
                         std::byte* plane);

}  // namespace lbm
