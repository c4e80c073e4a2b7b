// SPDX-License-Identifier: Apache-2.0

// The plan of a case on this machine, for `lbm plan` and for embedding programs.
#include <fmt/format.h>

#include <algorithm>

#include "cases/case/validate/validate.hpp"
#include "cases/run/predict/case_plan.hpp"
#include "cases/run/ranks/slabs.hpp"
#include "cases/run/setup/device_speeds_cache.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
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
  at_least("latency", options.latency, 0);
  planes_of_processes(lbm_case, options.processes);  // throws for too many
  const int per_host =
      options.per_host > 0 ? std::min(options.per_host, options.processes) : options.processes;
  return {options.processes, per_host, options.network * 1e9, options.latency * 1e-6};
}

}  // namespace

CasePlan plan_here(const Case& lbm_case, const PlanOptions& options) {
  const Derived derived = validate(lbm_case);
  const Processes processes = processes_of(options, lbm_case);
  if (!options.machine.empty()) {
    if (options.measure) {
      throw UsageError(
          options.command_line
              ? "--measure: a described machine cannot be measured; leave --machine out"
              : "measure: a described machine cannot be measured");
    }
    const DescribedMachine machine = described_machine(options.machine);
    check_scheme(lbm_case, machine.device);
    return plan_case(lbm_case, derived, machine, processes);
  }
  const auto backend = make_backend(lbm_case);
  if (options.measure) measure_and_keep(*backend, measuring_budget(*backend));
  return plan_case(lbm_case, derived, *backend, processes);
}

}  // namespace lbm::cases
