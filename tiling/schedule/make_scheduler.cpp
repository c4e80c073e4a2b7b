// SPDX-License-Identifier: Apache-2.0
#include "tiling/schedule/schedule.hpp"

#include <algorithm>
#include <stdexcept>

#include "tiling/schedule/halo.hpp"
#include "tiling/schedule/wavefront.hpp"

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

namespace {

void check(const PlaneGrid& grid, const ScheduleOptions& options) {
  if (grid.nz < 1) throw std::invalid_argument("schedule: nz must be at least 1");
  if (options.steps_per_visit < 1) throw std::invalid_argument("schedule: k must be at least 1");
  if (options.planes_per_visit < 1 || options.planes_per_visit > max_planes_per_visit) {
    throw std::invalid_argument("schedule: B must be 1 to 64");
  }
  if (grid.is_slab() &&
      (grid.slab_planes < least_slab_planes(options) || grid.slab_planes > grid.nz - 2 ||
       grid.slab_first < 0 || grid.slab_first >= grid.nz)) {
    throw std::invalid_argument("schedule: no such slab");
  }
  if (options.updates_together < 1)
    throw std::invalid_argument("schedule: updates_together must be at least 1");
}

}  // namespace

int slots_needed(const PlaneGrid& grid, const ScheduleOptions& options) {
  check(grid, options);
  const int k = options.steps_per_visit, b = options.planes_per_visit;
  if (options.scheme == Scheme::halo) return HaloScheduler::slots_needed(grid, k, b);
  return WavefrontScheduler::slots_needed(grid, options);
}

int planes_in_use(const PlaneGrid& grid, const ScheduleOptions& options) {
  check(grid, options);
  if (!grid.is_slab()) return grid.nz;
  const int k = options.steps_per_visit;
  // The last level is made k planes behind the first one, and the next sweep may begin k planes
  // ahead. A slab moves up by k planes; haloed tiles reach k planes beyond both of its ends.
  // Updates read the planes beside their own.
  const int of_visits = 2 * k + load_lag * options.planes_per_visit + 2;
  const int of_sweep = grid.slab_planes + (options.scheme == Scheme::halo ? 2 * k : k) + 2;
  return std::min(std::max(of_visits, of_sweep), grid.nz);
}

std::unique_ptr<Scheduler> make_scheduler(const PlaneGrid& grid, const ScheduleOptions& options) {
  check(grid, options);
  const int k = options.steps_per_visit, b = options.planes_per_visit;
  if (options.scheme == Scheme::halo) return std::make_unique<HaloScheduler>(grid, k, b);
  return std::make_unique<WavefrontScheduler>(grid, options);
}

}  // namespace lbm::tiling
