// SPDX-License-Identifier: Apache-2.0

// Pages of memory, and what this process may use. Where `files` describe another machine, the
// answers are those of the description; system calls answer for this one.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "solver/machine/system_files.hpp"

namespace lbm {

// Transparent huge pages: the mode ("always", "madvise", "never"; empty: the kernel has none), and
// the bytes of one, 0 where unknown.
struct TransparentPages {
  std::string mode;
  std::uint64_t bytes = 0;
};
TransparentPages transparent_pages(const SystemFiles& files);

// Bytes that this process may lock (ulimit -l).
inline constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();
std::uint64_t locked_memory();

// CPUs of the machine, those that the process may use (affinity, cpuset), and the CPU time that its
// control group has, in CPUs; 0: no such limit.
struct UsableCpus {
  int online = 0, allowed = 0;
  double quota = 0;
};
UsableCpus usable_cpus(const SystemFiles& files);

}  // namespace lbm
