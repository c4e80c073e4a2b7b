// SPDX-License-Identifier: Apache-2.0
#include "solver/boundary/solid_cells.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "solver/lattice/d3q19.hpp"

namespace lbm {
namespace {

using Ids = std::vector<std::uint16_t>;  // 1 + body by cell of a plane; empty: all fluid

// One coordinate of a neighbour: inside the box, wrapped or mirrored, or nowhere (-1).
struct Neighbour {
  int index;
  bool mirrored = false;
};

Neighbour neighbour(int i, int d, int n, bool periodic, bool slip_low, bool slip_high) {
  const int j = i + d;
  if (j >= 0 && j < n) return {j};
  if (periodic) return {(j + n) % n};
  const bool mirrored = j < 0 ? slip_low : slip_high;
  return {mirrored ? i : -1, mirrored};
}

std::uint32_t to_link(int body, double position) {
  const double steps = std::clamp(std::round(position * 65536) - 1, 0.0, 65535.0);
  return static_cast<std::uint32_t>(body) << 16 | static_cast<std::uint32_t>(steps);
}

class Finder {
 public:
  Finder(const SolidBox& box, const SolidGeometry& geometry, const std::vector<LinksOfBody>& bodies,
         bool every_plane)
      : box_(box),
        geometry_(geometry),
        bodies_(bodies),
        every_plane_(every_plane),
        any_links_(std::any_of(bodies.begin(), bodies.end(),
                               [](const LinksOfBody& body) { return body.number >= 0; })),
        words_((box.nx + 31) / 32) {
    result_.mask_of.assign(box.nz, -1);
    result_.list_of.assign(box.nz, -1);
    result_.linked_cells.assign(box.nz, 0);
  }

  SolidCells find() {
    const auto at = [&](int z, int d) {
      return neighbour(z, d, box_.nz, box_.periodic[2], box_.free_slip[4], box_.free_slip[5]).index;
    };
    planes_[0] = read(at(0, -1));
    planes_[1] = read(0);
    for (int z = 0; z < box_.nz; ++z) {
      planes_[2] = read(at(z, 1));
      if (every_plane_ ||
          std::any_of(planes_.begin(), planes_.end(), [](const Ids& p) { return !p.empty(); })) {
        add_plane(z);
      }
      planes_[0] = std::move(planes_[1]);
      planes_[1] = std::move(planes_[2]);
    }
    return std::move(result_);
  }

 private:
  struct Row {
    std::vector<LinkedCell> cells;
    std::vector<BlockedLink> links;
    int solids = 0;
  };

  Ids read(int z) const {
    const auto range = geometry_.plane_range();
    if (z < range[0] || z >= range[1]) return {};
    Ids ids(static_cast<std::size_t>(box_.nx) * box_.ny);
    geometry_.plane(z, ids);
    const bool any = std::any_of(ids.begin(), ids.end(), [](auto id) { return id != 0; });
    return any ? ids : Ids();
  }

  // For each row, the columns [first, last] that hold solid cells in any of the three planes.
  void find_extents() {
    extents_.assign(box_.ny, {box_.nx, -1});
    for (const Ids& plane : planes_) {
      if (plane.empty()) continue;
#pragma omp parallel for schedule(static)
      for (int y = 0; y < box_.ny; ++y) {
        const auto* row = plane.data() + static_cast<std::size_t>(y) * box_.nx;
        const auto* found = std::find_if(row, row + box_.nx, [](auto id) { return id != 0; });
        if (found == row + box_.nx) continue;
        int last = box_.nx - 1;
        while (row[last] == 0) --last;
        extents_[y][0] = std::min(extents_[y][0], static_cast<int>(found - row));
        extents_[y][1] = std::max(extents_[y][1], last);
      }
    }
  }

  void add_plane(int z) {
    find_extents();
    std::vector<std::uint32_t> mask(2 * static_cast<std::size_t>(words_) * box_.ny);
    std::vector<Row> rows(box_.ny);
#pragma omp parallel for schedule(dynamic, 8)
    for (int y = 0; y < box_.ny; ++y) rows[y] = find_row(y, z, mask);
    std::vector<LinkedCell> cells;
    std::vector<BlockedLink> links;
    for (Row& row : rows) {
      for (LinkedCell& cell : row.cells) {
        cell.first += static_cast<std::uint32_t>(links.size());
        cells.push_back(cell);
      }
      links.insert(links.end(), row.links.begin(), row.links.end());
      result_.solid_cells += row.solids;
    }
    if (every_plane_ ||
        std::any_of(mask.begin(), mask.end(), [](auto word) { return word != 0; })) {
      add_mask(z, mask);
    }
    if (!cells.empty()) add_list(z, cells, links);
  }

  void add_mask(int z, const std::vector<std::uint32_t>& mask) {
    auto& masks = result_.masks;
    if (masks.empty() || !std::equal(mask.begin(), mask.end(), masks.end() - mask.size())) {
      masks.insert(masks.end(), mask.begin(), mask.end());
    }
    result_.mask_of[z] = static_cast<std::int32_t>(masks.size() / mask.size()) - 1;
  }

  // Shares the list of the plane before where both are the same: bodies extruded along z.
  void add_list(int z, const std::vector<LinkedCell>& cells,
                const std::vector<BlockedLink>& links) {
    result_.linked_cells[z] = static_cast<int>(cells.size());
    result_.blocked_links += static_cast<std::int64_t>(links.size());
    const auto same = [](const LinkedCell& a, const LinkedCell& b) {
      return a.x == b.x && a.y == b.y && a.blocked == b.blocked && a.first == b.first;
    };
    if (!result_.lists.empty()) {
      const CellList& last = result_.lists.back();
      if (std::equal(cells.begin(), cells.end(), result_.cells.begin() + last.first_cell,
                     result_.cells.end(), same) &&
          std::equal(links.begin(), links.end(), result_.links.begin() + last.first_link,
                     result_.links.end())) {
        result_.list_of[z] = static_cast<std::int32_t>(result_.lists.size()) - 1;
        return;
      }
    }
    result_.list_of[z] = static_cast<std::int32_t>(result_.lists.size());
    result_.lists.push_back({static_cast<std::int64_t>(result_.cells.size()),
                             static_cast<std::int64_t>(result_.links.size()),
                             static_cast<std::int32_t>(cells.size())});
    result_.cells.insert(result_.cells.end(), cells.begin(), cells.end());
    result_.links.insert(result_.links.end(), links.begin(), links.end());
  }

  // Columns [first, last] of row y that may be solid or have a solid neighbour.
  std::array<int, 2> extent_near(int y) const {
    std::array<int, 2> extent{box_.nx, -1};
    for (int d = -1; d <= 1; ++d) {
      const int j = row_at(y, d).index;
      if (j < 0) continue;
      extent[0] = std::min(extent[0], extents_[j][0]);
      extent[1] = std::max(extent[1], extents_[j][1]);
    }
    if (extent[1] < 0) return {0, -1};
    const bool wraps = box_.periodic[0] && (extent[0] == 0 || extent[1] == box_.nx - 1);
    if (wraps) return {0, box_.nx - 1};
    return {std::max(extent[0] - 1, 0), std::min(extent[1] + 1, box_.nx - 1)};
  }

  Neighbour row_at(int y, int d) const {
    return neighbour(y, d, box_.ny, box_.periodic[1], box_.free_slip[2], box_.free_slip[3]);
  }

  Row find_row(int y, int z, std::vector<std::uint32_t>& mask) const {
    Row row;
    const auto [first, last] = extent_near(y);
    const std::size_t word_row = static_cast<std::size_t>(y) * words_;
    const std::size_t linked = static_cast<std::size_t>(words_) * box_.ny;
    for (int x = first; x <= last; ++x) {
      const std::uint32_t bit = std::uint32_t{1} << (x & 31);
      const std::size_t word = word_row + static_cast<std::size_t>(x >> 5);
      if (!planes_[1].empty() && planes_[1][static_cast<std::size_t>(y) * box_.nx + x] != 0) {
        mask[word] |= bit;
        ++row.solids;
        continue;
      }
      LinkedCell cell{static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), 0,
                      static_cast<std::uint32_t>(row.links.size())};
      if (!any_links_) continue;
      for (int q = 1; q < d3q19::directions; ++q) add_link(q, x, y, z, cell, row);
      if (cell.blocked == 0) continue;
      mask[linked + word] |= bit;
      row.cells.push_back(cell);
    }
    return row;
  }

  void add_link(int q, int x, int y, int z, LinkedCell& cell, Row& row) const {
    const int d[3] = {-d3q19::cx(q), -d3q19::cy(q), -d3q19::cz(q)};
    const Ids& plane = planes_[1 + d[2]];
    if (plane.empty()) return;
    const Neighbour from[3] = {
        neighbour(x, d[0], box_.nx, box_.periodic[0], box_.free_slip[0], box_.free_slip[1]),
        row_at(y, d[1]),
        neighbour(z, d[2], box_.nz, box_.periodic[2], box_.free_slip[4], box_.free_slip[5])};
    if (from[0].index < 0 || from[1].index < 0) return;
    const int id = plane[static_cast<std::size_t>(from[1].index) * box_.nx + from[0].index];
    if (id == 0 || bodies_[id - 1].number < 0) return;
    cell.blocked |= 1U << q;
    double position = 0.5;
    if (bodies_[id - 1].interpolated) {
      // Through a face with free slip the link is mirrored: the fluid end lies beyond the face, the
      // solid end inside.
      const int cell_at[3] = {x, y, z};
      std::array<double, 3> fluid, solid;
      for (int a = 0; a < 3; ++a) {
        const double here = cell_at[a] + 0.5, there = here + d[a];
        fluid[a] = from[a].mirrored ? there : here;
        solid[a] = from[a].mirrored ? here : there;
      }
      position = geometry_.wall_distance(id - 1, fluid, solid);
    }
    row.links.push_back(to_link(bodies_[id - 1].number, position));
  }

  const SolidBox& box_;
  const SolidGeometry& geometry_;
  const std::vector<LinksOfBody>& bodies_;
  bool every_plane_, any_links_;
  int words_;
  std::array<Ids, 3> planes_;  // z - 1, z, z + 1
  std::vector<std::array<int, 2>> extents_;
  SolidCells result_;
};

}  // namespace

SolidCells find_solid_cells(const SolidBox& box, const SolidGeometry& geometry,
                            const std::vector<LinksOfBody>& bodies, bool every_plane) {
  return Finder(box, geometry, bodies, every_plane).find();
}

}  // namespace lbm
