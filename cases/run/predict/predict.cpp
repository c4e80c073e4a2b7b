// SPDX-License-Identifier: Apache-2.0
#include "cases/run/predict/predict.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "cases/case/limits.hpp"
#include "cases/case/validate/validate.hpp"
#include "cases/run/checkpoint/checkpoints.hpp"
#include "cases/run/machines/described_machine.hpp"
#include "cases/run/ranks/slabs.hpp"
#include "cases/run/results/result_sizes.hpp"
#include "cases/run/setup/device_speeds_cache.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

void check_options(const PlanOptions& options, const Case& lbm_case) {
  const std::string dashes = options.command_line ? "--" : "";
  const std::tuple<std::string, double, double> numbers[]{
      {dashes + "processes", options.processes, 1},
      {options.command_line ? "--per-host" : "per_host", options.per_host, 0},
      {dashes + "network", options.network, 0},
      {dashes + "latency", options.latency, 0}};
  for (const auto& [name, found, least] : numbers) {
    if (found >= least) continue;
    throw UsageError(fmt::format("{}: found {}, must be at least {}", name, found, least));
  }
  planes_of_processes(lbm_case, options.processes);  // throws for too many
  if (options.machine.empty() || !options.measure) return;
  throw UsageError(dashes + "measure: a described machine cannot be measured; leave " + dashes +
                   "machine out");
}

std::string counted(std::int64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string result_text(const ResultSize& result) {
  const bool rows = result.kind == ResultKind::probes;
  const std::string count = counted(result.count, rows ? "row" : "file");
  if (!result.bytes) return count + ", as large as the surfaces will be";
  const std::string bytes = human_bytes(*result.bytes);
  if (rows) return fmt::format("{}, about {}", count, bytes);
  return fmt::format("{}, {}{}{}", count, bytes, result.count == 1 ? "" : " in all",
                     result.compressed ? " before compression" : "");
}

std::string total_text(const std::vector<ResultSize>& results) {
  if (results.empty()) return "none";
  const bool known = std::all_of(results.begin(), results.end(),
                                 [](const auto& r) { return r.bytes.has_value(); });
  return human_bytes(total_bytes(results)) + (known ? "" : " and the surfaces");
}

// Times of checkpoints of the case; empty for never.
std::string times_text(const Case& lbm_case) {
  const CheckpointKeys& keys = lbm_case.checkpoint;
  std::vector<std::string> times;
  if (keys.every_steps) {
    times.push_back(*keys.every_steps == 1 ? "every step"
                                           : fmt::format("every {} steps", *keys.every_steps));
  }
  if (keys.every_minutes) times.push_back(fmt::format("every {:.6g} minutes", *keys.every_minutes));
  if (keys.at_end) times.emplace_back("at the end");
  if (lbm_case.run.walltime) times.emplace_back("before the walltime");
  return fmt::format("{}", fmt::join(times, ", "));
}

// each, disk: bytes of one, and of all that are there at once.
std::string checkpoints_text(const Case& lbm_case, std::uint64_t each, std::uint64_t disk) {
  const std::string times = times_text(lbm_case);
  if (times.empty()) {
    const bool stops = lbm_case.checkpoint.on_signal;
    return fmt::format("none, but {} saves one of {}", stops ? "a signal" : "SIGUSR1",
                       human_bytes(each));
  }
  return fmt::format("{}: {} each, {} on the disk at most", times, human_bytes(each),
                     human_bytes(disk));
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

void add_schedule(const Choice& plan, const Predicted& prediction, io::Json& json) {
  if (plan) {
    json.update({{"scheme", tiling::to_string(plan->options.scheme)},
                 {"steps_per_visit", plan->options.steps_per_visit},
                 {"steps_per_pass", plan->options.updates_together},
                 {"planes_per_visit", plan->options.planes_per_visit},
                 {"reason", plan->reason},
                 {"device_bytes", plan->device_bytes},
                 {"host_bytes", plan->host_bytes}});
  }
  if (!prediction) return;
  json.update({{"mlups", prediction->mlups},
               {"seconds", prediction->seconds},
               {"stage_share_of_time",
                {{"copy_in", prediction->load_share},
                 {"update", prediction->update_share},
                 {"copy_out", prediction->store_share}}},
               {"fill_seconds", prediction->fill_seconds}});
}

void add_files(const Case& lbm_case, const Derived& derived, const Lattice& lattice, io::Json& json,
               io::Json& words) {
  const std::vector<ResultSize> results = result_sizes(lbm_case, derived);
  json["output_bytes"] = total_bytes(results);
  json["results"] = io::Json::array();
  for (const ResultSize& result : results) {
    json["results"].push_back({{"name", result.name},
                               {"kind", to_string(result.kind)},
                               {result.kind == ResultKind::probes ? "rows" : "files", result.count},
                               {"bytes", result.bytes},
                               {"compressed", result.compressed}});
    words["file_lines"].push_back({{"name", result.name}, {"text", result_text(result)}});
  }
  const std::uint64_t each = checkpoint_bytes(lbm_case, derived, lattice);
  const auto most = static_cast<std::uint64_t>(checkpoints_to_come(lbm_case, derived));
  const std::uint64_t disk = saturating_multiply(most, each);
  json["checkpoint_bytes"] = each;
  json["checkpoint_disk_bytes"] = disk;
  words["file_lines"].push_back({{"name", "results in all"}, {"text", total_text(results)}});
  words["file_lines"].push_back(
      {{"name", "checkpoints"}, {"text", checkpoints_text(lbm_case, each, disk)}});
}

}  // namespace lbm::cases
