// `lbm plan`, and the same for the Python package.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "cases/cli/commands.hpp"
#include "cases/run/setup/device_speeds_cache.hpp"
#include "cases/run/predict/case_plan.hpp"
#include "cases/run/ranks/slabs.hpp"
#include "cases/case/validate/validate.hpp"
#include "cases/case/yaml/yaml_reader.hpp"
#include "solver/core/error.hpp"

namespace lbm::app {
namespace {

Processes processes_of(const PlanOptions& options, const Case& lbm_case) {
  const auto at_least = [&](std::string name, double found, double least) {
    if (found >= least) return;
    if (options.command_line) name = "--" + name;
    if (!options.command_line) std::replace(name.begin(), name.end(), '-', '_');
    throw UsageError(fmt::format("{}: found {}, must be at least {}", name, found, least));
  };
  at_least("processes", options.processes, 1);
  at_least("per-host", options.per_host, 0);
  at_least("network", options.network, 0);
  planes_of_processes(lbm_case, options.processes);  // refuses too many
  const int per_host =
      options.per_host > 0 ? std::min(options.per_host, options.processes) : options.processes;
  return {options.processes, per_host, options.network * 1e9};
}

}  // namespace

CasePlan plan_here(const Case& lbm_case, const PlanOptions& options) {
  validate(lbm_case);
  const Processes processes = processes_of(options, lbm_case);
  const auto backend = make_backend(lbm_case);
  if (options.measure) measure_and_keep(*backend, measuring_budget(*backend));
  return plan_case(lbm_case, *backend, processes);
}

int plan_command(const RunOptions& options) {
  if (tiling::started_with_others()) {
    throw UsageError("lbm plan: found several processes, must be one: use --processes N instead");
  }
  const Case lbm_case = read_case(options.case_file, options.overrides);
  const CasePlan plan = plan_here(
      lbm_case, {options.processes, options.per_host, options.network, options.measure, true});
  fmt::print("{}", options.json ? plan_json(plan).dump() : plan_text(plan));
  for (const std::string& note : plan.warnings) fmt::print(stderr, "warning: {}\n", note);
  if (!plan.refusal.empty()) throw ResourceError(plan.refusal);
  return exit_ok;
}

}  // namespace lbm::app
