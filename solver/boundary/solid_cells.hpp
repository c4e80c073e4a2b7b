// SPDX-License-Identifier: Apache-2.0

// Finds the solid cells of bodies and the links that they block.
#pragma once

#include <vector>

#include "solver/boundary/boundary_view.hpp"
#include "solver/lattice/solid_geometry.hpp"

namespace lbm {

// See BoundaryView for the arrays.
struct SolidCells {
  std::vector<std::uint32_t> masks;
  std::vector<std::int32_t> mask_of;
  std::vector<CellList> lists;
  std::vector<std::int32_t> list_of;
  std::vector<LinkedCell> cells;
  std::vector<BlockedLink> links;
  std::vector<int> linked_cells;  // by plane
  std::int64_t solid_cells = 0, blocked_links = 0;
};

struct SolidBox {
  int nx, ny, nz;
  bool periodic[3];   // the cells beyond a face of the axis are those of the other side
  bool free_slip[6];  // the cells beyond the face are its own, mirrored
};

struct LinksOfBody {
  bool interpolated;  // true: the geometry gives the place of the wall on a link; else the middle
  int number;         // of the body in links; -1: none of its links is wanted
};

// bodies: by number of the geometry. every_plane: planes without solid cells have a mask, too.
// Works plane by plane on all threads; three planes of body numbers are in memory at a time.
SolidCells find_solid_cells(const SolidBox& box, const SolidGeometry& geometry,
                            const std::vector<LinksOfBody>& bodies, bool every_plane = false);

}  // namespace lbm
