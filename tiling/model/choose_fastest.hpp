// The fastest schedule out of core, by the model; for tiling/model/choose_schedule.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "tiling/model/schedule_request.hpp"

namespace lbm::tiling {

// Of the steps and planes a visit that the request allows and that fit into device_budget: the
// fastest, or what takes less memory and is as fast to 0.3 %. Empty when nothing fits.
// request.speeds must be there.
std::optional<ScheduleChoice> fastest_choice(
    const Lattice& lattice, const ScheduleRequest& request, std::uint64_t device_budget,
    const std::function<std::uint64_t(const ScheduleOptions&)>& device_bytes);

}  // namespace lbm::tiling
