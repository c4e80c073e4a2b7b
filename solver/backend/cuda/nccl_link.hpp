// SPDX-License-Identifier: Apache-2.0

// Connections between GPUs through NCCL, which is loaded when the first one is made.
#pragma once

#include <memory>
#include <string>

#include "solver/backend/backend.hpp"

namespace lbm::cuda {

// A new name, which both ends give to open_link(). Empty without NCCL: neither nccl.h when this
// program was built nor libnccl.so.2 now.
std::string make_link_name();

// Connects `device` of this process with that of the process that opens the other end of the same
// name. Waits for the other end, for a minute at most. Null where the two cannot be connected.
std::unique_ptr<DeviceLink> open_link(const std::string& name, LinkEnd end, int device);

}  // namespace lbm::cuda
