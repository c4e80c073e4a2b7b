// SPDX-License-Identifier: Apache-2.0

// The trace of a run of several ranks: one file, on one clock.
#include <algorithm>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/cases/run/ranks/ranks_support.hpp"

namespace lbm::cases {
namespace {

using test::Outcome;
using test::Processes;
using test::Runs;
using test::several;

// The work of a rank's queue of updates.
struct Work {
  double begin = std::numeric_limits<double>::infinity(), end = 0;  // microseconds
  int planes = 0;
};

std::map<int, Work> updates_by_process(const nlohmann::json& trace) {
  std::map<int, Work> all;
  for (const auto& event : trace["traceEvents"]) {
    if (event["ph"] != "X" || event["tid"] != 2 || event["args"]["level"] == 0) continue;
    Work& work = all[event["pid"].get<int>()];
    const double begin = event["ts"].get<double>();
    work.begin = std::min(work.begin, begin);
    work.end = std::max(work.end, begin + event["dur"].get<double>());
    work.planes += event["args"]["count"].get<int>();
  }
  return all;
}

TEST_F(Processes, WriteOneTraceOnOneClock) {
  const Runs runs(test::vortex);
  constexpr int nz = 38, steps = 60;
  const std::string file = runs.path("trace.json").string();
  const std::string grid = fmt::format(
      "--set grid.cells=[50,44,{}] --set run.steps={} --set expect=null "
      "--set quantities=null --set tiling.scheme=wavefront --trace '{}' ",
      nz, steps, file);
  const Outcome outcome = several(3, runs.line("out", grid));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto trace = nlohmann::json::parse(runs.text("trace.json"));
  const auto work = updates_by_process(trace);
  ASSERT_EQ(work.size(), 3U);
  int planes = 0;
  double last_begin = 0, first_end = std::numeric_limits<double>::infinity();
  for (const auto& [process, of] : work) {
    planes += of.planes;
    last_begin = std::max(last_begin, of.begin);
    first_end = std::min(first_end, of.end);
  }
  EXPECT_EQ(planes, nz * steps) << "every plane of every step, once";
  EXPECT_LT(last_begin, first_end) << "they work at the same time";
  EXPECT_EQ(trace["otherData"]["complete"], true);
  for (const int rank : {0, 1, 2}) {
    const std::string command =
        fmt::format("'{}' -B '{}' '{}' --rank {} --check >/dev/null", LBM_PYTHON,
                    LBM_SOURCE_DIR "/docs/figures/timeline_figure.py", file, rank);
    EXPECT_EQ(std::system(command.c_str()), 0) << "rank " << rank;
  }
  const Outcome again = several(3, runs.line("again", grid));
  EXPECT_EQ(again.exit_code, 2) << "the trace exists";
  EXPECT_FALSE(std::filesystem::exists(runs.path("again")));
}

}  // namespace
}  // namespace lbm::cases
