// SPDX-License-Identifier: Apache-2.0

// Kinds of host memory for the lattice of a run out of core (host.memory of the case).
#pragma once

#include "solver/core/enum_names.hpp"

namespace lbm {

enum class HostMemory {
  pinned,   // page-locked: asynchronous copies by the copy engines
  managed,  // CUDA managed memory: pages move by prefetch
  system,   // plain memory that kernels of the device read and write themselves
};

constexpr auto enum_names(HostMemory) { return std::array{"pinned", "managed", "system"}; }

}  // namespace lbm
