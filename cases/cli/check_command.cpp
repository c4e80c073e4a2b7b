// SPDX-License-Identifier: Apache-2.0

// `lbm check`.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cases/case/yaml/yaml_reader.hpp"
#include "cases/cli/commands.hpp"
#include "cases/cli/terminal/print.hpp"
#include "cases/run/predict/case_check.hpp"
#include "solver/core/error.hpp"
#include "tiling/exchange/ranks.hpp"

namespace lbm::cases {

namespace {

// For bodies and inlet profiles, so that the whole command takes less than two seconds.
constexpr std::chrono::milliseconds check_limit{1000};

}  // namespace

int check_command(const CheckCommandOptions& options) {
  if (tiling::started_with_others()) {
    throw UsageError("lbm check: found several processes, must be one: start it without mpirun");
  }
  const Case lbm_case = read_case(options.case_file, options.overrides);
  const CaseCheck check = check_case(lbm_case, options.full ? TimeLimit() : TimeLimit(check_limit));
  print_to(stdout, "{}", options.json ? io::json_text(check_json(check)) : check_text(check));
  return exit_ok;
}

}  // namespace lbm::cases
