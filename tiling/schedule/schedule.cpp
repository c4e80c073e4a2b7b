// SPDX-License-Identifier: Apache-2.0
#include "tiling/schedule/schedule.hpp"

#include <algorithm>

namespace lbm::tiling {

int least_slab_planes(const ScheduleOptions& options) {
  const int k = options.steps_per_visit, b = options.planes_per_visit;
  // The first visit of a slab must not need planes that the slab above sends in its first visit.
  return options.scheme == Scheme::halo ? b + 2 * k : std::max(b, 2);
}

int next_sweep_steps(long long steps, int most, int together) {
  if (steps <= 0) return 0;
  const long long sweeps = (steps + most - 1) / most, even = (steps + sweeps - 1) / sweeps;
  const long long whole = (even + together - 1) / together * together;
  return static_cast<int>(whole <= std::min<long long>(most, steps) ? whole : even);
}

}  // namespace lbm::tiling
