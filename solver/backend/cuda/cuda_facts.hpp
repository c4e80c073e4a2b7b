// Asks CUDA and the system about a GPU.
#pragma once

#include "solver/backend/device_facts.hpp"

namespace lbm::cuda {

// Throws std::runtime_error where there is no such device.
DeviceFacts device_facts(int device);

}  // namespace lbm::cuda
