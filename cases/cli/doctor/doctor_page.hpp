// SPDX-License-Identifier: Apache-2.0

// The page of `lbm doctor`.
#pragma once

#include <string>

#include "cases/cli/doctor/check.hpp"
#include "cases/cli/doctor/doctor_facts.hpp"
#include "io/text/json.hpp"

namespace lbm::cases::doctor {

// Lines of at most 100 characters, as long as words allow; made to be pasted into a report.
std::string page_text(const DoctorFacts& facts, const Checks& checks);
io::Json page_json(const DoctorFacts& facts, const Checks& checks);

// exit_resources where a check is fatal, else 0.
int exit_code_of(const Checks& checks);

}  // namespace lbm::cases::doctor
