// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cases/cli/scale/scale.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

void check(const char* option, const std::vector<int>& numbers, int least) {
  for (const int number : numbers) {
    if (number >= least) continue;
    throw UsageError(fmt::format("{}: found {}, must be at least {}", option, number, least));
  }
}

double per_process(const ScaleRow& row, double mlups) { return mlups / row.point.processes; }

}  // namespace

std::vector<int> usual_processes(int devices) {
  std::vector<int> processes{1, 2};
  while (2 * processes.back() <= devices) processes.push_back(2 * processes.back());
  return processes;
}

std::vector<ScalePoint> scale_points(const ScaleOptions& options, int nz) {
  check("--processes", options.processes, 1);
  check("--planes", options.planes, 2);
  const std::set<int> processes(options.processes.begin(), options.processes.end());
  std::set<int> planes(options.planes.begin(), options.planes.end());
  if (planes.empty()) planes.insert(nz);
  std::vector<ScalePoint> points;
  const auto add = [&](Scaling scaling) {
    for (const int n : planes) {
      for (const int p : processes) points.push_back({scaling, p, n});
    }
  };
  const bool both = options.weak == options.strong;
  if (both || options.weak) add(Scaling::weak);
  if (both || options.strong) add(Scaling::strong);
  return points;
}

void add_efficiency(std::vector<ScaleRow>& rows) {
  ScaleRow& row = rows.back();
  const auto base = std::find_if(rows.begin(), rows.end(), [&](const ScaleRow& other) {
    return other.failure.empty() && other.point.scaling == row.point.scaling &&
           other.point.planes == row.point.planes;
  });
  if (!row.failure.empty() || base == rows.end() || base->mlups <= 0) return;
  row.efficiency = per_process(row, row.mlups) / per_process(*base, base->mlups);
  if (!row.predicted_mlups || !base->predicted_mlups) return;
  row.predicted_efficiency =
      per_process(row, *row.predicted_mlups) / per_process(*base, *base->predicted_mlups);
}

}  // namespace lbm::cases
