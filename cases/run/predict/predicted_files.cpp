// SPDX-License-Identifier: Apache-2.0
#include "cases/run/predict/predicted_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cases/case/saturating.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

std::uint64_t disk_bytes(const CasePlan& plan) {
  return saturating_multiply(static_cast<std::uint64_t>(plan.checkpoints_on_disk),
                             plan.checkpoint_bytes);
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

std::string checkpoints_text(const CasePlan& plan) {
  const std::string times = times_text(plan.lbm_case), each = human_bytes(plan.checkpoint_bytes);
  if (times.empty()) {
    const bool stops = plan.lbm_case.checkpoint.on_signal;
    return fmt::format("none, but {} saves one of {}", stops ? "a signal" : "SIGUSR1", each);
  }
  return fmt::format("{}: {} each, {} on the disk at most", times, each,
                     human_bytes(disk_bytes(plan)));
}

}  // namespace

std::string plan_line(const std::string& label, const std::string& text) {
  return fmt::format("  {:<20} {}\n", label, text);
}

std::string results_text(const CasePlan& plan) {
  std::string text;
  for (const ResultSize& result : plan.results) text += plan_line(result.name, result_text(result));
  return text + plan_line("results in all", total_text(plan.results)) +
         plan_line("checkpoints", checkpoints_text(plan));
}

void add_results(io::Json& json, const CasePlan& plan) {
  json["output_bytes"] = total_bytes(plan.results);
  io::Json& results = json["results"] = io::Json::array();
  for (const ResultSize& result : plan.results) {
    results.push_back({{"name", result.name},
                       {"kind", to_string(result.kind)},
                       {result.kind == ResultKind::probes ? "rows" : "files", result.count},
                       {"bytes", result.bytes},
                       {"compressed", result.compressed}});
  }
  json["checkpoint_bytes"] = plan.checkpoint_bytes;
  json["checkpoint_disk_bytes"] = disk_bytes(plan);
}

}  // namespace lbm::cases
