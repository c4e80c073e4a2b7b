// Everything that the update of a lattice needs to know besides where the planes are.
#pragma once

#include "solver/lattice/boundary/face_spec.hpp"
#include "solver/lattice/collision/collision_spec.hpp"
#include "solver/lattice/plane_layout.hpp"
#include "solver/lattice/walls.hpp"

namespace lbm {

// What a flow may not leave; checked where a sweep looks at its planes.
struct FlowLimits {
  double density_min = 0.5, density_max = 2;
  double mach_max = 0.6;  // of |u|, c_s^2 = 1/3

  bool operator==(const FlowLimits&) const = default;
};

struct Lattice {
  StorageType storage = StorageType::fp32;
  PlaneLayout layout;  // of one z-plane
  int nz = 0;
  CollisionSpec collision;
  // Of the main update: faces with rules of their own count as resting walls here.
  Walls<double> walls;
  FlowLimits limits;

  bool operator==(const Lattice&) const = default;
  bool periodic_z() const { return (walls.faces & z_min) == 0; }
};

// BGK between plain walls. faces: x_min, x_max, y_min, y_max, z_min, z_max; tau > 1/2 in steps.
inline Lattice make_lattice(int nx, int ny, int nz, StorageType storage, double tau,
                            const std::array<WallFace, 6>& faces) {
  Lattice lattice{storage, make_plane_layout(nx, ny, storage), nz, {}, make_walls(faces), {}};
  lattice.collision.omega = 1.0 / tau;
  return lattice;
}

inline Lattice make_lattice(int nx, int ny, int nz, StorageType storage,
                            const CollisionSpec& collision, const FaceSpecs& faces) {
  std::array<WallFace, 6> walls;
  for (int f = 0; f < 6; ++f) {
    walls[f].wall = !faces[f].periodic();
    if (!faces[f].is_special()) walls[f].velocity = faces[f].rule.velocity;
  }
  return {storage, make_plane_layout(nx, ny, storage), nz, collision, make_walls(walls), {}};
}

}  // namespace lbm
