// Chooses a schedule for a lattice, a device and its memory. The same arithmetic serves the run,
// the checks before it, and what the user is told.
#pragma once

#include <cstdint>

#include "tiling/model/schedule_request.hpp"

namespace lbm::tiling {

// In-core where it fits into device_budget bytes, otherwise the wavefront with the steps and planes
// a visit that the model says are the fastest of those that fit. Throws ResourceError when nothing
// that the request allows does.
ScheduleChoice choose_schedule(const Lattice& lattice, const Boundaries& boundaries,
                               const ScheduleRequest& request, std::uint64_t device_budget);

// Bytes that the smallest schedule takes that the request allows.
std::uint64_t least_device_bytes(const Lattice& lattice, const Boundaries& boundaries,
                                 const ScheduleRequest& request);

}  // namespace lbm::tiling
