// SPDX-License-Identifier: Apache-2.0

// Device memory that several processes use (CUDA inter-process communication).
#pragma once

#include "solver/backend/backend.hpp"

namespace lbm::cuda {

// See Backend. On the current device.
std::optional<ShareableBuffer> allocate_shareable(std::size_t bytes);
std::optional<Buffer> open_shareable(const std::string& name, std::size_t bytes);

}  // namespace lbm::cuda
