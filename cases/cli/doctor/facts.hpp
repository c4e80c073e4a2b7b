// SPDX-License-Identifier: Apache-2.0

// Facts of build and machine as JSON, and their judgement.
#pragma once

#include "io/text/json.hpp"
#include "solver/backend/device_facts.hpp"
#include "solver/machine/machine_facts.hpp"

namespace lbm::cases::doctor {

// How the program was built: `version`, `commit`, `build_type`, `compiler`, and versions of what it
// was built with, "not built in" for what was left out.
io::Json build_facts();

// A GPU in `lbm info --json`, but for its measured link. free: bytes.
io::Json gpu_facts(const DeviceFacts& facts, std::uint64_t free);

// The facts of checks.yaml; `gpus` is a list of those of each GPU. files: those of another machine
// leave out what only system calls and CUDA can tell. Never throws for what is missing.
io::Json machine_facts(const SystemFiles& files);

// All checks of checks.yaml on such facts, in its order: a list of `name`; `verdict`: OK, FALLBACK
// (works, but not in the best way) or REFUSED (cannot be used); `finding`; `remedy`, empty for OK;
// `fatal`: no run can start.
io::Json judge(const io::Json& facts);
// The text of checks.yaml, which is part of the program.
const char* checks_yaml();

}  // namespace lbm::cases::doctor
