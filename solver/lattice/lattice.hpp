// SPDX-License-Identifier: Apache-2.0

// The plain data of a lattice: all that its update needs, but for the populations.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "solver/lattice/boundary_condition.hpp"
#include "solver/lattice/collision_spec.hpp"
#include "solver/lattice/plane_layout.hpp"
#include "solver/lattice/sponge.hpp"
#include "solver/lattice/walls.hpp"

namespace lbm {

// Limits of a sane flow, checked where a sweep samples it.
struct FlowLimits {
  double density_min = 0.5, density_max = 2;
  double mach_max = 0.6;  // of |u|, c_s^2 = 1/3

  bool operator==(const FlowLimits&) const = default;
};

// Fluid cells of a lattice that stores only those, and where its planes begin, one after the other.
struct FluidPlanes {
  std::vector<std::uint64_t> begin;  // byte of each plane, and of the end: nz + 1 numbers
  std::int64_t cells = 0;            // of all planes
};

struct Lattice {
  StorageType storage = StorageType::fp32;
  Representation representation = Representation::populations;
  PlaneLayout layout;  // of one z-plane
  int nz = 0;
  // Null: all planes have layout.bytes. Shared by copies, never changed.
  std::shared_ptr<const FluidPlanes> fluid_planes;
  double stored_share = 1;  // stored cells over all cells
  CollisionSpec collision;
  // For the main update. Faces of the second pass (Boundaries) are resting walls here, but for
  // those with FaceBoundary::shifted.
  Walls<double> walls;
  // For walls that change with time: velocities and their factors; `walls` is at time 0.
  bool walls_change = false;
  std::array<WallFace, 6> wall_faces{};
  std::array<TimeFactor, 6> wall_factors{};
  Sponge sponge;  // done after all else of a step
  FlowLimits limits;

  bool operator==(const Lattice&) const = default;
  bool periodic_z() const { return (walls.faces & z_min) == 0; }
  Walls<double> walls_at(double step) const;

  // Bytes of plane z, and of the planes before it where planes lie one after the other.
  std::size_t plane_bytes(int z) const {
    return fluid_planes == nullptr
               ? layout.bytes
               : static_cast<std::size_t>(bytes_before(z + 1) - bytes_before(z));
  }
  std::uint64_t bytes_before(int z) const {
    return fluid_planes == nullptr ? layout.bytes * static_cast<std::uint64_t>(z)
                                   : fluid_planes->begin[static_cast<std::size_t>(z)];
  }
  std::uint64_t bytes() const { return bytes_before(nz); }
  double stored_cells_of_plane() const {
    return stored_share * static_cast<double>(layout.cells());
  }
};

// The lattice of a part of the planes; each then has room for the largest one.
Lattice with_planes(const Lattice& lattice, int nz);

// The lattice with only its fluid cells stored. fluid_cells: of each plane.
Lattice with_fluid_planes(const Lattice& lattice, std::span<const std::int64_t> fluid_cells);

// The same for forecasts, where only the share of fluid cells is known: planes of equal size.
Lattice with_fluid_share(const Lattice& lattice, double share);

// BGK (of moments: regularised) between plain walls. faces: x_min, x_max, y_min, y_max, z_min,
// z_max; tau > 1/2 in steps.
Lattice make_lattice(int nx, int ny, int nz, StorageType storage, double tau,
                     const std::array<WallFace, 6>& faces,
                     Representation representation = Representation::populations);

Lattice make_lattice(int nx, int ny, int nz, StorageType storage, const CollisionSpec& collision,
                     const FaceBoundaries& faces,
                     Representation representation = Representation::populations);

}  // namespace lbm
