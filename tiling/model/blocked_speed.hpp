// SPDX-License-Identifier: Apache-2.0

// The speed of a device that makes two steps in one pass over its memory: the caches of a CPU or
// the chip of a GPU carry planes from step to step.
#pragma once

#include <cstddef>

#include "solver/backend/speeds.hpp"

namespace lbm::tiling {

// The schedule that DeviceSpeeds::Update::blocked_bytes_per_second is measured with.
inline constexpr int blocked_steps = 2;
constexpr int blocked_planes(bool gpu) { return gpu ? 32 : 8; }

// Measures blocked_bytes_per_second of all storage types, in a few seconds. It stays 0 for a
// storage type whose test lattice does not fit into `budget` bytes.
void measure_blocked(Backend& backend, std::size_t budget, DeviceSpeeds& speeds);

}  // namespace lbm::tiling
