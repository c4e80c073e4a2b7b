// SPDX-License-Identifier: Apache-2.0

// A machine that is described instead of found: all that a plan must know of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "solver/backend/device_facts.hpp"
#include "solver/backend/speeds.hpp"

namespace lbm::cases {

struct DescribedMachine {
  std::string name;                      // "gh200", or what the file says
  DeviceFacts device;                    // of one GPU
  std::uint64_t device_free = 0;         // bytes, of one GPU; where it is integrated, of the host
  std::uint64_t host_available = 0;      // bytes, of one host
  DeviceSpeeds speeds;                   // of one GPU, while the other GPUs of the host are at work
  std::vector<std::string> assumptions;  // one sentence each, without a full stop
};

// gh200, gb200, gb300, gb10 (known_machines.cpp has their numbers and sources).
std::vector<std::string> known_machines();
// Throws UsageError for a name that is not among them.
DescribedMachine known_machine(const std::string& name);

// A known machine, or a JSON file that changes one (docs/plan.md has its keys). Throws UsageError
// that names the file and the key.
DescribedMachine described_machine(const std::string& name_or_file);

}  // namespace lbm::cases
