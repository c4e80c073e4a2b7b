// Chooses a schedule for a lattice, a device and its memory. The same arithmetic serves the run,
// the checks before it, and what the user is told.
#pragma once

#include <cstdint>

#include "tiling/model/plan_request.hpp"

namespace lbm::tiling {

// In-core where it fits into device_budget bytes, otherwise the wavefront with the steps and planes
// a visit that the model says are the fastest of those that fit. Throws ResourceError when nothing
// that the request allows does.
PlanChoice choose_plan(const Lattice& lattice, const Boundaries& boundaries,
                       const PlanRequest& request, std::uint64_t device_budget);

// Bytes that the smallest schedule takes that the request allows.
std::uint64_t least_device_bytes(const Lattice& lattice, const Boundaries& boundaries,
                                 const PlanRequest& request);

}  // namespace lbm::tiling
