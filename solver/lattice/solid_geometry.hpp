// What the lattice asks of the bodies in the box, plane by plane: which cells are solid, and where
// on a link the surface lies. Implemented by cases/geometry; positions in cells, the box spans
// [0, nx] x [0, ny] x [0, nz], the centre of cell (i, j, k) is at (i + 1/2, j + 1/2, k + 1/2).
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace lbm {

class SolidGeometry {
 public:
  virtual ~SolidGeometry() = default;

  // Bodies of that plane: body[y * nx + x] is 1 + the number of the body that holds the cell's
  // centre, 0 where it is fluid. Writes every value. Safe to call from many threads.
  virtual void plane(int z, std::span<std::uint16_t> body) const = 0;

  // The share of the way from `fluid`, a cell's centre outside all bodies, to `solid`, that of a
  // neighbour inside `body`, at which the surface is first met: in (0, 1]. One of the two may lie
  // outside the box, beyond a periodic or a mirroring face. Safe to call from many threads.
  virtual double wall_distance(int body, const std::array<double, 3>& fluid,
                               const std::array<double, 3>& solid) const = 0;

  // Planes [first, last) may hold solid cells; planes outside are all fluid.
  virtual std::array<int, 2> plane_range() const = 0;
};

}  // namespace lbm
