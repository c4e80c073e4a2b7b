// SPDX-License-Identifier: Apache-2.0

// The speeds of the devices of all processes while all devices are at work.
#pragma once

#include "cases/case/case.hpp"
#include "solver/backend/speeds.hpp"
#include "tiling/exchange/ranks.hpp"

namespace lbm::cases {

// True if choosing a schedule for slabs of `planes` planes requires the speeds of the device.
bool schedule_needs_speeds(const Case& own, const Backend& backend, int planes);

// Speeds of this process's device; collective. GPUs of a host share its memory, so all ranks
// measure their links at the same time, and the other speeds as by speeds_of(). CPU backends share
// it for all work and measure all speeds at the same time. A speed whose measurement does not fit
// in memory stays 0; nothing is thrown.
DeviceSpeeds speeds_together(Backend& backend, tiling::Ranks& ranks);

}  // namespace lbm::cases
