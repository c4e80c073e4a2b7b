// SPDX-License-Identifier: Apache-2.0
#include "cases/case/initial/flow_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>

#include "cases/case/limits.hpp"
#include "solver/core/error.hpp"
#include "solver/core/in_parts.hpp"

namespace lbm::cases {
namespace {

// A row of the flow with its share in the row of the case: of values, and of the derivatives along
// y and z.
struct RowShare {
  int y, z;
  double value = 0, along_y = 0, along_z = 0;
};

class RowShares {
 public:
  RowShare& of(int y, int z) {
    const auto found = std::find_if(all_.begin(), all_.end(),
                                    [&](const RowShare& s) { return s.y == y && s.z == z; });
    return found != all_.end() ? *found : all_.emplace_back(RowShare{y, z});
  }
  const std::vector<RowShare>& all() const { return all_; }

 private:
  std::vector<RowShare> all_;
};

// Runs of the marked cells. Short gaps are cheaper than another run, and belong to it.
std::vector<CellRun> runs_of(const std::vector<char>& marked) {
  constexpr int gap = 4;
  std::vector<CellRun> runs;
  const auto n = static_cast<int>(marked.size());
  for (int x = 0; x < n; ++x) {
    if (marked[static_cast<std::size_t>(x)] == 0) continue;
    if (runs.empty() || runs.back().end + gap < x) runs.push_back({x, x});
    runs.back().end = x + 1;
  }
  return runs;
}

class ResampledFlow {
 public:
  ResampledFlow(const Case& lbm_case, std::shared_ptr<const FlowRows> flow);
  // Fills row y of plane z of the case's grid, all members.
  void fill(int y, int z, const StateRow& row) const;

 private:
  // Between the centres of cells `low` and `high` of the flow; weight: of `high`.
  struct Between {
    int low = 0, high = 0;
    double weight = 0;
  };
  // A derivative per cell of the case: the sum of weight x value in cell `at`.
  struct Term {
    int at = 0;
    double weight = 0;
  };
  using Derivative = std::array<Term, 3>;

  struct Axis {
    std::vector<Between> places;          // of each cell of the case
    std::vector<Derivative> derivatives;  // in each cell of the flow
  };
  static Axis make_axis(int from, int to, bool periodic);
  // The cells of the flow along x that the used cells of a row lie between.
  std::vector<CellRun> cells_around(std::span<const CellRun> used) const;
  // These cells, and those of the derivatives in them.
  std::vector<CellRun> with_neighbours(std::span<const CellRun> cells) const;
  void check(int x, int y, int z, const StateRow& row) const;

  std::shared_ptr<const FlowRows> flow_;
  std::array<Axis, 3> axes_;
  std::size_t values_ = 4;  // of a cell: up to the last scalar
  double cell_;
  double max_mach_;
  Vec2 density_range_;
};

ResampledFlow::Axis ResampledFlow::make_axis(int from, int to, bool periodic) {
  Axis axis;
  const auto wrapped = [&](std::int64_t i) { return static_cast<int>((i % from + from) % from); };
  for (int i = 0; i < to; ++i) {
    // The centre of cell i is at place / (2 to) of the flow's cells, counted from their centres.
    const std::int64_t place = (2 * std::int64_t{i} + 1) * from - to, unit = 2 * std::int64_t{to};
    std::int64_t low = place >= 0 ? place / unit : -((-place + unit - 1) / unit);
    if (!periodic) low = std::clamp<std::int64_t>(low, 0, std::max(from - 2, 0));
    const double weight = static_cast<double>(place - low * unit) / static_cast<double>(unit);
    if (from == 1) {
      axis.places.push_back({});
    } else {
      axis.places.push_back({wrapped(low), wrapped(low + 1), weight});
    }
  }
  const double scale = double{1} * from / to;  // cells of the flow per cell of the case
  for (int i = 0; i < from; ++i) {
    Derivative terms{};
    if (from > 1 && (periodic || (i > 0 && i < from - 1))) {
      terms = {Term{wrapped(i - 1), -0.5}, Term{wrapped(i + 1), 0.5}, Term{}};
    } else if (from == 2) {
      terms = {Term{0, -1}, Term{1, 1}, Term{}};
    } else if (from > 2) {
      const int in = i == 0 ? 1 : -1;
      terms = {Term{i, -1.5 * in}, Term{i + in, 2.0 * in}, Term{i + 2 * in, -0.5 * in}};
    }
    for (Term& term : terms) term.weight *= scale;
    axis.derivatives.push_back(terms);
  }
  return axis;
}

ResampledFlow::ResampledFlow(const Case& lbm_case, std::shared_ptr<const FlowRows> flow)
    : flow_(std::move(flow)),
      cell_(cell_size(lbm_case)),
      max_mach_(lbm_case.run.max_mach),
      density_range_(lbm_case.run.density_range) {
  for (std::size_t a = 0; a < 3; ++a) {
    axes_[a] = make_axis(flow_->cells()[a], lbm_case.grid.cells[a], wraps(lbm_case.faces, a));
  }
  for (std::size_t s = 0; s < most_scalars; ++s) {
    if (flow_->has_scalar(s)) values_ = 4 + s + 1;
  }
}

void ResampledFlow::fill(int y, int z, const StateRow& row) const {
  RowShares shares;
  const auto add_corner = [&](int j, int k, double weight) {
    if (weight == 0) return;
    shares.of(j, k).value += weight;
    for (const auto& [at, share] : axes_[1].derivatives[static_cast<std::size_t>(j)]) {
      if (share != 0) shares.of(at, k).along_y += weight * share;
    }
    for (const auto& [at, share] : axes_[2].derivatives[static_cast<std::size_t>(k)]) {
      if (share != 0) shares.of(j, at).along_z += weight * share;
    }
  };
  const Between& rows = axes_[1].places[static_cast<std::size_t>(y)];
  const Between& planes = axes_[2].places[static_cast<std::size_t>(z)];
  add_corner(rows.low, planes.low, (1 - rows.weight) * (1 - planes.weight));
  add_corner(rows.high, planes.low, rows.weight * (1 - planes.weight));
  add_corner(rows.low, planes.high, (1 - rows.weight) * planes.weight);
  add_corner(rows.high, planes.high, rows.weight * planes.weight);

  const std::array all{CellRun{0, static_cast<int>(row.ux.size())}};
  const std::span<const CellRun> used = row.used.empty() ? std::span(all) : row.used;
  const std::vector<CellRun> inner = cells_around(used), outer = with_neighbours(inner);
  // On the cells of the flow along x: a row of it; values, and their derivatives along y and z.
  const auto n = static_cast<std::size_t>(flow_->cells()[0]);
  const auto memory = std::make_unique_for_overwrite<FlowCell[]>(4 * n);
  const auto part = [&](std::size_t i) { return std::span(memory.get() + i * n, n); };
  const std::span read = part(0), values = part(1), dy = part(2), dz = part(3);
  visit_cells(outer, [&](std::size_t x) { values[x] = dy[x] = dz[x] = FlowCell{}; });
  const auto add = [&](double share, std::span<FlowCell> to) {
    if (share == 0) return;
    visit_cells(outer, [=, this](std::size_t x) {
      for (std::size_t c = 0; c < values_; ++c) to[x][c] += share * read[x][c];
    });
  };
  for (const RowShare& share : shares.all()) {
    flow_->read(share.y, share.z, outer, read);
    add(share.value, values);
    add(share.along_y, dy);
    add(share.along_z, dz);
  }
  const auto strains = std::make_unique_for_overwrite<std::array<double, 6>[]>(n);
  visit_cells(inner, [&](std::size_t x) {
    double dx[4]{};
    for (const auto& [at, share] : axes_[0].derivatives[x]) {
      if (share == 0) continue;
      for (std::size_t c = 1; c < 4; ++c) dx[c] += share * values[static_cast<std::size_t>(at)][c];
    }
    strains[x] = {dx[1],
                  dy[x][2],
                  dz[x][3],
                  (dx[2] + dy[x][1]) / 2,
                  (dx[3] + dz[x][1]) / 2,
                  (dy[x][3] + dz[x][2]) / 2};
  });
  visit_cells(used, [&](std::size_t x) {
    const Between& place = axes_[0].places[x];
    const auto low = static_cast<std::size_t>(place.low),
               high = static_cast<std::size_t>(place.high);
    const auto between = [&](const auto& known, std::size_t i) {
      return place.weight == 0 ? known[low][i]
                               : (1 - place.weight) * known[low][i] + place.weight * known[high][i];
    };
    row.drho[x] = between(values, 0);
    row.ux[x] = between(values, 1);
    row.uy[x] = between(values, 2);
    row.uz[x] = between(values, 3);
    for (std::size_t i = 0; i < 6; ++i) row.strain[i][x] = between(strains, i);
    for (std::size_t s = 0; s + 4 < values_; ++s) {
      if (flow_->has_scalar(s)) row.scalars[s][x] = between(values, 4 + s);
    }
    check(static_cast<int>(x), y, z, row);
  });
}

std::vector<CellRun> ResampledFlow::cells_around(std::span<const CellRun> used) const {
  std::vector<char> marked(static_cast<std::size_t>(flow_->cells()[0]));
  visit_cells(used, [&](std::size_t x) {
    const Between& place = axes_[0].places[x];
    marked[static_cast<std::size_t>(place.low)] = marked[static_cast<std::size_t>(place.high)] = 1;
  });
  return runs_of(marked);
}

std::vector<CellRun> ResampledFlow::with_neighbours(std::span<const CellRun> cells) const {
  std::vector<char> marked(static_cast<std::size_t>(flow_->cells()[0]));
  visit_cells(cells, [&](std::size_t x) {
    marked[x] = 1;
    for (const Term& term : axes_[0].derivatives[x]) {
      if (term.weight != 0) marked[static_cast<std::size_t>(term.at)] = 1;
    }
  });
  return runs_of(marked);
}

void ResampledFlow::check(int x, int y, int z, const StateRow& row) const {
  const auto at = static_cast<std::size_t>(x);
  const double u[]{row.ux[at], row.uy[at], row.uz[at]}, density = 1 + row.drho[at];
  const double mach = std::sqrt(3 * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]));
  if (mach <= max_mach_ && density >= density_range_[0] && density <= density_range_[1]) return;
  const std::string place = fmt::format("at x = {:.6g}, y = {:.6g}, z = {:.6g}", (x + 0.5) * cell_,
                                        (y + 0.5) * cell_, (z + 0.5) * cell_);
  if (!std::isfinite(mach)) {
    throw UsageError(fmt::format("{}: its velocity is not finite {}, must be finite everywhere",
                                 flow_->source(), place));
  }
  if (!(mach <= max_mach_)) {
    throw UsageError(
        fmt::format("{}: its velocity has Mach {:.3g} {}, must be at most run.max_mach "
                    "{}: lower fluid.lattice_velocity",
                    flow_->source(), mach, place, max_mach_));
  }
  if (!std::isfinite(density)) {
    throw UsageError(
        fmt::format("{}: its density or pressure is not finite {}, must be finite "
                    "everywhere",
                    flow_->source(), place));
  }
  throw UsageError(
      fmt::format("{}: its density is {:.4g} times the reference density {}, must be within "
                  "run.density_range [{}, {}]: lower fluid.lattice_velocity",
                  flow_->source(), density, place, density_range_[0], density_range_[1]));
}

}  // namespace

InitialState resampled_state(const Case& lbm_case, std::shared_ptr<const FlowRows> flow) {
  const auto resampled = std::make_shared<const ResampledFlow>(lbm_case, std::move(flow));
  const auto fill = [resampled](int y, int z, const StateRow& row) { resampled->fill(y, z, row); };
  return {fill, true};
}

StateRow row_in(std::span<double> values) {
  const std::size_t nx = values.size() / row_values;
  const auto part = [&](std::size_t at) { return values.subspan(at * nx, nx); };
  StateRow row{
      part(0), part(1), part(2), part(3), {part(4), part(5), part(6), part(7), part(8), part(9)}};
  for (std::size_t s = 0; s < most_scalars; ++s) row.scalars[s] = part(10 + s);
  return row;
}

bool check_planes(const InitialState& state, const std::array<int, 3>& cells,
                  const TimeLimit& limit) {
  const auto nx = static_cast<std::size_t>(cells[0]);
  const int ny = cells[1], nz = cells[2];
  const std::int64_t planes =
      std::clamp<std::int64_t>(most_cells_checked / (std::int64_t{cells[0]} * ny), 1, nz);
  FirstError error;
  std::atomic<bool> in_time{true};
#pragma omp parallel
  {
    std::vector<double> values(row_values * nx);
    const StateRow row = row_in(values);
    // Plane after plane, as files are read.
#pragma omp for schedule(dynamic)
    for (std::int64_t i = 0; i < planes * ny; ++i) {
      if (limit.reached()) in_time = false;
      if (!in_time || error.found()) continue;
      const auto z = static_cast<int>(planes == 1 ? 0 : (nz - 1) * (i / ny) / (planes - 1));
      error.guard([&] { state(static_cast<int>(i % ny), z, row); });
    }
  }
  error.rethrow();
  return in_time;
}

}  // namespace lbm::cases
