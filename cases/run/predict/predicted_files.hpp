// SPDX-License-Identifier: Apache-2.0

// Predicted files of a run, for `lbm plan`.
#pragma once

#include <string>

#include "cases/run/predict/case_plan.hpp"

namespace lbm::cases {

// Formats "  label                text
// ".
std::string plan_line(const std::string& label, const std::string& text);

// One line for each result, their sum, and the checkpoints.
std::string results_text(const CasePlan& plan);
// The same as members of a JSON object (docs/plan.md).
void add_results(io::Json& json, const CasePlan& plan);

}  // namespace lbm::cases
