// SPDX-License-Identifier: Apache-2.0

// The options of `lbm plan`, and the machine that it plans for.
#include <fmt/format.h>

#include <algorithm>

#include "cases/case/validate/validate.hpp"
#include "cases/run/machines/described_machine.hpp"
#include "cases/run/predict/predict.hpp"
#include "cases/run/ranks/slabs.hpp"
#include "cases/run/setup/device_speeds_cache.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

void check_options(const PlanOptions& options, const Case& lbm_case) {
  const auto name_of = [&](std::string name) {
    if (options.command_line) return "--" + name;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
  };
  const auto at_least = [&](const char* name, double found, double least) {
    if (found >= least) return;
    throw UsageError(fmt::format("{}: found {}, must be at least {}", name_of(name), found, least));
  };
  at_least("processes", options.processes, 1);
  at_least("per-host", options.per_host, 0);
  at_least("network", options.network, 0);
  at_least("latency", options.latency, 0);
  planes_of_processes(lbm_case, options.processes);  // throws for too many
  if (options.machine.empty() || !options.measure) return;
  throw UsageError(name_of("measure") + ": a described machine cannot be measured" +
                   (options.command_line ? "; leave --machine out" : ""));
}

}  // namespace

Answer plan_case(const Case& lbm_case, const PlanOptions& options) {
  validate(lbm_case);
  check_options(options, lbm_case);
  if (options.machine.empty()) {
    const auto backend = make_backend(lbm_case);
    if (options.measure) measure_and_keep(*backend, measuring_budget(*backend));
    return plan_case(lbm_case, options, *backend);
  }
  const DescribedMachine machine = described_machine(options.machine);
  check_scheme(lbm_case, machine.device);
  return plan_case(lbm_case, options, *make_described_backend(machine), &machine);
}

}  // namespace lbm::cases
