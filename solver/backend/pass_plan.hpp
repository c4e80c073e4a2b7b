// SPDX-License-Identifier: Apache-2.0

// Two steps in one pass over the memory of a device: which launches make a pair, how the grid is
// divided on a GPU, and when it pays. Pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "solver/backend/backend.hpp"
#include "solver/backend/device_facts.hpp"
#include "solver/lattice/lattice.hpp"

namespace lbm {

// The size of a tile, in cells.
struct TileSize {
  int nx, ny;

  // Tiles in a row of tiles, and rows of tiles, of a plane.
  int across(const PlaneLayout& layout) const { return (layout.nx + nx - 1) / nx; }
  int down(const PlaneLayout& layout) const { return (layout.ny + ny - 1) / ny; }
};

// Two planes of the input and those of the level between must fit the shared memory of a
// multiprocessor: those of doubles do not.
constexpr bool has_passes(StorageType storage) { return storage != StorageType::fp64; }
// Nor do populations with every collision: one that filters the stress needs those of the step
// before. A sponge, a force that depends on the place, zones and bodies that move change the cells
// after each step, which a pass of two has no place for. Where only fluid cells are stored there is
// no pass of two steps.
inline bool has_passes(const Lattice& lattice) {
  return has_passes(lattice.storage) && has_pair_pass(lattice) && !lattice.sponge.any() &&
         !lattice.has_moving_bodies && !lattice.layout.fluid_only &&
         !lattice.collision.force.by_place &&
         (lattice.representation == Representation::moments ||
          has_pair_pass(lattice.collision.kind));
}

// The tile of a thread block.
constexpr TileSize pass_tile(Representation representation) {
  return representation == Representation::moments ? TileSize{64, 11} : TileSize{64, 7};
}

// Parts into which `planes` planes of a pass are divided, so that its blocks fill the device: 1, 2,
// 4 or 8. A part makes the first step of two planes that its neighbours make as well.
struct PassParts {
  int parts = 1;
  double gain = 0;  // estimated speed over one step at a time
};
PassParts parts_of_pass(const Lattice& lattice, int planes, int multiprocessors);

// True if a plane is large enough for a tile, and small enough for offsets of 32 bits.
bool plane_has_passes(const Lattice& lattice);

// Steps that a GPU with enough shared memory should make in one pass: 2 where that is estimated to
// be clearly faster, else 1.
int steps_per_pass(const Lattice& lattice, int multiprocessors);

// True if the compute capability allows a block the shared memory of a pass, 213 kB.
bool device_has_passes(const DeviceFacts& device);

// Planes of which a pass makes both steps in the time that it takes to begin and to end a pass: the
// first step of two planes more, and the wait for the first plane of each thread block.
double planes_to_begin_pass(Representation representation);

// Speed of passes on such a lattice, over that on one with plain BGK, or with regularised collision
// for moments, which are what is measured.
double relative_pass_speed(const Lattice& lattice);

// Two launches that a device runs in one pass over its memory: most planes between them are never
// stored. Pure data.
//
// The second launch reads planes that the first one writes. Says which, and which of them must also
// be stored.
struct LaunchPair {
  UpdateLaunch first, second;
  // For each plane of second.in: its index in first.out, or -1 for a plane that is in its slot
  // before the pair.
  std::array<int, max_planes_per_launch + 2> made{};
  std::uint64_t kept = 0;   // bits of first.out: planes to be stored in their slots as well
  std::uint64_t apart = 0;  // bits of first.out that second does not read
};

// The pair, where it pays and is valid. It pays where only `second` reads at least half of the
// planes that `first` writes. It is valid where a cell of `second` may be updated at any time after
// the cells of `first` that it reads: apart from the planes passed on, no slot that `second` writes
// is read or written by `first` or read by `second`; and each plane is made once.
std::optional<LaunchPair> pair_of(const UpdateLaunch& first, const UpdateLaunch& second);

}  // namespace lbm
