// SPDX-License-Identifier: Apache-2.0

// Large host memory: mapped, in huge pages where the system has them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "solver/core/buffer.hpp"
#include "solver/machine/machine_facts.hpp"

namespace lbm {

// Alignment in bytes of memory of this size: 2 MiB, or the system's larger huge page (512 MiB with
// pages of 64 KiB) if the memory holds eight of them.
std::size_t host_memory_alignment(std::size_t bytes,
                                  const SystemFiles& files = SystemFiles::here());

// Zeroed memory of `bytes`, aligned as host_memory_alignment() says. Pages are placed at first
// touch. Throws ResourceError if the system refuses; the message names `purpose`.
Buffer map_host_memory(std::size_t bytes, const std::string& purpose);

// Writes a zero byte into every page, with all OpenMP threads, to place untouched memory.
void touch_host_memory(std::byte* data, std::size_t bytes);

// Total and available memory in bytes, on NUMA nodes with CPUs: the smaller of the limits of the
// machine and of the control group (solver/machine/numa_nodes.hpp). Virtual machines may grow
// beyond the total that they report.
std::uint64_t host_memory_total();
std::uint64_t host_memory_available();

}  // namespace lbm
