// SPDX-License-Identifier: Apache-2.0
#include "cases/fields/halo_box.hpp"

#include <algorithm>

namespace lbm::fields {

HaloBox with_halo(const GridShape& grid, const tiling::FieldBox& wanted, bool halo) {
  HaloBox box{wanted, wanted};
  if (!halo) return box;
  box.has_halo = true;
  box.step = wanted.stride;
  box.loaded.stride = 1;
  for (std::size_t a = 0; a < 3; ++a) {
    const int n = grid.cells[a];
    const int span = (wanted.count[a] - 1) * wanted.stride + 1;
    const int begin = wanted.begin[a], end = begin + span;
    const bool before = grid.periodic[a] || begin > 0, after = grid.periodic[a] || end < n;
    int first = begin - (before ? 1 : 0), count = span + (before ? 1 : 0) + (after ? 1 : 0);
    // Each plane is loaded only once.
    if (a == 2 && count > n) {
      first = 0;
      count = n;
    }
    box.loaded.begin[a] = (first + n) % n;
    box.loaded.count[a] = count;
    if (a < 2) box.first[a] = before ? 1 : 0;
  }
  return box;
}

}  // namespace lbm::fields
