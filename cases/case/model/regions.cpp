#include "cases/case/model/regions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cases/case/case_location.hpp"
#include "cases/case/model/point_cells.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {

fields::GridShape grid_shape(const Case& lbm_case) {
  fields::GridShape grid{lbm_case.grid.cells, {}};
  for (std::size_t a = 0; a < 3; ++a) {
    grid.periodic[a] = lbm_case.faces[2 * a].type == BoundaryKind::periodic;
  }
  return grid;
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
  std::sort(cells.begin(), cells.end());
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  return {std::move(cells), lbm_case.grid.cells[2]};
}

}  // namespace lbm::cases
