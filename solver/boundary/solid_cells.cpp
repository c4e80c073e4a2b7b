// SPDX-License-Identifier: Apache-2.0
#include "solver/boundary/solid_cells.hpp"

#include <omp.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "solver/core/host_memory.hpp"
#include "solver/core/in_parts.hpp"
#include "solver/lattice/velocity_sets.hpp"

namespace lbm {
namespace {

// Both are empty where all is fluid.
struct Plane {
  std::vector<std::uint16_t> ids;    // 1 + body by cell
  std::vector<std::uint32_t> solid;  // a bit a cell, each row from a new word on
};

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

std::uint32_t to_slant(double cosine) {
  return static_cast<std::uint32_t>(std::llround(std::clamp(cosine, 0.0, 1.0) * 0xffffffffU));
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
        any_slants_(std::any_of(bodies.begin(), bodies.end(),
                                [](const LinksOfBody& body) { return body.slanted; })),
        words_((box.nx + 31) / 32) {
    result_.mask_of.assign(box.nz, -1);
    result_.list_of.assign(box.nz, -1);
    result_.linked_cells.assign(box.nz, 0);
    if (every_plane) result_.masks.reserve(mask_size() * static_cast<std::size_t>(box.nz));
  }

  // Some planes at a time: first their cells are found, then their links.
  SolidCells find() {
    window_.resize(2);
    const int at_once = planes_at_once();
    for (int z = 0, count = 0; z < box_.nz; z += count) {
      count = std::min(at_once, box_.nz - z);
      read(z, count);
      std::vector<Found> found(static_cast<std::size_t>(count));
      find_rows(z, found);
      for (int i = 0; i < count; ++i) add_plane(z + i, found[static_cast<std::size_t>(i)]);
      window_[0] = std::move(window_[static_cast<std::size_t>(count)]);
      window_[1] = std::move(window_[static_cast<std::size_t>(count) + 1]);
    }
    return std::move(result_);
  }

 private:
  struct Row {
    std::vector<LinkedCell> cells;
    std::vector<BlockedLink> links, slants;
    int solids = 0;
  };
  // One plane; empty where nothing is solid in it and beside it, unless every plane is wanted.
  struct Found {
    std::vector<std::uint32_t> mask;
    std::vector<Row> rows;
  };

  std::size_t mask_words() const { return static_cast<std::size_t>(words_) * box_.ny; }
  std::size_t mask_size() const { return mask_words() * (box_.numbers_bodies ? 2 + body_bits : 2); }
  std::size_t plane_cells() const { return static_cast<std::size_t>(box_.nx) * box_.ny; }

  // Enough for all threads, in 1/16 of the memory that is available, or in 256 MB.
  int planes_at_once() const {
    constexpr std::size_t bytes_a_cell = 4;
    const std::size_t most = std::max<std::size_t>(256'000'000, host_memory_available() / 16) /
                             (bytes_a_cell * plane_cells());
    const auto enough = 4 * static_cast<std::size_t>(omp_get_max_threads());
    return static_cast<int>(std::clamp<std::size_t>(most, 1, enough));
  }

  // Planes z - 1 ... z + count; of the first two those of the call before are there.
  void read(int z, int count) {
    window_.resize(static_cast<std::size_t>(count) + 2);
    FirstError error;
#pragma omp parallel for schedule(dynamic)
    for (int i = z == 0 ? 0 : 2; i < count + 2; ++i) {
      error.guard([&] {
        const int at = z - 1 + i, inside = std::clamp(at, 0, box_.nz - 1);
        const Neighbour from = neighbour(inside, at - inside, box_.nz, box_.periodic[2],
                                         box_.free_slip[4], box_.free_slip[5]);
        window_[static_cast<std::size_t>(i)] = plane(from.index);
      });
    }
    error.rethrow();
  }

  Plane plane(int z) const {
    const auto range = geometry_.plane_range();
    if (z < range[0] || z >= range[1]) return {};
    Plane plane{std::vector<std::uint16_t>(plane_cells()), {}};
    geometry_.plane(z, plane.ids);
    plane.solid.resize(mask_words());
    std::uint32_t any = 0;
    for (int y = 0; y < box_.ny; ++y) {
      const std::uint16_t* ids = plane.ids.data() + static_cast<std::size_t>(y) * box_.nx;
      std::uint32_t* const row = plane.solid.data() + static_cast<std::size_t>(y) * words_;
      for (int w = 0; w < words_; ++w) {
        std::uint32_t word = 0;
        const int cells = std::min(32, box_.nx - 32 * w);
        for (int i = 0; i < cells; ++i) word |= std::uint32_t{ids[32 * w + i] != 0} << i;
        row[w] = word;
        any |= word;
      }
    }
    if (any == 0) return {};
    if (!any_links_ && !box_.numbers_bodies) plane.ids = {};
    return plane;
  }

  void find_rows(int z, std::vector<Found>& found) const {
#pragma omp parallel for
    for (std::size_t i = 0; i < found.size(); ++i) {
      const bool any = std::any_of(&window_[i], &window_[i] + 3,
                                   [](const Plane& plane) { return !plane.solid.empty(); });
      if (!any && !every_plane_) continue;
      found[i].mask.resize(mask_size());
      found[i].rows.resize(static_cast<std::size_t>(box_.ny));
    }
    const int count = static_cast<int>(found.size());
#pragma omp parallel for collapse(2) schedule(dynamic, 32)
    for (int i = 0; i < count; ++i) {
      for (int y = 0; y < box_.ny; ++y) {
        Found& own = found[static_cast<std::size_t>(i)];
        if (!own.mask.empty())
          own.rows[static_cast<std::size_t>(y)] = find_row(y, z + i, &window_[i], own.mask);
      }
    }
  }

  void add_plane(int z, Found& found) {
    if (found.mask.empty()) return;
    std::vector<LinkedCell> cells;
    std::vector<BlockedLink> links, slants;
    for (Row& row : found.rows) {
      for (LinkedCell& cell : row.cells) {
        cell.first += static_cast<std::uint32_t>(links.size());
        cells.push_back(cell);
      }
      links.insert(links.end(), row.links.begin(), row.links.end());
      slants.insert(slants.end(), row.slants.begin(), row.slants.end());
      result_.solid_cells += row.solids;
    }
    if (every_plane_ ||
        std::any_of(found.mask.begin(), found.mask.end(), [](auto word) { return word != 0; })) {
      add_mask(z, found.mask);
    }
    if (cells.empty()) return;
    result_.blocked_links += static_cast<std::int64_t>(links.size());
    const auto to_slants = static_cast<std::int32_t>(slants.size());
    links.insert(links.end(), slants.begin(), slants.end());
    add_list(z, cells, links, to_slants);
  }

  void add_mask(int z, const std::vector<std::uint32_t>& mask) {
    auto& masks = result_.masks;
    if (masks.empty() || !std::equal(mask.begin(), mask.end(), masks.end() - mask.size())) {
      masks.insert(masks.end(), mask.begin(), mask.end());
    }
    result_.mask_of[z] = static_cast<std::int32_t>(masks.size() / mask.size()) - 1;
  }

  // Shares the list of the plane before where both are the same: bodies extruded along z.
  void add_list(int z, const std::vector<LinkedCell>& cells, const std::vector<BlockedLink>& links,
                std::int32_t to_slants) {
    result_.linked_cells[z] = static_cast<int>(cells.size());
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
                             static_cast<std::int32_t>(cells.size()), to_slants});
    result_.cells.insert(result_.cells.end(), cells.begin(), cells.end());
    result_.links.insert(result_.links.end(), links.begin(), links.end());
  }

  Neighbour row_at(int y, int d) const {
    return neighbour(y, d, box_.ny, box_.periodic[1], box_.free_slip[2], box_.free_slip[3]);
  }

  void number_bodies(int y, const Plane& plane, std::vector<std::uint32_t>& mask) const {
    const std::uint16_t* const ids = plane.ids.data() + static_cast<std::size_t>(y) * box_.nx;
    for (int x = 0; x < box_.nx; ++x) {
      const std::uint32_t number = ids[x] <= most_numbered_bodies ? ids[x] : 0U;
      for (std::size_t bit = 0; bit < body_bits; ++bit) {
        const std::size_t word = static_cast<std::size_t>(y) * words_ + (x >> 5);
        mask[(2 + bit) * mask_words() + word] |= (number >> bit & 1U) << (x & 31);
      }
    }
  }

  // planes: z - 1, z and z + 1.
  Row find_row(int y, int z, const Plane* planes, std::vector<std::uint32_t>& mask) const {
    Row row;
    const std::size_t begin = static_cast<std::size_t>(y) * words_;
    if (!planes[1].solid.empty()) {
      std::copy_n(&planes[1].solid[begin], words_, &mask[begin]);
      for (int w = 0; w < words_; ++w) row.solids += std::popcount(mask[begin + w]);
      if (box_.numbers_bodies) number_bodies(y, planes[1], mask);
    }
    if (!any_links_) return row;
    std::array<const std::uint32_t*, 9> near{};  // rows of this cell's neighbours
    int rows = 0;
    for (int d = -1; d <= 1; ++d) {
      const int j = row_at(y, d).index;
      for (int k = 0; k < 3 && j >= 0; ++k) {
        if (planes[k].solid.empty()) continue;
        near[rows++] = &planes[k].solid[static_cast<std::size_t>(j) * words_];
      }
    }
    const auto columns = [&](int word) {  // solid in any of these rows
      std::uint32_t all = 0;
      for (int i = 0; i < rows; ++i) all |= near[i][word];
      return all;
    };
    const int end = (box_.nx - 1) & 31;  // bit of the last column
    const std::uint32_t first = columns(0), last = columns(words_ - 1);
    std::uint32_t low = box_.periodic[0] ? last >> end & 1U : 0, here = first;
    for (int w = 0; w < words_; ++w) {
      const bool ends = w + 1 == words_;
      const std::uint32_t next = ends ? 0 : columns(w + 1);
      const std::uint32_t high = !ends ? next << 31 : box_.periodic[0] ? (first & 1U) << end : 0;
      const std::uint32_t inside = ends ? ~0U >> (31 - end) : ~0U;
      std::uint32_t left = (here | here << 1 | low | here >> 1 | high) & inside & ~mask[begin + w];
      for (; left != 0; left &= left - 1) {
        LinkedCell cell{static_cast<std::uint32_t>(32 * w + std::countr_zero(left)),
                        static_cast<std::uint32_t>(y), 0,
                        static_cast<std::uint32_t>(row.links.size())};
        for (int q = 1; q < box_.directions; ++q) add_link(q, z, planes, cell, row);
        if (cell.blocked == 0) continue;
        mask[mask_words() + begin + w] |= left & -left;
        row.cells.push_back(cell);
      }
      low = here >> 31;
      here = next;
    }
    return row;
  }

  // planes: z - 1, z and z + 1.
  void add_link(int q, int z, const Plane* planes, LinkedCell& cell, Row& row) const {
    const int d[3] = {-cx(q), -cy(q), -cz(q)};
    const auto& ids = planes[1 + d[2]].ids;
    if (ids.empty()) return;
    const int x = static_cast<int>(cell.x), y = static_cast<int>(cell.y);
    const Neighbour from[3] = {
        neighbour(x, d[0], box_.nx, box_.periodic[0], box_.free_slip[0], box_.free_slip[1]),
        row_at(y, d[1]),
        neighbour(z, d[2], box_.nz, box_.periodic[2], box_.free_slip[4], box_.free_slip[5])};
    if (from[0].index < 0 || from[1].index < 0) return;
    const int id = ids[static_cast<std::size_t>(from[1].index) * box_.nx + from[0].index];
    if (id == 0 || bodies_[id - 1].number < 0) return;
    cell.blocked |= 1U << q;
    double position = 0.5;
    const bool slanted = bodies_[id - 1].slanted && q <= 6;
    if (any_slants_) row.slants.push_back(to_slant(1));
    if (bodies_[id - 1].interpolated || slanted) {
      // Through a face with free slip the link is mirrored: the fluid end lies beyond the face, the
      // solid end inside.
      const int cell_at[3] = {x, y, z};
      std::array<double, 3> fluid, solid;
      for (int a = 0; a < 3; ++a) {
        const double here = cell_at[a] + 0.5, there = here + d[a];
        fluid[a] = from[a].mirrored ? there : here;
        solid[a] = from[a].mirrored ? here : there;
      }
      if (bodies_[id - 1].interpolated) position = geometry_.wall_distance(id - 1, fluid, solid);
      if (slanted) row.slants.back() = to_slant(geometry_.slant(fluid, solid));
    }
    row.links.push_back(to_link(bodies_[id - 1].number, position));
  }

  const SolidBox& box_;
  const SolidGeometry& geometry_;
  const std::vector<LinksOfBody>& bodies_;
  bool every_plane_, any_links_, any_slants_;
  int words_;
  std::vector<Plane> window_;  // planes one after the other
  SolidCells result_;
};

}  // namespace

SolidCells find_solid_cells(const SolidBox& box, const SolidGeometry& geometry,
                            const std::vector<LinksOfBody>& bodies, bool every_plane) {
  return Finder(box, geometry, bodies, every_plane).find();
}

}  // namespace lbm
