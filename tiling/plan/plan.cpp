#include "tiling/plan/plan.hpp"

#include <algorithm>
#include <stdexcept>

#include "tiling/plan/halo.hpp"
#include "tiling/plan/wavefront.hpp"

namespace lbm::tiling {
namespace {

void check(const Grid& grid, const PlanOptions& options) {
  if (grid.nz < 1) throw std::invalid_argument("plan: nz must be at least 1");
  if (options.steps_per_visit < 1) throw std::invalid_argument("plan: k must be at least 1");
  if (options.planes_per_visit < 1 || options.planes_per_visit > max_planes_per_visit) {
    throw std::invalid_argument("plan: B must be 1 to 64");
  }
  if (grid.is_slab() &&
      (grid.slab_planes < least_slab_planes(options) || grid.slab_planes > grid.nz - 2 ||
       grid.slab_first < 0 || grid.slab_first >= grid.nz)) {
    throw std::invalid_argument("plan: no such slab");
  }
  if (options.updates_together < 1) throw std::invalid_argument("plan: no updates together");
}

}  // namespace

int least_slab_planes(const PlanOptions& options) {
  const int k = options.steps_per_visit, b = options.planes_per_visit;
  // The first visit must not need what the slab above sends in its own first visit.
  return options.scheme == Scheme::halo ? b + 2 * k : std::max(b, 2);
}

int slots_needed(const Grid& grid, const PlanOptions& options) {
  check(grid, options);
  const int k = options.steps_per_visit, b = options.planes_per_visit;
  if (options.scheme == Scheme::halo) return HaloPlanner::slots_needed(grid, k, b);
  return WavefrontPlanner::slots_needed(grid, options);
}

std::unique_ptr<Planner> make_planner(const Grid& grid, const PlanOptions& options) {
  check(grid, options);
  const int k = options.steps_per_visit, b = options.planes_per_visit;
  if (options.scheme == Scheme::halo) return std::make_unique<HaloPlanner>(grid, k, b);
  return std::make_unique<WavefrontPlanner>(grid, options);
}

int next_sweep_steps(long long steps, int most) {
  if (steps <= 0) return 0;
  const long long sweeps = (steps + most - 1) / most;
  return static_cast<int>((steps + sweeps - 1) / sweeps);
}

}  // namespace lbm::tiling
