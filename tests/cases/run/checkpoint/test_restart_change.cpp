// SPDX-License-Identifier: Apache-2.0

// --restart with --change: other physics from the saved state on.
#include <yaml-cpp/yaml.h>

#include <cmath>

#include "cases/case/read/read_case.hpp"
#include "cases/run/checkpoint/restart.hpp"
#include "tests/cases/run/restart_support.hpp"
#include "tests/cases/vtkhdf_values.hpp"

namespace lbm::cases::test {
namespace {

// A force between walls: the parabola has its peak at Re / 20 reference velocities.
const std::string channel = R"(
name: channel
grid: {cells: [16, 1, 1]}
boundaries: {y_min: periodic, y_max: periodic, z_min: periodic, z_max: periodic}
fluid: {reynolds: 20, lattice_velocity: 0.05}
lattice: {collision: trt}
force: {acceleration: [0, 0, 0.4]}
run: {convective_times: 30}
output: {profiles: false}
checkpoint: {at_end: true}
)";
constexpr int steps = 30 * 320;

std::string checkpoint_at(int step) { return fmt::format("checkpoint_{:09d}.h5", step); }

// The largest error of a velocity across the channel against f(x), x from 0 to 1.
template <class Exact>
double error_across(const fs::path& file, const Exact& exact) {
  const Values u = values_of(file, "velocity");
  double worst = 0;
  for (int x = 0; x < 16; ++x) {
    worst =
        std::max(worst, std::abs(u.at(static_cast<hsize_t>(x), 0, 0, 2) - exact((x + 0.5) / 16)));
  }
  return worst;
}

struct Changed : Runs {
  explicit Changed(const std::string& text = channel) : Runs(text) {}
  // From the end of run "a" to twice its time, in directory "b".
  Outcome go_on(const std::string& more) const {
    return restart("a", fmt::format("--change --out '{}' --set run.convective_times=60 {}",
                                    path("b").string(), more));
  }
  fs::path end() const { return path("b") / fmt::format("fields_{:09d}.hdf", 2 * steps); }
};

TEST(RestartWithChange, TheViscosityOfAChannelChanges) {
  const Changed runs;
  ASSERT_EQ(runs.run("a").exit_code, 0);
  const auto parabola = [](double peak) {
    return [peak](double x) { return peak * 4 * x * (1 - x); };
  };
  EXPECT_LT(error_across(runs.path("a") / fmt::format("fields_{:09d}.hdf", steps), parabola(1)),
            1e-3);
  const Outcome outcome = runs.go_on("--set fluid.reynolds=8");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_LT(error_across(runs.end(), parabola(0.4)), 4e-4);
  EXPECT_TRUE(has(outcome.err, "note: changed since the checkpoint: fluid.reynolds: 20 -> 8\n"))
      << outcome.err;
  const YAML::Node report = YAML::Load(runs.text("b/report.json"));
  EXPECT_EQ(report["changed"].size(), 1U);
  EXPECT_EQ(report["changed"][0].as<std::string>(), "fluid.reynolds: 20 -> 8");
  EXPECT_EQ(report["restarted_from_step"].as<int>(), steps);
  EXPECT_EQ(YAML::Load(runs.text("a/report.json"))["changed"].size(), 0U);
  // The changed run restarts as any other.
  const Outcome again = runs.restart(
      "b", fmt::format("--out '{}' --set run.convective_times=60.1 --set fluid.reynolds=8",
                       runs.path("c").string()));
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_FALSE(has(again.err, "changed since")) << again.err;
}

// A wall begins to move, the force ends, and another collision model takes over.
TEST(RestartWithChange, WallsForcesAndTheCollisionChange) {
  const Changed runs;
  ASSERT_EQ(runs.run("a").exit_code, 0);
  const Outcome outcome = runs.go_on(
      "--set 'boundaries.x_max={type: wall, velocity: [0, 0, 0.5]}' --set 'force.acceleration=[0, "
      "0, 0]' "
      "--set lattice.collision=regularised_filtered");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_LT(error_across(runs.end(), [](double x) { return 0.5 * x; }), 1e-3);
  for (const char* key :
       {"boundaries.x_max.velocity: ", "force.acceleration: ", "lattice.collision: trt -> "}) {
    EXPECT_TRUE(has(outcome.err, key)) << outcome.err;
  }
}

TEST(RestartWithChange, WithoutADifferenceItIsARestart) {
  const Changed runs;
  ASSERT_EQ(runs.run("a").exit_code, 0);
  ASSERT_EQ(runs.run("whole", "--set run.convective_times=60").exit_code, 0);
  const Outcome outcome = runs.go_on("");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(testing::read_text(runs.end()),
            testing::read_text(runs.path("whole") / fmt::format("fields_{:09d}.hdf", 2 * steps)));
  EXPECT_FALSE(has(outcome.err, "changed since")) << outcome.err;
}

TEST(RestartWithChange, WhatTheStateDependsOnIsRefused) {
  const Runs runs;  // of wind, with bodies
  ASSERT_EQ(runs.run("a",
                     "--set run.steps=4 --set expect=null --set quantities=null --set "
                     "output.every_steps=4 --set "
                     "checkpoint.at_end=true")
                .exit_code,
            0);
  const auto out = [&] { return fmt::format(" --out '{}'", runs.path("b").string()); };
  for (const char* change :
       {"grid.cells=[18, 14, 28]", "lattice.storage=fp64", "fluid.lattice_velocity=0.05",
        "fluid.length=8", "bodies.ball.radius=3.4", "bodies.post.center=[4, 7, 19]"}) {
    const Outcome outcome = runs.restart("a", fmt::format("--change --set '{}'", change) + out());
    const std::string key = std::string(change).substr(0, std::string(change).find('='));
    expect_one_line(outcome, 2, "--change cannot change " + key + ": ");
    EXPECT_TRUE(has(outcome.err, "start a new run from a file of its fields (initial.flow: file)"));
  }
  expect_one_line(
      runs.restart(
          "a", "--change --set lattice.collision=regularised --set lattice.representation=moments" +
                   out()),
      2, "--change cannot change lattice.representation");
  EXPECT_FALSE(fs::exists(runs.path("b")));
  const Outcome moved = runs.restart("a",
                                     "--change --set 'bodies.ball.angular_velocity=[0, 2, 0]' "
                                     "--set boundaries.z_min.velocity=[0,0,0.5]" +
                                         out());
  EXPECT_EQ(moved.exit_code, 0) << moved.err;
}

TEST(RestartWithChange, ScalarsKeepTheirUnitsAndOrder) {
  const Runs runs(heated);
  ASSERT_EQ(
      runs.run("a", "--set run.steps=4 --set output.every_steps=4 --set checkpoint.at_end=true")
          .exit_code,
      0);
  const auto changed = [&](const std::string& change) {
    return runs.restart("a", fmt::format("--change --set run.steps=6 --set '{}' --out '{}'", change,
                                         runs.path("b").string()));
  };
  expect_one_line(changed("scalars.warmth.reference=0"), 2,
                  "--change cannot change scalars.warmth.reference: 20 -> 0");
  expect_one_line(changed("scalars.dye.difference=2"), 2,
                  "--change cannot change scalars.dye.difference: 1 -> 2");
  expect_one_line(changed("scalars.dye.gradient=[0, 1, 0]"), 2,
                  "--change cannot change scalars.dye.gradient: [0, 0.01, 0] -> [0, 1, 0]");
  expect_one_line(changed("scalars.smoke.prandtl=1"), 2,
                  "--change cannot change scalars: [warmth, dye] -> [warmth, dye, smoke]");
  const Outcome faster = changed("scalars.dye.peclet=100");
  EXPECT_EQ(faster.exit_code, 0) << faster.err;
  EXPECT_TRUE(has(faster.err, "scalars.dye.peclet: 300 -> 100")) << faster.err;
  Case other = read_case(runs.path("case.yaml").string());
  const Case before = other;
  std::swap(other.scalars[0], other.scalars[1]);
  EXPECT_EQ(physics_differences(before, other),
            std::vector<std::string>{"scalars: [warmth, dye] -> [dye, warmth]"});
}

TEST(RestartWithChange, ResultsOfOtherPhysicsStay) {
  const Changed runs;
  ASSERT_EQ(runs.run("a").exit_code, 0);
  const std::string other = "--change --set run.convective_times=31 --set fluid.reynolds=8";
  expect_one_line(runs.restart("a", other), 2, "give another directory with --out");
  expect_one_line(runs.restart("a", other + fmt::format(" --out '{}'", runs.path("a").string())), 2,
                  "give another directory with --out");
  EXPECT_EQ(runs.checkpoints("a"), std::vector<std::string>{checkpoint_at(steps)});
  expect_one_line(runs.run("x", "--change"), 2, "--change: missing: --restart");
  expect_one_line(runs.restart("a", "--set fluid.reynolds=8"), 2, "other physics with --change");
}

// The keys are the same, the cells inside are not.
TEST(RestartWithChange, SolidCellsOfAFileMustStay) {
  const Runs runs(R"(
name: body
grid: {cells: [16, 14, 18]}
bodies: {b: {shape: surface, file: b.stl}}
boundaries: {x_min: {type: wall, velocity: [0, 0, 0.1]}}
fluid: {reynolds: 20}
run: {steps: 4}
checkpoint: {at_end: true}
)");
  testing::write_text(runs.path("b.stl"), tetrahedron(14));
  ASSERT_EQ(runs.run("a").exit_code, 0);
  const std::string faster =
      fmt::format("--change --set run.steps=8 --set boundaries.x_min.velocity=[0,0,0.2] --out '{}'",
                  runs.path("b").string());
  testing::write_text(runs.path("b.stl"), tetrahedron(9));
  expect_one_line(runs.restart("a", faster), 2, "the solid cells are not those of");
  testing::write_text(runs.path("b.stl"), tetrahedron(14));
  EXPECT_EQ(runs.restart("a", faster).exit_code, 0);
}

// The samples of run.until_steady.error go on behind a checkpoint, also for another error.
TEST(Restart, GoesOnToASmallerErrorOfTheSteadyFlow) {
  const Runs runs(channel);
  const std::string until = "--set run.until_steady.error=";
  ASSERT_EQ(runs.run("whole", until + "0.001").exit_code, 0);
  ASSERT_EQ(runs.run("parts", until + "0.03").exit_code, 0);
  const std::string file = "parts/" + runs.checkpoints("parts").back();
  ASSERT_EQ(runs.restart(file, until + "0.001").exit_code, 0);
  const auto limits = [&](const std::string& run) {
    const auto report = YAML::LoadFile(runs.path(run + "/report.json").string());
    EXPECT_EQ(report["exit_reason"].as<std::string>(), "steady");
    return YAML::Dump(report["until_steady"]);
  };
  EXPECT_EQ(limits("parts"), limits("whole"));
}

}  // namespace
}  // namespace lbm::cases::test
