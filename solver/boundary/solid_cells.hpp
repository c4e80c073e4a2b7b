// From bodies to what the update needs of them: masks of solid cells, and the links they block.
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
  bool periodic[3];  // whether cells beyond both faces of an axis are those of the other side
  bool mirror[6];    // whether cells beyond that face are its own mirrored
};

// interpolated[body]: whether links ask the geometry where the wall is, or take the middle. Works
// through the box plane by plane, with three planes of body numbers at a time, on all threads.
SolidCells find_solid_cells(const SolidBox& box, const SolidGeometry& geometry,
                            const std::vector<bool>& interpolated);

}  // namespace lbm
