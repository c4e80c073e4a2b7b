// SPDX-License-Identifier: Apache-2.0

// What the devices of a run's processes can do while all of them are at work.
#pragma once

#include "cases/case/case.hpp"
#include "solver/backend/speeds.hpp"
#include "tiling/exchange/ranks.hpp"

namespace lbm::cases {

// Whether the choice of a schedule for slabs of so many planes asks for speeds.
bool schedule_needs_speeds(const Case& own, const Backend& backend, int planes);

// Of this process's device. GPUs of a host share its memory: their links are measured at the same
// time, the rest as by speeds_of(). CPU backends share it for all they do, and measure all at the
// same time. All processes must call it; what does not fit is left 0, and nothing is thrown.
DeviceSpeeds speeds_together(Backend& backend, tiling::Ranks& ranks);

}  // namespace lbm::cases
