// The plain data of a lattice: all that its update needs, but for the populations.
#pragma once

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

struct Lattice {
  StorageType storage = StorageType::fp32;
  Representation representation = Representation::populations;
  PlaneLayout layout;  // of one z-plane
  int nz = 0;
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
};

// BGK (of moments: regularised) between plain walls. faces: x_min, x_max, y_min, y_max, z_min,
// z_max; tau > 1/2 in steps.
Lattice make_lattice(int nx, int ny, int nz, StorageType storage, double tau,
                     const std::array<WallFace, 6>& faces,
                     Representation representation = Representation::populations);

Lattice make_lattice(int nx, int ny, int nz, StorageType storage, const CollisionSpec& collision,
                     const FaceBoundaries& faces,
                     Representation representation = Representation::populations);

}  // namespace lbm
