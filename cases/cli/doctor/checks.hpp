// SPDX-License-Identifier: Apache-2.0

// The judgement of facts. Pure functions; each adds its lines.
#pragma once

#include "cases/cli/doctor/check.hpp"
#include "cases/cli/doctor/doctor_facts.hpp"

namespace lbm::cases::doctor {

void check_gpus(const DoctorFacts& facts, Checks& checks);
void check_memory(const DoctorFacts& facts, Checks& checks);
void check_processes(const DoctorFacts& facts, Checks& checks);  // CPUs, MPI, files

// All of them, in the order of the page.
Checks all_checks(const DoctorFacts& facts);

// "12.4" for 12040.
std::string cuda_version(int number);

// "node 0: 75 %, node 1: 25 %"; "unknown" where there are none.
std::string shares_text(const std::vector<NodeShare>& shares);

}  // namespace lbm::cases::doctor
