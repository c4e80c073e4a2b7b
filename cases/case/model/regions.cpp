// SPDX-License-Identifier: Apache-2.0
#include "cases/case/model/regions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cases/case/bodies/body_checks.hpp"
#include "cases/case/case_location.hpp"
#include "cases/case/model/boundary_conditions.hpp"
#include "cases/case/model/inlet_profile.hpp"
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
  const double edge = lbm_case.units == UnitSystem::si ? make_units(lbm_case, derived).length : 1;
  region.at = (box.begin[axis] + 0.5 * box.count[axis]) * edge;
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

}  // namespace lbm::cases
