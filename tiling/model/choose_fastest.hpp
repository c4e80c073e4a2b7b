// SPDX-License-Identifier: Apache-2.0

// The fastest schedule out of core, as the model predicts it; for tiling/model/choose_schedule.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "tiling/model/schedule_request.hpp"

namespace lbm::tiling {

// Steps that a GPU makes in one pass over its memory, 1 or 2: as the request says, or what is
// faster by the device's speeds; short runs do not wait for these to be measured.
int gpu_steps_per_pass(const Lattice& lattice, const ScheduleRequest& request);

// Compares the steps and planes a visit that the request allows and that fit into device_budget.
// Returns the choice with the least memory among those within 0.3 % of the fastest; empty if
// nothing fits. request.speeds must not be empty.
std::optional<ScheduleChoice> fastest_choice(
    const Lattice& lattice, const ScheduleRequest& request, std::uint64_t device_budget,
    const std::function<std::uint64_t(const ScheduleOptions&)>& device_bytes);

}  // namespace lbm::tiling
