// SPDX-License-Identifier: Apache-2.0

// `lbm plan`.
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "cases/case/read/read_case.hpp"
#include "cases/cli/commands.hpp"
#include "cases/cli/terminal/print.hpp"
#include "solver/core/error.hpp"
#include "tiling/exchange/ranks.hpp"

namespace lbm::cases {

int plan_command(const PlanCommandOptions& options) {
  if (tiling::started_with_others()) {
    throw UsageError("lbm plan: found several processes, must be one: use --processes N instead");
  }
  const Case lbm_case = read_case(options.case_file, options.overrides);
  const CasePlan plan = plan_here(lbm_case, options.plan);
  print_to(stdout, "{}", options.json ? io::json_text(plan_json(plan)) : plan_text(plan));
  for (const std::string& note : plan.warnings) print_to(stderr, "warning: {}\n", note);
  if (!plan.refusal.empty()) throw ResourceError(plan.refusal);
  return exit_ok;
}

}  // namespace lbm::cases
