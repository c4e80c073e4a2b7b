// How fast a CPU is where its caches carry planes from step to step.
#pragma once

#include <cstddef>

#include "solver/backend/speeds.hpp"

namespace lbm::tiling {

// The schedule that DeviceSpeeds::Update::blocked_bytes_per_second is measured with.
inline constexpr int blocked_steps = 2, blocked_planes = 8;

// Measures blocked_bytes_per_second of all storages, a few seconds in all; leaves what does not fit
// into `budget` bytes 0.
void measure_blocked(Backend& backend, std::size_t budget, DeviceSpeeds& speeds);

}  // namespace lbm::tiling
