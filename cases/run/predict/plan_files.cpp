// SPDX-License-Identifier: Apache-2.0

// Predicted files of a run, for `lbm plan`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cases/case/saturating.hpp"
#include "cases/run/checkpoint/checkpoint_sizes.hpp"
#include "cases/run/predict/predict.hpp"
#include "cases/run/results/result_sizes.hpp"
#include "solver/core/human_bytes.hpp"

namespace lbm::cases {
namespace {

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
