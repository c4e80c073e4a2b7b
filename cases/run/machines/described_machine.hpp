// SPDX-License-Identifier: Apache-2.0

// A machine that is described instead of found: all that a plan must know of it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "solver/backend/backend.hpp"
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

// The names of the machines in known_machines.json.
std::vector<std::string> known_machines();
// The text of that file, which is part of the program.
const char* known_machines_json();

// A known machine, or a JSON file that changes one (docs/plan.md has its keys). Throws UsageError
// that names the file and the key.
DescribedMachine described_machine(const std::string& name_or_file);

// A backend that answers what a plan asks of a device, and can neither allocate nor compute.
// machine is copied.
std::unique_ptr<Backend> make_described_backend(const DescribedMachine& machine);

}  // namespace lbm::cases
