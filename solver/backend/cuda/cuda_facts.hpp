// SPDX-License-Identifier: Apache-2.0

// Asks CUDA and the system about a GPU.
#pragma once

#include <cstddef>

#include "solver/backend/device_facts.hpp"

namespace lbm::cuda {

// Throws std::runtime_error where there is no such device.
DeviceFacts device_facts(int device);
// Bytes of shared memory that one block can have.
std::size_t shared_bytes_of_block(int device);

}  // namespace lbm::cuda
