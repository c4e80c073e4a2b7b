// What the memory of a device can do: the yardstick for the update.
#pragma once

#include "solver/backend/backend.hpp"

namespace lbm {

// Bytes read plus bytes written per second by a plain copy inside the device's memory, best of a
// few. Takes up to 2 GiB of it for some milliseconds; 0 where there is not that much.
double measure_copy_bandwidth(Backend& backend);

}  // namespace lbm
