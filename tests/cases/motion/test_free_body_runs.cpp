// SPDX-License-Identifier: Apache-2.0

// Runs with bodies that move freely: schedules, restarts, the end where bodies meet.
#include <cmath>
#include <numbers>

#include "tests/cases/motion/ball_case.hpp"
#include "tests/cases/run/restart_support.hpp"
#include "tests/cases/vtkhdf_values.hpp"

namespace lbm::cases::test {
namespace {

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

// The sum over cells is the volume of the body, its centroid that of the log.
TEST(FreeBodyRuns, FieldsHaveTheBodyAtItsPlace) {
  const Runs runs(ball);
  const Outcome outcome =
      runs.run("a", "--set \"outputs={b: {fields: [solid_fraction, solid], every_steps: 160}}\"");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const fs::path file = runs.path("a/b_000000160.hdf");
  const Values share = values_of(file, "solid_fraction"), solid = values_of(file, "solid");
  double sum = 0, height = 0, solids = 0;
  for (hsize_t z = 0; z < 32; ++z) {
    for (hsize_t y = 0; y < 20; ++y) {
      for (hsize_t x = 0; x < 20; ++x) {
        sum += double{share.at(x, y, z)};
        height += (static_cast<double>(z) + 0.5) * double{share.at(x, y, z)};
        solids += double{solid.at(x, y, z)};
      }
    }
  }
  const double volume = 4 * std::numbers::pi / 3 * 64;
  EXPECT_NEAR(sum / volume, 1, 0.01);
  EXPECT_NEAR(solids / volume, 1, 0.05);
  std::istringstream rows(runs.text("a/quantity_height.csv"));
  std::string last;
  for (std::string row; std::getline(rows, row);) last = row;
  const double logged = std::stod(last.substr(last.rfind(',') + 1));
  EXPECT_NEAR(height / sum, logged, 0.05);
  EXPECT_LT(logged, 21.5);  // it has sunk
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
