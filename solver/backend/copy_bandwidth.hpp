// SPDX-License-Identifier: Apache-2.0

// The memory bandwidth of a device: the yardstick for the update.
#pragma once

#include "solver/backend/backend.hpp"

namespace lbm {

// Bytes read plus bytes written per second by a plain copy inside the device's memory, the best of
// a few runs. Takes up to 2 GiB on a GPU and 128 MiB on a CPU for some milliseconds; returns 0 if
// too little memory is free or allowed.
double measure_copy_bandwidth(Backend& backend);

}  // namespace lbm
