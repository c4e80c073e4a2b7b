// SPDX-License-Identifier: Apache-2.0
#include "cases/fields/plane_window.hpp"

#include <algorithm>

#include "solver/core/in_parts.hpp"

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

int PlaneWindow::neighbour(int z, int d) const {
  const int nz = grid_.cells[2], n = z + d;
  if (n >= 0 && n < nz) return n;
  return grid_.periodic[2] ? (n + nz) % nz : -1;
}

std::vector<int> PlaneWindow::around(int z) const {
  std::vector<int> planes;
  for (const int d : {-1, 0, 1}) {
    const int n = neighbour(z, d);
    if (n >= 0 && std::find(planes.begin(), planes.end(), n) == planes.end()) planes.push_back(n);
  }
  return planes;
}

std::vector<int> PlaneWindow::wanted_around(int z) const {
  std::vector<int> planes = around(z);
  std::erase_if(planes, [&](int n) {
    return !box_.wanted.has_plane(n, grid_.cells[2]) || done_.contains(n);
  });
  return planes;
}

void PlaneWindow::keep(int z, const FieldPlane& plane) {
  Held& held = planes_[z];
  held.uses = static_cast<int>(wanted_around(z).size());
  if (!free_.empty()) {
    held.values = std::move(free_.back());
    free_.pop_back();
  }
  held.values.resize(plane.values.size());
  in_parts(threads_, plane.values.size(), [&](std::size_t first, std::size_t last) {
    std::copy_n(plane.values.data() + first, last - first, held.values.data() + first);
  });
  held.plane = {held.values, plane.scalars};
}

bool PlaneWindow::find(int z, const FieldPlane*& plane) const {
  plane = nullptr;
  if (z < 0) return true;
  const auto found = planes_.find(z);
  if (found == planes_.end()) return false;
  plane = &found->second.plane;
  return true;
}

void PlaneWindow::done(int wanted) {
  done_.insert(wanted);
  for (const int n : around(wanted)) {
    const auto held = planes_.find(n);
    if (held == planes_.end() || --held->second.uses > 0) continue;
    free_.push_back(std::move(held->second.values));
    planes_.erase(held);
  }
}

}  // namespace lbm::fields
