// SPDX-License-Identifier: Apache-2.0

// `lbm plan --processes` agrees with the run of several ranks.
#include <nlohmann/json.hpp>

#include "io/text/json.hpp"
#include "tests/cases/run/ranks/ranks_support.hpp"

namespace lbm::cases {
namespace {

using test::lbm_program;
using test::Outcome;
using test::Processes;

TEST_F(Processes, RunWithTheScheduleThatIsPlannedForThem) {
  const lbm::testing::ScratchDirectory scratch;
  const std::string flow = fmt::format(
      "'{}' --set 'grid.cells=[20, 12, 61]' --set run.steps=21 --set device.backend=cpu --set "
      "device.threads=1 --set device.memory=100MB --set output.at_end=false --set "
      "output.profiles=false --set tiling.scheme=wavefront --set tiling.steps_per_visit=7 --set "
      "tiling.planes_per_visit=3",
      test::shipped_path("lid_driven_cavity"));
  const Outcome plan = lbm_program("plan --json --processes 3 " + flow);
  ASSERT_EQ(plan.exit_code, 0) << plan.err;
  const io::Json said = io::parse_json(plan.out, "plan");
  EXPECT_EQ(said["processes"], 3);
  EXPECT_EQ(said["slab_planes"], 21);
  EXPECT_EQ(said["exchange"], "host");
  EXPECT_GT(said["mlups"], 0);
  const auto out = scratch.path() / "run";
  const Outcome run = test::several(3, fmt::format("run {} --out '{}'", flow, out.string()));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const io::Json done = io::read_json(out / "report.json");
  for (const char* key : {"scheme", "steps_per_visit", "planes_per_visit", "device_bytes"}) {
    EXPECT_EQ(said[key], done[key]) << key;
  }
  test::expect_one_line(lbm_program("plan --processes 40 " + flow), 2, "61 planes");
  test::expect_one_line(lbm_program("plan --processes 0 " + flow), 2, "--processes: found 0");
}

}  // namespace
}  // namespace lbm::cases
