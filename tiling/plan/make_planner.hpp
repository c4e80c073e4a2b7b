// Makes the planner of a scheme.
#pragma once

#include <memory>

#include "tiling/plan/plan.hpp"

namespace lbm::tiling {

// Slots that a planner will promise, without making one.
int slots_needed(const Grid& grid, const PlanOptions& options);

// Throws std::invalid_argument for nz < 1, k < 1, B outside 1 ... max_planes_per_visit, slabs of
// fewer than least_slab_planes() planes and those that leave fewer than two to others.
std::unique_ptr<Planner> make_planner(const Grid& grid, const PlanOptions& options);

}  // namespace lbm::tiling
