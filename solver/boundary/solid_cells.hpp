// SPDX-License-Identifier: Apache-2.0

// Finds the solid cells of bodies and the links that they block.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "solver/boundary/boundary_view.hpp"

namespace lbm {

// The bodies in the box as the lattice needs them: which cells of a plane are solid, and where on a
// link the surface lies. Implemented by cases/geometry; positions in cells, the box spans [0, nx] x
// [0, ny] x [0, nz], the centre of cell (i, j, k) is at (i + 1/2, j + 1/2, k + 1/2).
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

  // Cosine of the angle between that way, which is along an axis, and the normal of the surface
  // where they meet, in [0, 1]. 1, as by default: the surface is that of the cells. Safe to call
  // from many threads.
  virtual double slant(const std::array<double, 3>& /*fluid*/,
                       const std::array<double, 3>& /*solid*/) const {
    return 1;
  }

  // Planes [first, last) may hold solid cells; planes outside are all fluid.
  virtual std::array<int, 2> plane_range() const = 0;
};

// See BoundaryView for the arrays.
struct SolidCells {
  std::vector<std::uint32_t> masks;
  std::vector<std::int32_t> mask_of;
  std::vector<CellList> lists;
  std::vector<std::int32_t> list_of;
  std::vector<LinkedCell> cells;
  std::vector<BlockedLink> links;  // and slants
  std::vector<int> linked_cells;   // by plane
  std::int64_t solid_cells = 0, blocked_links = 0;
};

struct SolidBox {
  int nx, ny, nz;
  bool periodic[3];             // the cells beyond a face of the axis are those of the other side
  bool free_slip[6];            // the cells beyond the face are its own, mirrored
  int directions;               // of the velocity set
  bool numbers_bodies = false;  // masks have the number of the body of each solid cell
};

struct LinksOfBody {
  bool interpolated;  // true: the geometry gives the place of the wall on a link; else the middle
  int number;         // of the body in links; -1: none of its links is wanted
  bool slanted = false;  // true: links along axes have the slants of the geometry, not 1
};

// bodies: by number of the geometry. every_plane: planes without solid cells have a mask, too.
// Works on all threads, some planes at a time: as many as there is work for, if their body numbers
// need no more than 1/16 of the memory that is available.
SolidCells find_solid_cells(const SolidBox& box, const SolidGeometry& geometry,
                            const std::vector<LinksOfBody>& bodies, bool every_plane = false);

}  // namespace lbm
