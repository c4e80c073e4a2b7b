// SPDX-License-Identifier: Apache-2.0

// Schedules that suit a CPU, for tiling/model/choose_schedule.cpp.
#pragma once

#include <vector>

#include "tiling/model/schedule_request.hpp"

namespace lbm::tiling {

// In core, best first. Members that the request fixes are kept.
std::vector<ScheduleOptions> cpu_in_core_options(const Lattice& lattice,
                                                 const ScheduleRequest& request);

// Planes per visit for one step a visit: as few as give every thread some rows. A launch then
// writes to slots that it has just read, and the cache saves a third of the memory traffic.
int cpu_planes_for_threads(const Lattice& lattice, int threads);

}  // namespace lbm::tiling
