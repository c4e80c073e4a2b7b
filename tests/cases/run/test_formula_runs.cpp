// SPDX-License-Identifier: Apache-2.0

// Runs whose initial flow, inlet, wall and force are formulas. Their restarts and ranks are tested
// with those of other flows (checkpoint/test_restart.cpp, ranks/test_ranks.cpp).
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <sstream>

#include "tests/cases/run/restart_support.hpp"

namespace lbm::cases::test {
namespace {

TEST(FormulaRuns, FormulasChangeTheFlowAllTheTime) {
  const Runs runs(by_formula);
  ASSERT_EQ(runs.run("a").exit_code, 0);
  int i = 0;
  for (const char* const change :
       {"boundaries.x_min.velocity_factor='cos(9*t)'", "boundaries.z_min.velocity_factor='1'",
        "force.acceleration=[0,'0.1*x/lx',0]", "force.acceleration_factor='1'",
        "initial.pressure='0'", "boundaries.z_max.pressure=0", "bodies.ball.velocity_factor='1'",
        "boundaries.z_min.velocity=[0,0,'2.4*U*x*(lx-x)/lx^2']"}) {
    const std::string other = fmt::format("b{}", i++);
    const Outcome outcome = runs.run(other, fmt::format("--set \"{}\"", change));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(runs.text("a/forces_ball.csv"), runs.text(other + "/forces_ball.csv")) << change;
  }
}

TEST(FormulaRuns, WithAnotherFormulaIsRefused) {
  const Runs runs(by_formula);
  ASSERT_EQ(runs.run("a", "--set checkpoint.every_steps=50").exit_code, 0);
  EXPECT_TRUE(has(runs.text("a/effective_case.yaml"), R"x(velocity_factor: "cos(9*t) - 0.1*t")x"));
  const Outcome outcome =
      runs.restart("a", "--set \"boundaries.x_min.velocity_factor='cos(9*t)'\"");
  expect_one_line(outcome, 2,
                  R"x(boundaries.x_min.velocity_factor: "cos(9*t) - 0.1*t" -> "cos(9*t)")x");
}

// Not at one of the times that are looked at before the run.
TEST(FormulaRuns, AFactorThatBecomesInfiniteEndsTheRun) {
  const Runs runs(by_formula);
  const Outcome outcome =
      runs.run("a",
               "--set run.steps=4000 --set output.monitor=4000 --set "
               "\"boundaries.x_min.velocity_factor='1/(abs(t - 11.445714285714) < 1e-9 ? 0 "
               ": 1)'\"");
  expect_one_line(outcome, 2, "boundaries.x_min.velocity_factor: it is inf at t = 11.44");
}

// Kolmogorov flow, f sin(k z) along x: u = f / (nu k^2) sin(k z) and no pressure. The velocities of
// probes, of files and of quantities have half of the force, which is 0.4 % of the velocity here.
TEST(FormulaRuns, AForceByFormulasOfThePlaceDrivesItsFlow) {
  const Runs runs(R"yaml(
grid: {cells: [5, 4, 24]}
boundaries: {x_min: periodic, x_max: periodic, y_min: periodic, y_max: periodic, z_min: periodic, z_max: periodic}
fluid: {tau: 0.8, length: 24, lattice_velocity: 0.02}
lattice: {storage: fp64, collision: trt}
force: {acceleration: ["4*pi^2/Re*sin(2*pi*z/lz)", 0, 0]}
run: {steps: 4000}
output: {profiles: false, at_end: false}
probes: {crest: {points: [[2.5, 1.5, 6.5]], every_steps: 4000}}
quantities:
  point: {kind: point, field: velocity.x, point: [2.5, 1.5, 6.5]}
  mean: {kind: mean, field: velocity.x, slice: z, at: 6.5}
)yaml");
  const Outcome outcome = runs.run("a");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const YAML::Node found = YAML::Load(runs.text("a/report.json"))["quantities"];
  const double point = found[0]["value"].as<double>(), mean = found[1]["value"].as<double>();
  const double k = 2 * std::numbers::pi / 24, magic = 0.02;
  const double of_scheme = 2.0 / 3 * (magic - 0.25) * k * k;  // relative error (docs/method.md)
  EXPECT_NEAR(mean, std::sin(k * 6.5) * (1 + of_scheme), 1e-4);
  EXPECT_NEAR(point, mean, 1e-6);
  const std::string row = runs.text("a/probe_crest.csv");
  const std::string last = row.substr(row.rfind('\n', row.size() - 2) + 1);
  double step = 0, time = 0, pressure = 0, ux = 0;
  ASSERT_EQ(std::sscanf(last.c_str(), "%lf,%lf,%lf,%lf", &step, &time, &pressure, &ux), 4);
  EXPECT_NEAR(pressure, 0, 1e-6);
  EXPECT_NEAR(ux, mean, 1e-6);
}

// Fluid at rest under gravity g = 2e-4 cells / step^2 between two open faces whose pressure is the
// weight above: p = rho0 / 3 (exp(-3 g y) - 1), since the density falls with height. A constant
// pressure makes it flow.
TEST(FormulaRuns, HoldAColumnBetweenOutletsWhosePressureIsItsWeight) {
  for (const char* const type : {"pressure", "outflow"}) {
    const std::string other = type == std::string("pressure") ? "pressure" : "wall";
    const Runs runs(fmt::format(
        R"yaml(
grid: {{cells: [6, 24, 16]}}
boundaries:
  x_min: periodic
  x_max: periodic
  z_min: {{type: {1} {2}}}
  z_max: {{type: {0}, pressure: "(exp(-6e-4*(y - ly/2)) - 1)/0.0012"}}
fluid: {{tau: 0.8, length: 24, lattice_velocity: 0.02}}
lattice: {{storage: fp64, collision: trt}}
force: {{acceleration: [0, -12, 0]}}
initial: {{flow: formula, velocity: [0, 0, 0], pressure: "(exp(-6e-4*(y - ly/2)) - 1)/0.0012"}}
run: {{steps: 3000}}
output: {{at_end: false, profiles: false}}
quantities:
  speed: {{kind: mean, field: speed}}
)yaml",
        type, other,
        other == "wall" ? "" : R"x(, pressure: "(exp(-6e-4*(y - ly/2)) - 1)/0.0012")x"));
    const auto speed = [&](const std::string& out, const std::string& more) {
      const Outcome outcome = runs.run(out, more);
      EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
      return YAML::Load(runs.text(out + "/report.json"))["quantities"][0]["value"].as<double>();
    };
    const double rest = speed("rest", "");
    const double constant = speed("constant", "--set boundaries.z_max.pressure=0");
    EXPECT_GT(constant, 0.01) << type;
    EXPECT_LT(rest, 1e-3 * constant) << type;
  }
}

// The floor of a box as a body that swings with a factor, against the same floor as a face.
TEST(FormulaRuns, MoveABodyAsAFaceWithTheSameFactor) {
  const std::string flow = R"yaml(
grid: {cells: [4, 6, 24]}
boundaries: {x_min: periodic, x_max: periodic, y_min: periodic, y_max: periodic, z_max: wall, z_min: {type: wall FACE}}
BODIES
fluid: {tau: 0.7, length: 16, lattice_velocity: 0.05}
lattice: {storage: fp64}
run: {steps: 700}
output: {at_end: false, profiles: false}
quantities:
  speed: {kind: point, field: velocity.x, point: [2, 2, 11.5], every_steps: 10}
)yaml";
  const auto with = [&](const std::string& face, const std::string& bodies) {
    std::string text = flow;
    text.replace(text.find("FACE"), 4, face);
    return text.replace(text.find("BODIES"), 6, bodies);
  };
  const std::string motion = R"x(velocity: [1, 0.5, 0], velocity_factor: "sin(0.9*t)")x";
  const Runs face(with(", " + motion, "") + "  floor: {kind: solid_cells}\n");
  const Runs body(with("", "bodies: {floor: {shape: box, center: [2, 3, 2], size: [90, 90, 8], " +
                               motion + "}}") +
                  "  floor: {kind: solid_cells}\n");
  ASSERT_EQ(
      face.run("a", "--set grid.cells=[4,6,18] --set quantities.speed.point=[2,2,5.5]").exit_code,
      0);
  ASSERT_EQ(body.run("a").exit_code, 0);
  const auto series = [](const Runs& runs) { return runs.text("a/quantity_speed.csv"); };
  const auto values = [&](const Runs& runs) {
    std::vector<double> all;
    std::istringstream lines(series(runs));
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("#") || line.starts_with("step")) continue;
      all.push_back(std::stod(line.substr(line.rfind(',') + 1)));
    }
    return all;
  };
  const auto of_face = values(face), of_body = values(body);
  ASSERT_EQ(of_face.size(), 70U);
  ASSERT_EQ(of_body.size(), 70U);
  for (std::size_t i = 0; i < of_face.size(); ++i) EXPECT_NEAR(of_face[i], of_body[i], 1e-12) << i;
  EXPECT_GT(*std::max_element(of_face.begin(), of_face.end()), 0.05);
}

TEST(FormulaRuns, RefuseAFactorWithoutAMotionAndAPressureOfOtherPlaces) {
  const Runs runs(by_formula);
  expect_one_line(runs.run("a", "--set bodies.ball.angular_velocity=null"), 2,
                  "bodies.ball.velocity_factor: missing: velocity or angular_velocity");
  expect_one_line(runs.run("a", "--set bodies.ball.velocity_factor='100*t'"), 2,
                  "bodies.ball.angular_velocity: found a speed of");
  expect_one_line(runs.run("a", "--set boundaries.z_max.pressure=z"), 2,
                  "boundaries.z_max.pressure: ");
  expect_one_line(runs.run("a", "--set boundaries.z_max.pressure='1e6*x'"), 2,
                  "times the reference density at");
  expect_one_line(runs.run("a", "--set boundaries.z_max.type=far_field"), 2,
                  "pressure: by formulas conflicts with type: far_field");
}

}  // namespace
}  // namespace lbm::cases::test
