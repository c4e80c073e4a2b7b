// SPDX-License-Identifier: Apache-2.0

// The bodies in the box as the lattice needs them: which cells of a plane are solid, and where on a
// link the surface lies. Implemented by cases/geometry; positions in cells, the box spans [0, nx] x
// [0, ny] x [0, nz], the centre of cell (i, j, k) is at (i + 1/2, j + 1/2, k + 1/2).
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace lbm {

class SolidGeometry {
 public:
  virtual ~SolidGeometry() = default;

  // body[y * nx + x] becomes 1 + the number of the body that holds the centre of cell x, y of plane
  // z, or 0 for fluid. Writes every value. Safe to call from many threads.
  virtual void plane(int z, std::span<std::uint16_t> body) const = 0;

  // Where the way from `fluid`, a cell's centre outside all bodies, to `solid`, the centre of a
  // neighbour inside `body`, first meets the surface, as a share of that way: in (0, 1]. One of the
  // two may lie outside the box, beyond a periodic face or one with free slip. Safe to call from
  // many threads.
  virtual double wall_distance(int body, const std::array<double, 3>& fluid,
                               const std::array<double, 3>& solid) const = 0;

  // Planes [first, last) may hold solid cells; planes outside are all fluid.
  virtual std::array<int, 2> plane_range() const = 0;
};

}  // namespace lbm
