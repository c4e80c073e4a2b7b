// SPDX-License-Identifier: Apache-2.0

// The name of the processor.
#pragma once

#include <string>

#include "solver/machine/system_files.hpp"

namespace lbm {

// "AMD EPYC 7763", as /proc/cpuinfo says. ARM's kernels know numbers only, "ARM 0x41, part 0xd4f":
// who makes the core, and which core it is. "CPU" where nothing is said.
std::string cpu_model(const SystemFiles& files);

}  // namespace lbm
