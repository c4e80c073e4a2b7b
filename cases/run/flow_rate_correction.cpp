// SPDX-License-Identifier: Apache-2.0
#include "cases/run/flow_rate_correction.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "solver/lattice/initial_state.hpp"
#include "solver/lattice/macro_fields.hpp"

namespace lbm::cases {
namespace {

// Shorter waves of pressure relax by themselves in a thousandth of the time of the longest one.
constexpr std::size_t most_parts = 64;
constexpr std::size_t least_layers = 8;  // of a part
// Limits of g - dp/dx over g: the mean pressure jumps where pores open and end.
constexpr double least_drive = 0.1, largest_drive = 10;

struct Part {
  std::size_t begin = 0, end = 0;
  double flow_rate = 0, drho = 0, drive = 0;
  double layers() const { return static_cast<double>(end - begin); }
  double centre() const { return static_cast<double>(begin + end) / 2; }
};

std::vector<Part> make_parts(std::span<const LayerSums> layers) {
  const std::size_t n = layers.size();
  std::vector<Part> parts(std::clamp<std::size_t>(n / least_layers, 1, most_parts));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Part& part = parts[i];
    part.begin = i * n / parts.size();
    part.end = (i + 1) * n / parts.size();
    double cells = 0;
    for (std::size_t at = part.begin; at < part.end; ++at) {
      part.flow_rate += layers[at].velocity / part.layers();
      part.drho += layers[at].drho;
      cells += layers[at].cells;
    }
    part.drho /= std::max(1.0, cells);
  }
  return parts;
}

std::size_t axis_of(const Case& lbm_case) {
  std::size_t axis = 0;
  while ((*lbm_case.force.acceleration)[axis] == 0) ++axis;
  return axis;
}

// The sums do not depend on the number of threads.
std::vector<LayerSums> sum_layers(const PreparedRun& run, std::size_t axis, std::int64_t step,
                                  tiling::Pipeline& pipeline) {
  const auto& cells = run.lbm_case.grid.cells;
  const BoundaryView view = run.setup.boundaries.view();
  std::vector<LayerSums> layers(static_cast<std::size_t>(cells[axis]));
  // Sums of the cells of a plane with the same x for flow along x, else with the same y.
  const std::size_t line_axis = axis == 0 ? 0 : 1;
  std::vector<LayerSums> lines(static_cast<std::size_t>(cells[line_axis]));
  const int across = cells[1 - line_axis];
  pipeline.read_fields(step, tiling::whole_box(run.setup.lattice),
                       [&](int z, const FieldPlane& plane) {
#pragma omp parallel for schedule(static)
                         for (int i = 0; i < cells[line_axis]; ++i) {
                           LayerSums sums;
                           for (int j = 0; j < across; ++j) {
                             const int x = line_axis == 0 ? i : j, y = line_axis == 0 ? j : i;
                             if (view.is_solid(x, y, z)) continue;
                             const auto cell = plane.at(static_cast<std::size_t>(y) * cells[0] + x);
                             sums.drho += cell[first_value_of(Macro::density)];
                             sums.velocity += cell[first_value_of(Macro::velocity) + axis];
                             ++sums.cells;
                           }
                           lines[static_cast<std::size_t>(i)] = sums;
                         }
                         for (std::size_t i = 0; i < lines.size(); ++i) {
                           LayerSums& layer = layers[axis == 2 ? static_cast<std::size_t>(z) : i];
                           layer.velocity += lines[i].velocity;
                           layer.drho += lines[i].drho;
                           layer.cells += lines[i].cells;
                         }
                       });
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
  correction.spread = (high - low) / std::abs(mean);

  std::vector<Part> parts = make_parts(layers);
  double drives = 0, resistances = 0;  // sums over the layers
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Part& part = parts[i];
    const Part& before = parts[(i + parts.size() - 1) % parts.size()];
    const Part& next = parts[(i + 1) % parts.size()];
    const auto n = static_cast<double>(layers.size());
    const double distance =
        next.centre() - before.centre() + (i == 0 ? n : 0) + (i + 1 == parts.size() ? n : 0);
    const double gradient = (next.drho - before.drho) / (3 * distance);
    part.drive = acceleration * std::clamp(1 - gradient / acceleration, least_drive, largest_drive);
    if (!(part.flow_rate * acceleration > 0)) return correction;
    drives += part.drive * part.layers();
    resistances += part.drive / part.flow_rate * part.layers();
  }
  const double flow_rate = drives / resistances;  // of all parts after the correction
  correction.drho.resize(layers.size());
  double at_begin = 0, mass = 0, cells = 0;
  for (const Part& part : parts) {
    const double slope = 3 * part.drive * (1 - flow_rate / part.flow_rate);
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
