#include "tiling/plan/make_planner.hpp"

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

}  // namespace lbm::tiling
