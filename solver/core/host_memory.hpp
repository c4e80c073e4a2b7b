// SPDX-License-Identifier: Apache-2.0

// Large host memory: mapped, in huge pages where the system has them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "solver/core/buffer.hpp"
#include "solver/machine/system_files.hpp"

namespace lbm {

// To what memory of that size is aligned: to huge pages, 2 MiB or, for eight of them and more, what
// the system has (512 MiB where its pages are 64 KiB).
std::size_t host_memory_alignment(std::size_t bytes,
                                  const SystemFiles& files = SystemFiles::here());

// Zeroed memory of at least `bytes`, aligned as host_memory_alignment() says. Pages are placed at
// first touch. Throws ResourceError where the system refuses; the message names `purpose`.
Buffer map_host_memory(std::size_t bytes, const std::string& purpose);

// Touches every page of untouched memory, on all threads, to place it.
void touch_host_memory(std::byte* data, std::size_t bytes);

// Total and available memory in bytes, on NUMA nodes with CPUs: the smaller of the limits of the
// machine and of the control group (solver/machine/numa_nodes.hpp). Virtual machines may grow
// beyond the total that they report.
std::uint64_t host_memory_total();
std::uint64_t host_memory_available();

}  // namespace lbm
