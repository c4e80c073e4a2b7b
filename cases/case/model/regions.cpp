// SPDX-License-Identifier: Apache-2.0
#include "cases/case/model/regions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "cases/case/case_location.hpp"
#include "cases/case/model/boundary_conditions.hpp"
#include "cases/case/model/case_formulas.hpp"
#include "cases/geometry/shape.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {

fields::GridShape grid_shape(const Case& lbm_case) {
  return {lbm_case.grid.cells, periodic_axes(lbm_case)};
}

// Cells with centres between the corners; at least one along each axis.
tiling::FieldBox region_box(const Case& lbm_case, const Derived& derived, const Region& region) {
  const Units units = make_units(lbm_case, derived);
  tiling::FieldBox box;
  box.stride = region.stride;
  for (std::size_t a = 0; a < 3; ++a) {
    const int n = lbm_case.grid.cells[a];
    int begin = 0, end = n;
    if (region.box_from) {
      // Tolerance: metres that mean a whole number of cells must not lose one by rounding.
      const double from = to_cells(units, (*region.box_from)[a]) - 1e-6;
      begin = static_cast<int>(std::clamp(std::ceil(from - 0.5), 0.0, n - 1.0));
    }
    if (region.box_to) {
      const double to = to_cells(units, (*region.box_to)[a]) + 1e-6;
      end = static_cast<int>(std::clamp(std::floor(to - 0.5) + 1, begin + 1.0, double{1} * n));
    }
    if (region.slice == static_cast<int>(a)) {
      const double at = std::floor(to_cells(units, region.at.value_or(0)));
      begin = static_cast<int>(std::clamp(at, 0.0, n - 1.0));
      end = begin + 1;
    }
    box.begin[a] = begin;
    box.count[a] = (end - begin - 1) / region.stride + 1;
  }
  return box;
}

Region picture_region(const Case& lbm_case, const Derived& derived, const Picture& picture) {
  Region region = picture.region;
  if (!region.slice || region.at) return region;
  const auto axis = static_cast<std::size_t>(*region.slice);
  Region whole = region;
  whole.slice.reset();
  const tiling::FieldBox box = region_box(lbm_case, derived, whole);
  region.at = (box.begin[axis] + 0.5 * box.count[axis]) * cell_size(lbm_case);
  return region;
}

std::vector<Vec3> places_of(const Probe& probe, const Units& units) {
  std::vector<Vec3> places;
  for (const Vec3& point : probe.points) places.push_back(to_cells(units, point));
  if (!probe.line_from) return places;
  const Vec3 from = to_cells(units, *probe.line_from), to = to_cells(units, *probe.line_to);
  const auto count = static_cast<int>(*probe.line_points);
  for (int i = 0; i < count; ++i) {
    const double s = double{1} * i / (count - 1);
    places.push_back({from[0] + s * (to[0] - from[0]), from[1] + s * (to[1] - from[1]),
                      from[2] + s * (to[2] - from[2])});
  }
  return places;
}

ProbeCells probe_cells(const Case& lbm_case, const Derived& derived, const Boundaries& boundaries) {
  const Units units = make_units(lbm_case, derived);
  std::vector<std::array<int, 3>> cells;
  for (const Probe& probe : lbm_case.probes) {
    for (const Vec3& place : places_of(probe, units)) {
      const auto corners = cells_around(lbm_case, boundaries, place);
      if (corners.empty() && !probe.line_from) {
        throw UsageError(fmt::format(
            "{}: found a place inside a body, [{:.6g}, {:.6g}, {:.6g}] cells, must be in the fluid",
            where(lbm_case, "probes." + probe.name + ".points"), place[0], place[1], place[2]));
      }
      for (const PointCell& corner : corners) cells.push_back(corner.cell);
    }
  }
  for (const NamedQuantity& quantity : lbm_case.quantities) {
    if (!is_at_point(*quantity.kind)) continue;
    for (const PointCell& point : point_cells(lbm_case, derived, boundaries, quantity)) {
      cells.push_back(point.cell);
    }
  }
  std::sort(cells.begin(), cells.end());
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  return {std::move(cells), lbm_case.grid.cells[2]};
}

namespace {

[[noreturn]] void refuse_place(const Case& lbm_case, const NamedQuantity& quantity,
                               const Vec3& place, const char* found, const std::string& must) {
  throw UsageError(fmt::format("{}: found {}, [{:.6g}, {:.6g}, {:.6g}] cells, {}",
                               where(lbm_case, "quantities." + quantity.name + ".point"), found,
                               place[0], place[1], place[2], must));
}

// The two cells around a coordinate and their weights; at an end of the grid the outermost cell.
std::array<std::pair<int, double>, 2> around(double at, int cells, bool periodic) {
  const double centre = at - 0.5, low = std::floor(centre), share = centre - low;
  const auto cell = [&](double n) {
    const auto i = static_cast<int>(n);
    return periodic ? (i % cells + cells) % cells : std::clamp(i, 0, cells - 1);
  };
  return {{{cell(low), 1 - share}, {cell(low + 1), share}}};
}

// A cell within wall_reach of a place.
struct NearCell {
  std::array<int, 3> at{};    // may lie beyond a periodic face
  std::array<int, 3> cell{};  // the same cell in the grid
  Vec3 from{};                // vector from the place to its centre
  double distance = 0;
};

struct Neighbourhood {
  std::vector<NearCell> fluid;
  bool has_wall = false;
};

Neighbourhood cells_within_reach(const Case& lbm_case, const Boundaries& boundaries, Vec3 place) {
  const BoundaryView view = boundaries.none() ? BoundaryView{} : boundaries.view();
  const auto& cells = lbm_case.grid.cells;
  Neighbourhood found;
  std::array<int, 3> first{}, last{};
  for (std::size_t a = 0; a < 3; ++a) {
    place[a] = std::clamp(place[a], 0.0, double{1} * cells[a]);  // plans try smaller boxes
    first[a] = static_cast<int>(std::ceil(place[a] - 0.5 - wall_reach));
    last[a] = static_cast<int>(std::floor(place[a] - 0.5 + wall_reach));
    if (wraps(lbm_case.faces, a)) continue;
    const bool walls = lbm_case.faces[2 * a].type != BoundaryKind::periodic;
    found.has_wall |= walls && (place[a] < wall_reach || place[a] > cells[a] - wall_reach);
    first[a] = std::max(first[a], 0);
    last[a] = std::min(last[a], cells[a] - 1);
  }
  NearCell near;
  auto& at = near.at;
  for (at[2] = first[2]; at[2] <= last[2]; ++at[2]) {
    for (at[1] = first[1]; at[1] <= last[1]; ++at[1]) {
      for (at[0] = first[0]; at[0] <= last[0]; ++at[0]) {
        for (std::size_t a = 0; a < 3; ++a) {
          near.from[a] = at[a] + 0.5 - place[a];
          near.cell[a] = (at[a] % cells[a] + cells[a]) % cells[a];
        }
        near.distance = std::hypot(near.from[0], near.from[1], near.from[2]);
        if (near.distance > wall_reach) continue;
        const bool solid = view.is_solid(near.cell[0], near.cell[1], near.cell[2]);
        found.has_wall |= solid;
        if (!solid) found.fluid.push_back(near);
      }
    }
  }
  return found;
}

// The cells that are connected with the nearest one through faces of cells.
std::vector<NearCell> connected(std::vector<NearCell> all) {
  if (all.empty()) return all;
  std::iter_swap(all.begin(), std::min_element(all.begin(), all.end(), [](auto& a, auto& b) {
                   return a.distance < b.distance;
                 }));
  std::vector<NearCell> found{all.front()};
  all.erase(all.begin());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::array<int, 3> from = found[i].at;
    const auto touches = [&](const NearCell& other) {
      return std::abs(other.at[0] - from[0]) + std::abs(other.at[1] - from[1]) +
                 std::abs(other.at[2] - from[2]) ==
             1;
    };
    const auto rest = std::stable_partition(all.begin(), all.end(),
                                            [&](const NearCell& c) { return !touches(c); });
    found.insert(found.end(), rest, all.end());
    all.erase(rest, all.end());
  }
  return found;
}

using Matrix3 = std::array<Vec3, 3>;

double determinant(const Matrix3& m) { return geometry::dot(m[0], geometry::cross(m[1], m[2])); }

// Cramer's rule.
Vec3 solution(const Matrix3& m, const Vec3& right) {
  const double of_all = determinant(m);
  Vec3 x{};
  for (std::size_t column = 0; column < 3; ++column) {
    Matrix3 replaced = m;
    for (std::size_t row = 0; row < 3; ++row) replaced[row][column] = right[row];
    x[column] = determinant(replaced) / of_all;
  }
  return x;
}

}  // namespace

std::vector<PointCell> point_cells(const Case& lbm_case, const Derived& derived,
                                   const Boundaries& boundaries, const NamedQuantity& quantity) {
  const Vec3 place = to_cells(make_units(lbm_case, derived), *quantity.point);
  const bool at_wall = quantity.kind == QuantityKind::wall_pressure;
  auto cells = at_wall ? cells_at_wall(lbm_case, boundaries, place)
                       : cells_around(lbm_case, boundaries, place);
  if (!cells.empty()) return cells;
  if (!at_wall) {
    refuse_place(lbm_case, quantity, place, "a place inside a body", "must be in the fluid");
  }
  refuse_place(lbm_case, quantity, place, "a place deep inside a body",
               fmt::format("must be on its surface, at most {} cells from the fluid", wall_reach));
}

QuantityRegion::QuantityRegion(const Case& lbm_case, const Derived& derived,
                               const NamedQuantity& quantity) {
  if (!quantity.face) {
    box_ = region_box(lbm_case, derived, quantity.region);
    axis_ = quantity.region.slice.value_or(2);
    return;
  }
  const int face = *quantity.face;
  axis_ = face / 2;
  const auto a = static_cast<std::size_t>(axis_);
  box_.count = lbm_case.grid.cells;
  box_.begin[a] = face % 2 == 0 ? 0 : lbm_case.grid.cells[a] - 1;
  box_.count[a] = 1;
  if (quantity.patch.empty()) return;
  const auto& patches = lbm_case.faces[static_cast<std::size_t>(face)].patches;
  const auto patch = std::find_if(patches.begin(), patches.end(),
                                  [&](const Patch& p) { return p.name == quantity.patch; });
  patch_ = static_cast<int>(patch - patches.begin()) + 1;
  patch_of_ = patch_of_cells(lbm_case, face);
  const FaceGrid grid(lbm_case, face);
  across_ = {static_cast<std::size_t>(grid.a), static_cast<std::size_t>(grid.b)};
  row_ = grid.na;
}

bool QuantityRegion::holds(int x, int y, int z) const {
  if (patch_ == 0) return true;
  const std::array<int, 3> cell{x, y, z};
  const auto at = static_cast<std::size_t>(cell[across_[1]]) * row_ + cell[across_[0]];
  return patch_of_[at] == patch_;
}

// Calls visit(is_solid) for each of the cells until it returns false.
template <class Visit>
void QuantityRegion::visit_cells(const Boundaries& boundaries, const Visit& visit) const {
  const BoundaryView view = boundaries.none() ? BoundaryView{} : boundaries.view();
  for (int z = box_.begin[2]; z < box_.begin[2] + box_.count[2]; ++z) {
    for (int y = box_.begin[1]; y < box_.begin[1] + box_.count[1]; ++y) {
      for (int x = box_.begin[0]; x < box_.begin[0] + box_.count[0]; ++x) {
        if (holds(x, y, z) && !visit(view.is_solid(x, y, z))) return;
      }
    }
  }
}

QuantityRegion::Count QuantityRegion::count(const Boundaries& boundaries) const {
  Count count;
  visit_cells(boundaries, [&](bool solid) {
    ++(solid ? count.solid : count.fluid);
    return true;
  });
  return count;
}

bool QuantityRegion::has_fluid(const Boundaries& boundaries) const {
  bool found = false;
  visit_cells(boundaries, [&](bool solid) {
    found = !solid;
    return solid;
  });
  return found;
}

bool is_of_box_sums(const NamedQuantity& quantity) {
  const bool of_gradients = quantity.field && facts_of(*quantity.field).of_gradients;
  return is_of_region(*quantity.kind) && quantity.patch.empty() && !of_gradients;
}

std::vector<tiling::FieldBox> summed_boxes(const Case& lbm_case, const Derived& derived) {
  std::vector<tiling::FieldBox> boxes;
  for (const NamedQuantity& quantity : lbm_case.quantities) {
    if (!is_of_box_sums(quantity)) continue;
    const tiling::FieldBox box = QuantityRegion(lbm_case, derived, quantity).box();
    if (std::find(boxes.begin(), boxes.end(), box) == boxes.end()) boxes.push_back(box);
  }
  return boxes;
}

void check_quantity_places(const Case& lbm_case, const Derived& derived,
                           const Boundaries& boundaries) {
  const Units units = make_units(lbm_case, derived);
  for (const NamedQuantity& quantity : lbm_case.quantities) {
    if (quantity.kind == QuantityKind::wall_pressure) {
      const Vec3 place = to_cells(units, *quantity.point);
      if (is_near_wall(lbm_case, boundaries, place)) continue;
      refuse_place(lbm_case, quantity, place, "a place without a wall",
                   fmt::format("must be on a wall, at most {} cells from it: move it or take "
                               "kind: point",
                               wall_reach));
    }
    if (!is_of_region(*quantity.kind)) continue;
    if (QuantityRegion(lbm_case, derived, quantity).has_fluid(boundaries)) continue;
    const bool patch = !quantity.patch.empty();
    throw UsageError(
        fmt::format("{}: found no fluid cell in {}, must hold one at least: move it",
                    where(lbm_case, "quantities." + quantity.name + (patch ? ".patch" : ".kind")),
                    patch ? "this patch" : "the region of this quantity"));
  }
}

std::vector<PointCell> cells_around(const Case& lbm_case, const Boundaries& boundaries,
                                    const Vec3& place) {
  std::array<std::array<std::pair<int, double>, 2>, 3> axes;
  for (std::size_t a = 0; a < 3; ++a) {
    axes[a] = around(place[a], lbm_case.grid.cells[a],
                     lbm_case.faces[2 * a].type == BoundaryKind::periodic);
  }
  const BoundaryView view = boundaries.none() ? BoundaryView{} : boundaries.view();
  std::vector<PointCell> cells;
  double sum = 0;
  for (const auto& [z, wz] : axes[2]) {
    for (const auto& [y, wy] : axes[1]) {
      for (const auto& [x, wx] : axes[0]) {
        const double weight = wx * wy * wz;
        if (weight <= 0 || view.is_solid(x, y, z)) continue;
        cells.push_back({{x, y, z}, weight});
        sum += weight;
      }
    }
  }
  for (PointCell& corner : cells) corner.weight /= sum;
  return cells;
}

// Least squares: with cells at x_i, their mean m and C = sum (x_i - m)(x_i - m)^T, the value at the
// place p is sum_i f_i (1 / n + (x_i - m) . C^-1 (p - m)). Along directions without extent C is
// singular; a small multiple of the identity makes the fit constant there.
std::vector<PointCell> cells_at_wall(const Case& lbm_case, const Boundaries& boundaries,
                                     const Vec3& place) {
  const auto near = connected(cells_within_reach(lbm_case, boundaries, place).fluid);
  if (near.empty()) return {};
  const auto n = static_cast<double>(near.size());
  Vec3 mean{};
  for (const NearCell& cell : near) {
    for (std::size_t a = 0; a < 3; ++a) mean[a] += cell.from[a] / n;
  }
  constexpr double small = 1e-9;
  Matrix3 moments{{{small, 0, 0}, {0, small, 0}, {0, 0, small}}};
  for (const NearCell& cell : near) {
    for (std::size_t a = 0; a < 3; ++a) {
      for (std::size_t b = 0; b < 3; ++b) {
        moments[a][b] += (cell.from[a] - mean[a]) * (cell.from[b] - mean[b]);
      }
    }
  }
  const Vec3 slope = solution(moments, {-mean[0], -mean[1], -mean[2]});
  std::vector<PointCell> cells;
  for (const NearCell& cell : near) {
    double weight = 1 / n;
    for (std::size_t a = 0; a < 3; ++a) weight += (cell.from[a] - mean[a]) * slope[a];
    cells.push_back({cell.cell, weight});
  }
  return cells;
}

bool is_near_wall(const Case& lbm_case, const Boundaries& boundaries, const Vec3& place) {
  return cells_within_reach(lbm_case, boundaries, place).has_wall;
}

}  // namespace lbm::cases
