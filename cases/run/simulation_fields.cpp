// SPDX-License-Identifier: Apache-2.0

// Reading the state of a simulation.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cases/case/model/regions.hpp"
#include "cases/case/units.hpp"
#include "cases/run/results/field_planes.hpp"
#include "cases/run/simulation.hpp"
#include "cases/run/time_loop.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

constexpr const char* axis_names = "xyz";

tiling::FieldBox field_box(const CellBox& box, const std::array<int, 3>& cells) {
  for (std::size_t a = 0; a < 3; ++a) {
    if (box.begin[a] >= 0 && box.begin[a] < box.end[a] && box.end[a] <= cells[a]) continue;
    throw UsageError(fmt::format(
        "box: found cells {} to {} along {}, must be a part of 0 to {}, not empty (the end is not "
        "in it)",
        box.begin[a], box.end[a], axis_names[a], cells[a]));
  }
  if (box.stride < 1) {
    throw UsageError(fmt::format("stride: found {}, must be at least 1", box.stride));
  }
  return {box.begin, box.count(), box.stride};
}

Vec3 place_in_box(const Units& units, const Vec3& place, const std::array<int, 3>& cells) {
  const Vec3 at = to_cells(units, place);
  for (std::size_t a = 0; a < 3; ++a) {
    if (at[a] >= 0 && at[a] <= cells[a]) continue;
    throw UsageError(fmt::format("probe: found {} = {:.6g}, must be from 0 to {:.6g}, in the box",
                                 axis_names[a], place[a], cells[a] * units.length));
  }
  return at;
}

// A share of the value of a place, by the cell that gives it.
struct Share {
  std::size_t point;
  std::array<int, 3> cell;
  double weight;
};

// The rectangle of all cells of a plane's shares.
tiling::FieldBox box_around(int z, const std::vector<Share>& shares) {
  std::array<int, 3> low = shares[0].cell, high = low;
  for (const Share& share : shares) {
    for (std::size_t a = 0; a < 2; ++a) {
      low[a] = std::min(low[a], share.cell[a]);
      high[a] = std::max(high[a], share.cell[a]);
    }
  }
  return {{low[0], low[1], z}, {high[0] - low[0] + 1, high[1] - low[1] + 1, 1}};
}

}  // namespace

std::array<int, 3> CellBox::count() const {
  std::array<int, 3> n{};
  for (std::size_t a = 0; a < 3; ++a) n[a] = (end[a] - begin[a] - 1) / stride + 1;
  return n;
}

void Simulation::check(const CellBox& box) const { field_box(box, lbm_case().grid.cells); }

void Simulation::read(fields::Kind kind, const CellBox& box, std::optional<FieldUnits> units,
                      std::span<float> to) {
  FieldOutput output;
  output.fields = {kind};
  output.style.units = units;
  const tiling::FieldBox wanted = field_box(box, lbm_case().grid.cells);
  TimeLoop& loop = running();
  const Setup& setup = prepared().setup;
  FieldPlanes planes(lbm_case(), setup, output, wanted);
  const std::size_t plane_values =
      static_cast<std::size_t>(wanted.plane_cells()) * fields::components_of(kind);
  FieldPlanes::Step waiting = planes.begin(step());
  const auto take = [&](int z, const auto& arrays) {
    std::copy(arrays[0].begin(), arrays[0].end(),
              to.begin() + static_cast<std::ptrdiff_t>(planes.index(z) * plane_values));
  };
  loop.read_fields(planes.box().loaded,
                   [&](int z, std::span<const float> drho, std::span<const float> velocity) {
                     planes.add(waiting, z, {drho, velocity}, take);
                   });
}

std::vector<float> Simulation::read(fields::Kind kind, const CellBox& box) {
  const tiling::FieldBox wanted = field_box(box, lbm_case().grid.cells);
  std::vector<float> values(static_cast<std::size_t>(wanted.plane_cells()) * wanted.count[2] *
                            fields::components_of(kind));
  read(kind, box, std::nullopt, values);
  return values;
}

PointValues Simulation::probe(const std::vector<Vec3>& places) {
  TimeLoop& loop = running();
  const Setup& setup = prepared().setup;
  const Case& lbm_case = prepared().lbm_case;
  const Units units = make_units(lbm_case, setup.derived);
  std::map<int, std::vector<Share>> by_plane;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Vec3 place = place_in_box(units, places[i], lbm_case.grid.cells);
    const auto cells = cells_around(lbm_case, setup.boundaries, place);
    if (cells.empty()) {
      throw UsageError(fmt::format(
          "probe: found a place inside a body, [{:.6g}, {:.6g}, {:.6g}], must be in the fluid",
          places[i][0], places[i][1], places[i][2]));
    }
    for (const PointCell& c : cells) by_plane[c.cell[2]].push_back({i, c.cell, c.weight});
  }
  PointValues values{std::vector<double>(places.size()), std::vector<double>(3 * places.size())};
  for (const auto& [z, shares] : by_plane) {
    const tiling::FieldBox box = box_around(z, shares);
    loop.read_fields(box, [&, &shares = shares](int, std::span<const float> drho,
                                                std::span<const float> velocity) {
      for (const Share& share : shares) {
        const auto at = static_cast<std::size_t>(share.cell[1] - box.begin[1]) * box.count[0] +
                        static_cast<std::size_t>(share.cell[0] - box.begin[0]);
        values.pressure[share.point] += share.weight * drho[at];
        for (std::size_t a = 0; a < 3; ++a) {
          values.velocity[3 * share.point + a] += share.weight * velocity[3 * at + a];
        }
      }
    });
  }
  for (double& p : values.pressure) p = from_density_difference(units, p);
  for (double& v : values.velocity) v *= units.velocity;
  return values;
}

}  // namespace lbm::cases
