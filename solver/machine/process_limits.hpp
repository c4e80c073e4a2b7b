// SPDX-License-Identifier: Apache-2.0

// Pages of memory, and what this process may use. Where `files` describe another machine, the
// answers are those of the description; system calls answer for this one.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "solver/machine/system_files.hpp"

namespace lbm {

// Bytes of a page: 4096 on x86-64, often 65536 on aarch64.
std::uint64_t page_bytes(const SystemFiles& files);

// Transparent huge pages: the mode ("always", "madvise", "never"; empty: the kernel has none), and
// the bytes of one, 0 where unknown.
struct TransparentPages {
  std::string mode;
  std::uint64_t bytes = 0;
};
TransparentPages transparent_pages(const SystemFiles& files);

// A pool of huge pages that an administrator has set aside: bytes of a page, pages, free pages.
struct HugePagePool {
  std::uint64_t bytes = 0, pages = 0, free = 0;
};
// Pools with pages, by size.
std::vector<HugePagePool> huge_page_pools(const SystemFiles& files);

inline constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

// Bytes that the process may lock (ulimit -l), and up to which it may raise that.
struct LockedMemory {
  std::uint64_t soft = unlimited, hard = unlimited;
};
LockedMemory locked_memory(const SystemFiles& files);

// CPUs of the machine, those that the process may use (affinity, cpuset), and the CPU time that its
// control group has, in CPUs; 0: no such limit.
struct UsableCpus {
  int online = 0, allowed = 0;
  double quota = 0;
};
UsableCpus usable_cpus(const SystemFiles& files);

}  // namespace lbm
