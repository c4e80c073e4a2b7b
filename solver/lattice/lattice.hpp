// Everything that the update of a lattice needs to know besides where the planes are.
#pragma once

#include "solver/lattice/plane_layout.hpp"
#include "solver/lattice/walls.hpp"

namespace lbm {

struct Lattice {
  StorageType storage = StorageType::fp32;
  PlaneLayout layout;  // of one z-plane
  int nz = 0;
  double omega = 1;  // 1 / tau
  Walls<double> walls;

  bool operator==(const Lattice&) const = default;
  bool periodic_z() const { return (walls.faces & z_min) == 0; }
};

// faces: x_min, x_max, y_min, y_max, z_min, z_max; tau > 1/2 in steps.
inline Lattice make_lattice(int nx, int ny, int nz, StorageType storage, double tau,
                            const std::array<WallFace, 6>& faces) {
  return {storage, make_plane_layout(nx, ny, storage), nz, 1.0 / tau, make_walls(faces)};
}

}  // namespace lbm
