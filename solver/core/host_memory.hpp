// SPDX-License-Identifier: Apache-2.0

// Large host memory: mapped, in huge pages where the system has them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "solver/core/buffer.hpp"

namespace lbm {

// Zeroed memory of at least `bytes`, 2 MiB aligned. Pages are placed at first touch. Throws
// ResourceError where the system refuses; the message names `purpose`.
Buffer map_host_memory(std::size_t bytes, const std::string& purpose);

// Touches every page of untouched memory, on all threads, to place it.
void touch_host_memory(std::byte* data, std::size_t bytes);

// Total and available memory in bytes, on NUMA nodes with CPUs: the smaller of the limits of the
// machine and of the control group (solver/machine/machine_memory.hpp). Virtual machines may grow
// beyond the total that they report.
std::uint64_t host_memory_total();
std::uint64_t host_memory_available();

}  // namespace lbm
