// SPDX-License-Identifier: Apache-2.0
#include "cases/run/flow_rate_correction.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <string>

#include "solver/lattice/initial_state.hpp"
#include "solver/lattice/macro_fields.hpp"

namespace lbm::cases {
namespace {

// Waves shorter than two parts relax 1000 times faster than the longest one.
constexpr std::size_t most_parts = 64;
constexpr std::size_t least_layers = 8;  // of a part
// Limits (g - dp/dx) / g to 0 ... 10: mean pressures jump where pores open and end. The next
// correction makes up for a drive that is too small.
constexpr double largest_drive = 10;

struct Part {
  std::size_t begin = 0, end = 0;
  double flow_rate = 0, gradient = 0;  // of the pressure
  double layers() const { return static_cast<double>(end - begin); }
  double drive(double acceleration) const {
    return acceleration * std::clamp(1 - gradient / acceleration, 0.0, largest_drive);
  }
};

std::vector<Part> make_parts(std::span<const LayerSums> layers) {
  const std::size_t n = layers.size();
  std::vector<Part> parts(std::clamp<std::size_t>(n / least_layers, 1, most_parts));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Part& part = parts[i];
    part.begin = i * n / parts.size();
    part.end = (i + 1) * n / parts.size();
    // The gradient by least squares, with the number of cells of a layer as its weight.
    double cells = 0, x = 0, xx = 0, drho = 0, x_drho = 0;
    for (std::size_t at = part.begin; at < part.end; ++at) {
      const LayerSums& layer = layers[at];
      const double place = static_cast<double>(at - part.begin);
      part.flow_rate += layer.velocity / part.layers();
      cells += layer.cells;
      x += layer.cells * place;
      xx += layer.cells * place * place;
      drho += layer.drho;
      x_drho += layer.drho * place;
    }
    const double spread = cells * xx - x * x;
    if (spread > 0) part.gradient = (cells * x_drho - x * drho) / spread / 3;
  }
  return parts;
}

std::size_t axis_of(const Case& lbm_case) {
  std::size_t axis = 0;
  while ((*lbm_case.force.acceleration)[axis] == 0) ++axis;
  return axis;
}

// Integers: the sums do not depend on the number of threads or ranks. Units: the reference
// velocity, and a density difference as large, over fixed_scale.
struct FixedSums {
  std::int64_t velocity = 0, drho = 0, cells = 0;

  void operator+=(const FixedSums& other) {
    velocity += other.velocity;
    drho += other.drho;
    cells += other.cells;
  }
};
constexpr double fixed_scale = std::int64_t{1} << 30;

// Sums over the planes that this process has.
std::vector<FixedSums> sum_own_layers(const PreparedRun& run, std::size_t axis, std::int64_t step,
                                      tiling::Pipeline& pipeline) {
  const auto& cells = run.lbm_case.grid.cells;
  const BoundaryView view = run.setup.boundaries.view();
  std::vector<FixedSums> layers(static_cast<std::size_t>(cells[axis]));
  // Sums over lines of a plane: of equal x for flow along x, else of equal y.
  const std::size_t line_axis = axis == 0 ? 0 : 1;
  std::vector<FixedSums> lines(static_cast<std::size_t>(cells[line_axis]));
  const int across = cells[1 - line_axis];
  const double scale = fixed_scale / run.setup.derived.velocity;
  pipeline.read_fields(step, tiling::whole_box(run.setup.lattice),
                       [&](int z, const FieldPlane& plane) {
#pragma omp parallel for schedule(static)
                         for (int i = 0; i < cells[line_axis]; ++i) {
                           double velocity = 0, drho = 0;
                           std::int64_t count = 0;
                           for (int j = 0; j < across; ++j) {
                             const int x = line_axis == 0 ? i : j, y = line_axis == 0 ? j : i;
                             if (view.is_solid(x, y, z)) continue;
                             const auto cell = plane.at(static_cast<std::size_t>(y) * cells[0] + x);
                             velocity += cell[first_value_of(Macro::velocity) + axis];
                             drho += cell[first_value_of(Macro::density)];
                             ++count;
                           }
                           lines[static_cast<std::size_t>(i)] = {std::llround(velocity * scale),
                                                                 std::llround(drho * scale), count};
                         }
                         for (std::size_t i = 0; i < lines.size(); ++i) {
                           layers[axis == 2 ? static_cast<std::size_t>(z) : i] += lines[i];
                         }
                       });
  return layers;
}

std::vector<LayerSums> sum_layers(const PreparedRun& run, std::size_t axis, std::int64_t step,
                                  tiling::Pipeline& pipeline) {
  std::vector<FixedSums> sums = sum_own_layers(run, axis, step, pipeline);
  if (run.ranks != nullptr) {
    const std::size_t bytes = sums.size() * sizeof(FixedSums);
    const auto all =
        run.ranks->allgather(std::string(reinterpret_cast<const char*>(sums.data()), bytes));
    std::fill(sums.begin(), sums.end(), FixedSums{});
    for (const std::string& text : all) {
      std::vector<FixedSums> of_rank(sums.size());
      std::memcpy(of_rank.data(), text.data(), bytes);
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += of_rank[i];
    }
  }
  std::vector<LayerSums> layers;
  layers.reserve(sums.size());
  const double unit = run.setup.derived.velocity / fixed_scale;
  for (const FixedSums& s : sums) {
    layers.push_back({unit * static_cast<double>(s.velocity), unit * static_cast<double>(s.drho),
                      static_cast<double>(s.cells)});
  }
  return layers;
}

}  // namespace

FlowRateCorrection flow_rate_correction(std::span<const LayerSums> layers, double acceleration) {
  FlowRateCorrection correction;
  double low = layers[0].velocity, high = low, mean = 0;
  for (const LayerSums& layer : layers) {
    low = std::min(low, layer.velocity);
    high = std::max(high, layer.velocity);
    mean += layer.velocity / static_cast<double>(layers.size());
  }
  if (high > low) correction.spread = (high - low) / std::abs(mean);

  const std::vector<Part> parts = make_parts(layers);
  double drives = 0, resistances = 0;  // sums over the layers
  for (const Part& part : parts) {
    if (!(part.flow_rate * acceleration > 0)) return correction;
    drives += part.drive(acceleration) * part.layers();
    resistances += part.drive(acceleration) / part.flow_rate * part.layers();
  }
  if (resistances == 0) return correction;
  const double flow_rate = drives / resistances;  // of all parts after the correction
  correction.drho.resize(layers.size());
  double at_begin = 0, mass = 0, cells = 0;
  for (const Part& part : parts) {
    const double slope = 3 * part.drive(acceleration) * (1 - flow_rate / part.flow_rate);
    for (std::size_t at = part.begin; at < part.end; ++at) {
      correction.drho[at] = at_begin + slope * (static_cast<double>(at - part.begin) + 0.5);
      mass += correction.drho[at] * layers[at].cells;
      cells += layers[at].cells;
    }
    at_begin += slope * part.layers();
  }
  for (double& drho : correction.drho) drho -= mass / cells;
  return correction;
}

FlowRateCorrection correct_flow_rates(const PreparedRun& run, std::int64_t step,
                                      tiling::Pipeline& pipeline) {
  const std::size_t axis = axis_of(run.lbm_case);
  FlowRateCorrection correction = flow_rate_correction(
      sum_layers(run, axis, step, pipeline), run.setup.lattice.collision.force.mean[axis]);
  if (correction.drho.empty()) return correction;
  const auto change = [&](int y, int z, const StateRow& row) {
    const std::array<int, 2> at{y, z};
    for (std::size_t x = 0; x < row.drho.size(); ++x) {
      row.drho[x] = correction.drho[axis == 0 ? x : static_cast<std::size_t>(at[axis - 1])];
    }
  };
  const BoundaryView view = run.setup.boundaries.view();
  const Lattice& lattice = run.setup.lattice;
  pipeline.change_planes([&](int z, std::byte* plane) {
    if (!lattice.layout.fluid_only) return add_to_plane(lattice, change, z, plane);
    const FluidPlane fluid = view.fluid_plane(z);
    add_to_plane(lattice, change, z, plane, &fluid);
  });
  return correction;
}

}  // namespace lbm::cases
