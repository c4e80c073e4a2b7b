// What `lbm plan` says of the files of a run.
#pragma once

#include <string>

#include "cases/run/predict/case_plan.hpp"

namespace lbm::cases {

// "  label                text\n"
std::string plan_line(const std::string& label, const std::string& text);

// A line for each result, their sum, the checkpoints.
std::string results_text(const CasePlan& plan);
// The same as members of a JSON object: docs/plan.md.
void add_results(io::Json& json, const CasePlan& plan);

}  // namespace lbm::cases
