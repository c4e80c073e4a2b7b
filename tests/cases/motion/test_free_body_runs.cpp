// SPDX-License-Identifier: Apache-2.0

// Runs with bodies that move freely: schedules, restarts, the end where bodies meet.
#include "tests/cases/run/restart_support.hpp"

namespace lbm::cases::test {
namespace {

const std::string ball = R"(
name: ball
grid: {cells: [20, 20, 32]}
bodies:
  ball: {shape: sphere, center: [9.7, 10, 22], radius: 4, free: {density_ratio: 1.3, gravity: [0.2, 0, -2]}}
fluid: {reynolds: 20, length: 8, lattice_velocity: 0.05}
lattice: {collision: trt}
run: {steps: 160}
output: {at_end: false}
quantities:
  height: {kind: body_position, bodies: [ball], direction: [0, 0, 1], every_steps: 10}
)";

TEST(FreeBodyRuns, TheSameWithEverySchedule) {
  const Runs runs(ball);
  ASSERT_EQ(runs.run("a", "--set tiling.scheme=in_core").exit_code, 0);
  const std::string forces = runs.text("a/forces_ball.csv");
  EXPECT_TRUE(has(forces, "px,py,pz,vx,vy,vz,wx,wy,wz"));
  for (const char* const tiling : {"{scheme: wavefront, planes_per_visit: 3}", "{scheme: halo}"}) {
    const std::string other = std::string("b") + tiling[9];
    const Outcome outcome = runs.run(other, fmt::format("--set \"tiling={}\"", tiling));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(runs.text(other + "/forces_ball.csv"), forces) << tiling;
  }
}

TEST(FreeBodyRuns, GoOnFromACheckpoint) {
  const Runs runs(ball);
  ASSERT_EQ(runs.run("a").exit_code, 0);
  ASSERT_EQ(runs.run("b", "--set run.steps=70 --set checkpoint.at_end=true").exit_code, 0);
  const Outcome outcome = runs.restart("b");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* const file : {"/forces_ball.csv", "/quantity_height.csv"}) {
    EXPECT_EQ(runs.text(std::string("b") + file), runs.text(std::string("a") + file)) << file;
  }
}

TEST(FreeBodyRuns, ARunEndsWhereTheyMeetABody) {
  const Runs runs(ball);
  expect_one_line(runs.run("a",
                           "--set run.steps=4000 --set "
                           "\"bodies.post={shape: box, center: [10, 10, 4], size: [6, 6, 8]}\""),
                  2, "the body meets a body at rest");
  EXPECT_TRUE(has(runs.text("a/report.json"), "meets a body at rest"));
}

}  // namespace
}  // namespace lbm::cases::test
