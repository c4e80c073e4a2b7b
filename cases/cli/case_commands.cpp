// SPDX-License-Identifier: Apache-2.0

// `lbm check` and `lbm plan`.
#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "cases/case/read/read_case.hpp"
#include "cases/case/scalars.hpp"
#include "cases/cli/commands.hpp"
#include "cases/cli/terminal/print.hpp"
#include "cases/run/predict/predict.hpp"
#include "cases/run/preview/preview.hpp"
#include "solver/core/error.hpp"
#include "tiling/exchange/ranks.hpp"

namespace lbm::cases {
namespace {

// For bodies and inlet profiles, so that the whole command takes less than two seconds.
constexpr std::chrono::milliseconds check_limit{1000};

void require_one_process(const char* command, const char* remedy) {
  if (!tiling::started_with_others()) return;
  throw UsageError(
      fmt::format("lbm {}: found several processes, must be one: {}", command, remedy));
}

}  // namespace

std::string case_file(const Options& options) {
  const std::string file = options.text("case");
  return file == "-" ? "/dev/stdin" : file;
}

Case case_of(const Options& options) { return read_case(case_file(options), options.all("set")); }

int check_command(const Options& options) {
  require_one_process("check", "start it without mpirun");
  const std::string preview = options.text("preview");
  const bool overwrite = options.has("overwrite");
  if (overwrite && preview.empty()) {
    throw UsageError(
        "lbm check: --overwrite needs --preview FILE.png: add it, or drop --overwrite");
  }
  if (!preview.empty()) check_preview_file(preview, case_file(options), overwrite);
  const Case lbm_case = case_of(options);
  Answer answer = check_case(lbm_case, options.has("full") ? TimeLimit() : TimeLimit(check_limit));
  if (!preview.empty()) {
    write_preview(lbm_case, derive(lbm_case), preview, overwrite);
    answer.json["preview"] = preview;
    answer.text += fmt::format("preview: {}\n", one_line(preview));
  }
  write_text(stdout, options.has("json") ? io::json_text(answer.json) : answer.text);
  return exit_ok;
}

int plan_command(const Options& options) {
  require_one_process("plan", "use --processes N instead");
  const Answer answer = plan_case(case_of(options), {.processes = options.whole("processes", 1),
                                                     .per_host = options.whole("per-host", 0),
                                                     .network = options.number("network", 0),
                                                     .latency = options.number("latency", 0),
                                                     .machine = options.text("machine"),
                                                     .measure = options.has("measure"),
                                                     .command_line = true});
  write_text(stdout, options.has("json") ? io::json_text(answer.json) : answer.text);
  for (const io::Json& note : answer.json["warnings"]) {
    print_to(stderr, "warning: {}\n", io::text_in(note));
  }
  if (!answer.json["fits"]) throw ResourceError(answer.json["refusal"].get<std::string>());
  return exit_ok;
}

}  // namespace lbm::cases
