// SPDX-License-Identifier: Apache-2.0

// The same case on coarser grids: by grid.spacing, and as a start (run.cascade).
#include <yaml-cpp/yaml.h>

#include "cases/case/initial/coarser_case.hpp"
#include "tests/cases/case_support.hpp"
#include "tests/cases/run/ranks/ranks_support.hpp"
#include "tests/cases/run/restart_support.hpp"

namespace lbm::cases::test {
namespace {

// A ball in a stream between slip walls, with forces and formulas of the place.
const std::string ball = R"yaml(
name: ball
grid: {cells: [24, 24, 48]}
boundaries:
  x_min: slip
  x_max: slip
  y_min: periodic
  y_max: periodic
  z_min: {type: velocity, velocity: [0, 0, 1], ramp_time: 1}
  z_max: outflow
bodies:
  ball: {shape: sphere, center: [12, 12, 16], radius: 4}
fluid: {tau: 0.9, length: 8, lattice_velocity: 0.05}
lattice: {collision: trt}
quantities: {drag: {kind: coefficient, bodies: [ball], direction: [0, 0, 1]}}
run:
  convective_times: 40
  until_steady: {tolerance: 1e-4, quantities: [drag]}
)yaml";

Case ball_case() { return parse_case(ball, "ball.yaml"); }

YAML::Node report_of(const Runs& runs, const std::string& out) {
  return YAML::Load(runs.text(out + "/report.json"));
}

double drag_of(const Runs& runs, const std::string& out) {
  return report_of(runs, out)["quantities"][0]["value"].as<double>();
}

TEST(CoarserCase, IsTheSameFlowInLargerCells) {
  const Case own = ball_case();
  const Derived fine = validate(own);
  const Case coarser = coarser_case(own, fine, 4);
  const Derived coarse = validate(coarser);
  EXPECT_EQ(coarser.grid.cells, (std::array{6, 6, 12}));
  EXPECT_EQ(coarser.grid.spacing, 4);
  EXPECT_NEAR(coarse.reynolds, fine.reynolds, 1e-12 * fine.reynolds);
  EXPECT_DOUBLE_EQ(coarse.length, fine.length / 4);
  EXPECT_DOUBLE_EQ(coarse.velocity, fine.velocity);
  EXPECT_EQ(coarse.steps, fine.steps / 4);
  const Units large = make_units(coarser, coarse), small = make_units(own, fine);
  EXPECT_DOUBLE_EQ(to_cells(large, 12.0), to_cells(small, 12.0) / 4);
  EXPECT_DOUBLE_EQ(large.time, 4 * small.time);
  EXPECT_TRUE(coarser.expect.empty());
}

TEST(CoarserCase, HasCoarserImages) {
  Case own = ball_case();
  Body image;
  image.shape = BodyShape::voxels;
  image.refine = 6;
  own.bodies = {image};
  EXPECT_EQ(coarser_case(own, derive(own), 2).bodies[0].refine, 3);
  own.bodies[0].refine = 2;
  const Case coarser = coarser_case(own, derive(own), 8);
  EXPECT_EQ(coarser.bodies[0].coarsen, 4);
  EXPECT_FALSE(coarser.bodies[0].refine);
}

TEST(CoarserCase, RefusesGridsThatAreNoMultiple) {
  const std::string error = error_of([] {
    validate(parse_case(ball, "ball.yaml", {"run.cascade=3", "grid.cells=[24, 24, 50]"}));
  });
  EXPECT_TRUE(has(error, "50 along z")) << error;
  EXPECT_EQ(validate(parse_case(ball, "ball.yaml", {"run.cascade=3"})).steps,
            validate(ball_case()).steps);
}

// In twice as large cells, lengths as before: 144 / 12 (1 + 1 / (2 x 6^2)) for six cells across.
TEST(Spacing, KeepsTheUnitOfLengths) {
  const Runs runs(R"(
name: channel
grid: {cells: [6, 2, 2], spacing: 2}
boundaries: {y_min: periodic, y_max: periodic, z_min: periodic, z_max: periodic}
fluid: {viscosity: 0.4, length: 12, lattice_velocity: 0.02}
lattice: {collision: trt, storage: fp64}
force: {acceleration: [0, 0, 0.1]}
quantities: {k: {kind: permeability}}
run: {steps: 3000}
output: {at_end: false, profiles: false}
)");
  const Outcome outcome = runs.run("o");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NEAR(drag_of(runs, "o"), 12 * (1 + 1.0 / 72), 1e-4);
}

TEST(Cascade, ComesToTheSameAnswerInFewerSteps) {
  const Runs runs(ball);
  ASSERT_EQ(runs.run("rest").exit_code, 0);
  const Outcome outcome = runs.run("cascade", "--set run.cascade=3");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const YAML::Node rest = report_of(runs, "rest"), cascade = report_of(runs, "cascade");
  EXPECT_NEAR(drag_of(runs, "cascade"), drag_of(runs, "rest"), 2e-3 * drag_of(runs, "rest"));
  EXPECT_LT(cascade["steps"].as<int>(), 0.6 * rest["steps"].as<int>());
  ASSERT_EQ(cascade["coarser_grids"].size(), 2U);
  EXPECT_EQ(cascade["coarser_grids"][0]["factor"].as<int>(), 4);
  EXPECT_EQ(cascade["coarser_grids"][1]["exit_reason"].as<std::string>(), "steady");
  EXPECT_EQ(rest["coarser_grids"].size(), 0U);
  // The coarse flows are not kept.
  for (const auto& entry : fs::directory_iterator(runs.path("cascade/coarser_2"))) {
    EXPECT_NE(entry.path().extension(), ".hdf");
  }
}

TEST(Cascade, HasTheSameBitsForSchedulesAndRanks) {
  const Runs runs(ball);
  const std::string few = "--set run.cascade=2 --set run.convective_times=2 ";
  ASSERT_EQ(runs.run("one", few).exit_code, 0);
  ASSERT_EQ(
      runs.run("halo", few + "--set tiling.scheme=halo --set tiling.steps_per_visit=3").exit_code,
      0);
  const Outcome ranks =
      several(2, fmt::format("run '{}' --out '{}' {}", runs.path("case.yaml").string(),
                             runs.path("ranks").string(), few));
  ASSERT_EQ(ranks.exit_code, 0) << ranks.err;
  for (const char* file : {"quantity_drag.csv", "profile_z.csv"}) {
    EXPECT_EQ(runs.text(std::string("one/") + file), runs.text(std::string("halo/") + file));
    EXPECT_EQ(runs.text(std::string("one/") + file), runs.text(std::string("ranks/") + file));
  }
}

// A force by place keeps the collision model, which does not bear the lid on 8 x 8 cells.
// A slab that only conducts: the coarser grids find the straight line, which 4 x 10^4 steps of the
// fine one would.
TEST(Cascade, HandsScalarsOn) {
  const Runs runs(R"yaml(
name: slab
grid: {cells: [4, 4, 32]}
boundaries: {x_min: periodic, x_max: periodic, y_min: periodic, y_max: periodic}
fluid: {tau: 0.8, length: 32, lattice_velocity: 0.01}
scalars:
  heat:
    prandtl: 1
    reference: 5
    boundaries: {z_min: {type: value, value: 7}, z_max: {type: value, value: 5}}
quantities: {above: {kind: mean, field: heat, slice: z, at: 31.5}}
run: {steps: 2, cascade: 3, cascade_time: 10}
output: {profiles: false}
)yaml");
  const Outcome outcome = runs.run("one");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NEAR(report_of(runs, "one")["quantities"][0]["value"].as<double>(), 5 + 2 * 0.5 / 32,
              1e-4);
  const Outcome ranks =
      several(2, fmt::format("run '{}' --out '{}'", runs.path("case.yaml").string(),
                             runs.path("ranks").string()));
  ASSERT_EQ(ranks.exit_code, 0) << ranks.err;
  EXPECT_EQ(runs.text("one/quantity_above.csv"), runs.text("ranks/quantity_above.csv"));
}

TEST(Cascade, GoesOnWhereACoarserGridDiverges) {
  const Runs runs(R"yaml(
name: cavity
grid: {cells: [32, 32, 1]}
boundaries:
  y_max: {type: wall, velocity: [1, 0, 0]}
  z_min: periodic
  z_max: periodic
fluid: {reynolds: 300}
force: {acceleration: ["1e-6*x", 0, 0]}
run: {convective_times: 20, cascade: 3}
output: {profiles: false}
)yaml");
  const Outcome outcome = runs.run("o");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const YAML::Node coarser = report_of(runs, "o")["coarser_grids"];
  EXPECT_TRUE(has(coarser[0]["exit_reason"].as<std::string>(), "diverged"));
}

// The force drives the coarser flows beyond run.max_mach. Each start has other bytes after five
// steps.
TEST(Cascade, StartsByDarcysLawWhereAllCoarserGridsDiverge) {
  const Runs runs(R"yaml(
name: driven
grid: {cells: [16, 16, 32]}
boundaries: {y_min: periodic, y_max: periodic, z_min: periodic, z_max: periodic}
bodies: {ball: {shape: sphere, center: [8, 8, 16], radius: 5}}
fluid: {tau: 0.8, length: 16, lattice_velocity: 0.01}
force: {acceleration: [0, 0, 200]}
initial: {flow: darcy}
run: {steps: 5, max_mach: 0.1}
output: {profiles: false}
)yaml");
  const std::string cascade = "--set run.cascade=3 --set run.cascade_time=20 ";
  const std::string end = "/fields_000000005.hdf";
  ASSERT_EQ(runs.run("darcy").exit_code, 0);
  ASSERT_EQ(runs.run("rest", "--set initial.flow=rest").exit_code, 0);
  const Outcome outcome = runs.run("cascade", cascade);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const YAML::Node coarser = report_of(runs, "cascade")["coarser_grids"];
  ASSERT_EQ(coarser.size(), 2U);
  for (const auto& grid : coarser) {
    EXPECT_TRUE(has(grid["exit_reason"].as<std::string>(), "diverged")) << YAML::Dump(grid);
  }
  EXPECT_NE(runs.text("rest" + end), runs.text("darcy" + end));
  EXPECT_EQ(runs.text("cascade" + end), runs.text("darcy" + end));
}

TEST(Cascade, GoesOnAfterASignalOnACoarserGrid) {
  const Runs runs(ball);
  const std::string args =
      "--set run.cascade=2 --set run.cascade_time=8 "
      "--set run.convective_times=1 --set run.until_steady={} ";
  ASSERT_EQ(runs.run("whole", args).exit_code, 0);
  const Outcome stopped = runs.run("stopped", args + "--set run.walltime=0.0001");
  EXPECT_EQ(stopped.exit_code, 6) << stopped.err;
  EXPECT_TRUE(has(stopped.err, "--restart")) << stopped.err;
  const Outcome again = runs.run("", args + "--restart '" + runs.path("stopped").string() + "'");
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(runs.text("whole/quantity_drag.csv"), runs.text("stopped/quantity_drag.csv"));
}

TEST(Cascade, OverwritesNoFinishedRun) {
  const Runs runs(ball);
  const std::string args =
      "--set run.cascade=2 --set run.cascade_time=4 --set run.convective_times=1 ";
  ASSERT_EQ(runs.run("o", args).exit_code, 0);
  const std::string before = runs.text("o/quantity_drag.csv");
  expect_one_line(runs.restart("o", args + "--set fluid.tau=0.8"), 2, "no checkpoint");
  EXPECT_EQ(runs.text("o/quantity_drag.csv"), before);
}

TEST(Cascade, IsNotRepeatedAfterARestart) {
  const Runs runs(ball);
  const std::string args = "--set run.cascade=2 --set run.cascade_time=4 ";
  ASSERT_EQ(
      runs.run("o", args + "--set run.convective_times=1 --set checkpoint.at_end=true").exit_code,
      0);
  const std::string before = YAML::Dump(report_of(runs, "o")["coarser_grids"]);
  for (const char* times : {"2", "3"}) {
    const Outcome again = runs.restart(
        "o", args + "--set checkpoint.at_end=true --set run.convective_times=" + times);
    EXPECT_EQ(again.exit_code, 0) << again.err;
    EXPECT_FALSE(has(again.err, "times as coarse")) << again.err;
    const YAML::Node report = report_of(runs, "o");
    EXPECT_GT(report["restarted_from_step"].as<int>(), 0);
    ASSERT_EQ(report["coarser_grids"].size(), 1U);
    EXPECT_EQ(YAML::Dump(report["coarser_grids"]), before);
  }
  // Without the earlier report they are not known.
  fs::remove(runs.path("o/report.json"));
  EXPECT_EQ(runs.restart("o", args + "--set run.convective_times=4").exit_code, 0);
  EXPECT_EQ(report_of(runs, "o")["coarser_grids"].size(), 0U);
}

}  // namespace
}  // namespace lbm::cases::test
