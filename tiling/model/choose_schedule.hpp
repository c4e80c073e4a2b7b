// SPDX-License-Identifier: Apache-2.0

// Chooses a schedule for a lattice, a device and its memory: for runs, for the checks before them,
// and for `lbm plan`.
#pragma once

#include <cstdint>

#include "tiling/model/schedule_request.hpp"

namespace lbm::tiling {

// In core if the lattice fits into device_budget bytes; otherwise temporal blocking by the
// wavefront, with the steps and planes a visit that the model predicts to be the fastest of those
// that fit. On an integrated GPU always in core. Throws ResourceError if no schedule that the
// request allows fits.
ScheduleChoice choose_schedule(const Lattice& lattice, const Boundaries& boundaries,
                               const ScheduleRequest& request, std::uint64_t device_budget);

// The device memory of the smallest schedule that the request allows.
std::uint64_t least_device_bytes(const Lattice& lattice, const Boundaries& boundaries,
                                 const ScheduleRequest& request);

}  // namespace lbm::tiling
