// Makes the scheduler of a scheme.
#pragma once

#include <memory>

#include "tiling/schedule/schedule.hpp"

namespace lbm::tiling {

// Slots that a scheduler will promise, without making one.
int slots_needed(const PlaneGrid& grid, const ScheduleOptions& options);

// Throws std::invalid_argument for nz < 1, k < 1, B outside 1 ... max_planes_per_visit, slabs of
// fewer than least_slab_planes() planes and those that leave fewer than two to others.
std::unique_ptr<Scheduler> make_scheduler(const PlaneGrid& grid, const ScheduleOptions& options);

}  // namespace lbm::tiling
