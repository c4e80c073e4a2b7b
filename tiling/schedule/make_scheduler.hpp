// SPDX-License-Identifier: Apache-2.0

// Makes the scheduler of a scheme.
#pragma once

#include <memory>

#include "tiling/schedule/schedule.hpp"

namespace lbm::tiling {

// The slots that a scheduler would promise.
int slots_needed(const PlaneGrid& grid, const ScheduleOptions& options);

// The planes that the updates of a slab read, in any load_lag visits in a row and in any sweep, lie
// within so many consecutive planes (modulo nz). All planes where one process has them.
int planes_in_use(const PlaneGrid& grid, const ScheduleOptions& options);

// Throws std::invalid_argument for nz < 1, k < 1, B outside 1 ... max_planes_per_visit, a slab of
// fewer than least_slab_planes() planes, and a slab that leaves fewer than two planes to others.
std::unique_ptr<Scheduler> make_scheduler(const PlaneGrid& grid, const ScheduleOptions& options);

}  // namespace lbm::tiling
