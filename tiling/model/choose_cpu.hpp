// Schedules that suit a CPU, for tiling/model/choose_schedule.cpp.
#pragma once

#include <vector>

#include "tiling/model/schedule_request.hpp"

namespace lbm::tiling {

// In core, best first. What the request fixes is kept.
std::vector<ScheduleOptions> cpu_in_core_options(const Lattice& lattice,
                                                 const ScheduleRequest& request);

// Planes per visit for one step a visit: as few as give every thread some rows. Then the planes
// that a launch writes go where it has just read, and the cache spares the memory a third of the
// traffic.
int cpu_planes_for_threads(const Lattice& lattice, int threads);

}  // namespace lbm::tiling
