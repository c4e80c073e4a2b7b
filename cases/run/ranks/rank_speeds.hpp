// SPDX-License-Identifier: Apache-2.0

// The speeds of the devices of all processes while all devices are at work.
#pragma once

#include "cases/case/case.hpp"
#include "solver/backend/speeds.hpp"
#include "tiling/exchange/ranks.hpp"

namespace lbm::cases {

// True if choosing a schedule for slabs of `planes` planes requires the speeds of the device.
bool schedule_needs_speeds(const Case& own, const Backend& backend, int planes);

// Speeds of this process's device. GPUs of a host share the host's memory: their links are measured
// at the same time, their other speeds as by speeds_of(). CPU backends use this memory for all
// their work, and measure all speeds at the same time. All processes must call it. A speed whose
// measurement does not fit in memory stays 0, and nothing is thrown.
DeviceSpeeds speeds_together(Backend& backend, tiling::Ranks& ranks);

}  // namespace lbm::cases
