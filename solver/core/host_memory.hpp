// Large host memory: mapped, in huge pages where the system has them, freed by its owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "solver/core/buffer.hpp"

namespace lbm {

// Zeroed memory of at least `bytes`, 2 MiB aligned. Pages get their place at first touch. Throws
// ResourceError where the system refuses; `purpose` names it in the message.
Buffer map_host_memory(std::size_t bytes, const std::string& purpose);

// Gives every page of untouched memory its place, zeroed by the system, with all threads.
void touch_host_memory(std::byte* data, std::size_t bytes);

// What the machine has and what it can still give, in bytes; the smaller of the machine's and the
// control group's limit. Virtual machines may grow beyond the total that they report.
std::uint64_t host_memory_total();
std::uint64_t host_memory_available();

}  // namespace lbm
