// SPDX-License-Identifier: Apache-2.0

// `lbm check`.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cases/case/read/read_case.hpp"
#include "cases/case/scalars.hpp"
#include "cases/cli/commands.hpp"
#include "cases/cli/terminal/print.hpp"
#include "cases/run/predict/case_check.hpp"
#include "cases/run/preview/preview.hpp"
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
  if (options.overwrite && options.preview.empty()) {
    throw UsageError(
        "lbm check: --overwrite needs --preview FILE.png: add it, or drop --overwrite");
  }
  if (!options.preview.empty())
    check_preview_file(options.preview, options.case_file, options.overwrite);
  const Case lbm_case = read_case(options.case_file, options.overrides);
  const CaseCheck check = check_case(lbm_case, options.full ? TimeLimit() : TimeLimit(check_limit));
  if (!options.preview.empty())
    write_preview(lbm_case, check.derived, options.preview, options.overwrite);
  if (options.json) {
    io::Json json = check_json(check);
    if (!options.preview.empty()) json["preview"] = options.preview;
    print_to(stdout, "{}", io::json_text(json));
    return exit_ok;
  }
  print_to(stdout, "{}", check_text(check));
  if (!options.preview.empty()) print_to(stdout, "preview: {}\n", one_line(options.preview));
  return exit_ok;
}

}  // namespace lbm::cases
