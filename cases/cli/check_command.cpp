// `lbm check`.
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "cases/case/yaml/yaml_reader.hpp"
#include "cases/cli/commands.hpp"
#include "cases/cli/terminal/print.hpp"
#include "cases/run/predict/case_check.hpp"
#include "solver/core/error.hpp"
#include "tiling/exchange/ranks.hpp"

namespace lbm::cases {

int check_command(const CaseOptions& options) {
  if (tiling::started_with_others()) {
    throw UsageError("lbm check: found several processes, must be one: start it without mpirun");
  }
  const Case lbm_case = read_case(options.case_file, options.overrides);
  const CaseCheck check = check_case(lbm_case);
  print_to(stdout, "{}", options.json ? io::json_text(check_json(check)) : check_text(check));
  return exit_ok;
}

}  // namespace lbm::cases
