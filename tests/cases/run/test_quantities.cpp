// SPDX-License-Identifier: Apache-2.0

// Named quantities: cells and weights of regions and points, and runs with known values.
#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <cmath>
#include <numbers>

#include "cases/case/model/case_model.hpp"
#include "cases/case/model/regions.hpp"
#include "tests/cases/case_support.hpp"
#include "tests/cases/program.hpp"
#include "tests/cases/run/restart_support.hpp"
#include "tests/io/scratch.hpp"

namespace lbm::cases {
namespace {

using lbm::testing::ScratchDirectory;
using test::duct;
using test::error_of;
using test::FinishedRun;
using test::lbm_program;

const std::string box = R"(
grid: {cells: [12, 10, 14]}
fluid: {tau: 0.8, lattice_velocity: 0.05, length: 10}
run: {steps: 40}
)";

struct Made {
  Case lbm_case;
  CaseModel model;

  explicit Made(const std::string& text)
      : lbm_case(parse_case(box + text, "q.yaml", {})),
        model(make_case_model(lbm_case, derive(lbm_case))) {}
  QuantityRegion::Count count(std::size_t quantity = 0) const {
    return QuantityRegion(lbm_case, model.derived, lbm_case.quantities.at(quantity))
        .count(model.boundaries);
  }
};

TEST(QuantityRegion, CountsCells) {
  const Made made(R"(
bodies: {block: {shape: box, center: [6, 5, 7], size: [4, 4, 6]}}
quantities:
  all: {kind: porosity}
  part: {kind: fluid_cells, box_from: [0, 0, 0], box_to: [6, 5, 7]}
  plane: {kind: solid_cells, slice: z, at: 7.5}
  face: {kind: fluid_cells, face: x_max}
)");
  EXPECT_EQ(made.count(0).solid, 96);
  EXPECT_EQ(made.count(0).fluid, 12 * 10 * 14 - 96);
  EXPECT_EQ(made.count(1).solid, 2 * 2 * 3);
  EXPECT_EQ(made.count(1).fluid, 6 * 5 * 7 - 12);
  EXPECT_EQ(made.count(2).solid, 16);
  EXPECT_EQ(made.count(3).fluid, 10 * 14);
}

TEST(QuantityRegion, TakesTheCellsOfAPatchThatTheFirstOneLeaves) {
  const Made made(R"(
boundaries:
  y_max:
    type: wall
    patches:
      first: {box: [2, 5, 0, 4]}
      second: {box: [0, 12, 0, 6]}
quantities:
  one: {kind: fluid_cells, face: y_max, patch: first}
  two: {kind: fluid_cells, face: y_max, patch: second}
)");
  EXPECT_EQ(made.count(0).fluid, 3 * 4);
  EXPECT_EQ(made.count(1).fluid, 12 * 6 - 3 * 4);
}

double extrapolated(const Made& made, const Vec3& place, double (*field)(int x, int y, int z)) {
  double sum = 0;
  for (const PointCell& point : cells_at_wall(made.lbm_case, made.model.boundaries, place)) {
    sum += point.weight * field(point.cell[0], point.cell[1], point.cell[2]);
  }
  return sum;
}

TEST(WallPressure, IsExactForLinearPressures) {
  const Made made("bodies: {ball: {shape: sphere, center: [6, 5, 7], radius: 3}}\n");
  const auto linear = [](int x, int y, int z) {
    return 2 + 0.5 * (x + 0.5) - 3 * (y + 0.5) + 0.25 * (z + 0.5);
  };
  const double s = std::sqrt(1.0 / 3);
  // Faces, an edge, a corner; places on the ball.
  for (const Vec3& place : {Vec3{0, 5, 7}, Vec3{12, 2.3, 4.1}, Vec3{3, 0, 14}, Vec3{0, 0, 0},
                            Vec3{9, 5, 7}, Vec3{6 + 3 * s, 5 - 3 * s, 7 + 3 * s}}) {
    const double exact = 2 + 0.5 * place[0] - 3 * place[1] + 0.25 * place[2];
    EXPECT_NEAR(extrapolated(made, place, linear), exact, 1e-6) << place[0] << " " << place[1];
  }
}

// Another pressure behind the plate does not count.
TEST(WallPressure, TakesOneSideOfAPlate) {
  const Made made(
      "bodies: {plate: {shape: box, center: [6, 5, 7], size: [1, 40, 40], translate: [0.5, 0, "
      "0]}}\n");
  const auto sides = [](int x, int, int) { return x < 6 ? 1.0 : 100.0; };
  EXPECT_NEAR(extrapolated(made, {6, 5, 7}, sides), 1, 1e-9);
  EXPECT_NEAR(extrapolated(made, {7, 5, 7}, sides), 100, 1e-7);
}

TEST(WallPressure, GoesThroughPeriodicFacesButNotThroughAPressureDrop) {
  const auto along_z = [](int, int, int z) { return z < 7 ? 1.0 : 100.0; };
  const std::string periodic = "boundaries: {z_min: periodic, z_max: periodic}\n";
  EXPECT_GT(extrapolated(Made(periodic), {0, 5, 0.3}, along_z), 10);
  const std::string drop =
      "boundaries: {z_min: {type: periodic, pressure_drop: 0.1}, z_max: periodic}\n";
  EXPECT_NEAR(extrapolated(Made(drop), {0, 5, 0.3}, along_z), 1, 1e-9);
}

TEST(Quantities, RefuseWhatOnlyTheBodiesShow) {
  const std::string ball = "bodies: {ball: {shape: sphere, center: [6, 5, 7], radius: 3.5}}\n";
  const auto error = [&](const std::string& quantity) {
    return error_of([&] { Made(ball + "quantities: {q: " + quantity + "}\n"); });
  };
  EXPECT_EQ(
      error("{kind: point, field: density, point: [6, 5, 7]}"),
      "q.yaml:6: quantities.q.point: found a place inside a body, [6, 5, 7] cells, must be in "
      "the fluid");
  EXPECT_EQ(error("{kind: wall_pressure, point: [6, 5, 7]}"),
            "q.yaml:6: quantities.q.point: found a place deep inside a body, [6, 5, 7] cells, must "
            "be on its surface, at most 2 cells from the fluid");
  EXPECT_EQ(error("{kind: mean, field: density, box_from: [5, 4, 6], box_to: [7, 6, 8]}"),
            "q.yaml:6: quantities.q.kind: found no fluid cell in the region of this quantity, must "
            "hold one at least: move it");
  EXPECT_EQ(
      error_of([] { Made("quantities: {q: {kind: wall_pressure, point: [6, 5, 7]}}\n"); }),
      "q.yaml:5: quantities.q.point: found a place without a wall, [6, 5, 7] cells, must be on "
      "a wall, at most 2 cells from it: move it or take kind: point");
}

TEST(Quantities, RefuseKeysThatTheirKindLacks) {
  const auto error = [](const std::string& quantity) {
    return error_of([&] { Made("quantities: {q: " + quantity + "}\n"); });
  };
  const auto refused = [&](const std::string& quantity, const std::string& text) {
    EXPECT_NE(error(quantity).find("quantities.q." + text), std::string::npos) << error(quantity);
  };
  refused("{field: speed}", "kind: missing");
  refused("{kind: mean}", "field: missing: kind: mean requires it");
  refused("{kind: point, field: speed}", "point: missing: kind: point requires it");
  refused("{kind: point, field: enstrophy, point: [1, 1, 1]}", "field: found enstrophy");
  refused("{kind: porosity, every_steps: 2}", "every_steps: conflicts with kind: porosity");
  refused("{kind: torque, bodies: [ball], direction: [1, 0, 0], length: 2}", "length: conflicts");
  refused("{kind: flow_rate}", "slice: missing: kind: flow_rate requires it");
  refused("{kind: flow_rate, slice: z}", "slice: missing: at");
  refused("{kind: flow_rate, face: x_min, slice: z, at: 1}", "face: conflicts with slice");
  refused("{kind: mean, field: speed, patch: inlet}", "patch: missing: face");
  refused("{kind: mean, field: speed, start: 0.1}", "start: missing: every_steps");
  refused("{kind: force, bodies: [ball], direction: [0, 0, 0]}", "direction: found");
}

// `lbm plan` asks for other boxes, in which the places of the case lie outside or far from walls.
TEST(Quantities, AreCountedInOtherBoxes) {
  const Made made("quantities: {q: {kind: wall_pressure, point: [12, 5, 7]}}\n");
  for (const int n : {3, 12, 60}) {
    Case other = made.lbm_case;
    other.grid.cells = {n, n, n};
    EXPECT_GT(probe_cells(other, derive(other), Boundaries()).size(), 0) << n;
  }
}

// A uniform stream of 2 m/s and 1000 kg/m^3: 2 x area for all planes and faces.
TEST(Quantities, AreInUnitsOfTheCase) {
  const FinishedRun run(R"(
units: si
grid: {cells: [8, 10, 12], spacing: 0.1}
boundaries: {x_min: periodic, x_max: periodic, y_min: periodic, y_max: periodic, z_min: periodic, z_max: periodic}
fluid: {velocity: 2, length: 1, reynolds: 10, density: 1000}
initial: {flow: uniform, velocity: [0, 0, 2]}
run: {steps: 20}
output: {at_end: false}
quantities:
  all: {kind: flow_rate, slice: z, at: 0.55}
  part: {kind: flow_rate, slice: z, at: 0.55, box_from: [0, 0, 0], box_to: [0.4, 0.5, 1.2]}
  across: {kind: flow_rate, face: x_min}
  density: {kind: mean, field: density}
  pressure: {kind: point, field: pressure, point: [0.4, 0.4, 0.4]}
  speed: {kind: point, field: speed, point: [0.4, 0.4, 0.4], every_steps: 7}
)");
  EXPECT_NEAR(run.value("all"), 2 * 0.8 * 1.0, 1e-5);
  EXPECT_NEAR(run.value("part"), 2 * 0.4 * 0.5, 1e-5);
  EXPECT_NEAR(run.value("across"), 0, 1e-5);
  EXPECT_NEAR(run.value("density"), 1000, 1e-2);
  EXPECT_NEAR(run.value("pressure"), 0, 1);
  EXPECT_NEAR(run.value("speed"), 2, 1e-5);
  EXPECT_EQ(run.quantity("all")["unit"].as<std::string>(), "m^3/s");
  EXPECT_EQ(run.quantity("speed")["samples"].as<int>(), 2);  // steps 7 and 14; 20 is only written
  const std::string csv =
      lbm::testing::read_text(run.scratch.path() / "out" / "quantity_speed.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 3 + 3) << csv;
}

// The device adds up the cells of a face, the host those of a patch.
TEST(Quantities, AreThoseOfAPatchThatIsTheWholeFace) {
  std::string text = R"(
grid: {cells: [18, 11, 20]}
boundaries:
  z_min: {type: velocity, velocity: [0, 0, 0.1], patches: {all: {box: [0, 18, 0, 11], type: velocity, velocity: [0, 0.3, 1]}}}
  z_max: {type: outflow, pressure: 0.2}
bodies: {ball: {shape: sphere, center: [7, 5, 2], radius: 3}}
fluid: {reynolds: 30, length: 11, lattice_velocity: 0.05}
run: {steps: 60}
output: {at_end: false}
quantities:
)";
  const std::vector<std::string> kinds{"flow_rate", "mean, field: pressure", "mean, field: density",
                                       "mean, field: velocity.y", "mean, field: speed"};
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    constexpr auto key = "  {}{}: {{kind: {}, face: z_min, every_steps: 10{}}}\n";
    text += fmt::format(key, "of_face", i, kinds[i], "");
    text += fmt::format(key, "of_patch", i, kinds[i], ", patch: all");
  }
  const FinishedRun run(text);
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const YAML::Node of_face = run.quantity(fmt::format("of_face{}", i));
    const YAML::Node of_patch = run.quantity(fmt::format("of_patch{}", i));
    for (const char* number : {"value", "mean", "rms"}) {
      EXPECT_NEAR(of_face[number].as<double>(), of_patch[number].as<double>(), 1e-7) << kinds[i];
      EXPECT_NE(of_face[number].as<double>(), 0) << kinds[i];
    }
    EXPECT_EQ(of_face["samples"].as<int>(), 6);
  }
}

// Couette flow, whose shear U / H is exact for central differences, beside walls, too.
TEST(Quantities, AreTheEnstrophyAndTheDissipationOfAShear) {
  for (const bool cut : {false, true}) {
    const FinishedRun run(fmt::format(R"(
grid: {{cells: [8, 4, 20]}}
boundaries:
  x_min: periodic
  x_max: periodic
  y_min: periodic
  y_max: periodic
  z_min: {{type: wall}}
  z_max: {{type: wall, velocity: [1, 0, 0]}}
fluid: {{reynolds: 40, length: 20, lattice_velocity: 0.05}}
initial: {{flow: formula, velocity: [z / 20, 0, 0]}}
lattice: {{storage: fp64}}
run: {{steps: 40}}
output: {{at_end: false}}
quantities:
  turning: {{kind: mean, field: enstrophy {0}}}
  heating: {{kind: mean, field: dissipation, every_steps: 10 {0}}}
)",
                                      cut ? ", slice: z, at: 3.5" : ""));
    EXPECT_NEAR(run.value("turning"), 0.5, 1e-5);
    EXPECT_NEAR(run.value("heating"), 1.0 / 40, 1e-6);
    EXPECT_EQ(run.quantity("heating")["samples"].as<int>(), 4);
    EXPECT_EQ(run.quantity("heating")["unit"].as<std::string>(), "U^3/L");
    EXPECT_NEAR(run.quantity("heating")["maximum"].as<double>(), 1.0 / 40, 1e-6);
    EXPECT_LE(run.quantity("heating")["maximum_time"].as<double>(), 40 * 0.05 / 20 + 1e-12);
  }
}

// 40 m of a Taylor-Green vortex of amplitude A: the mean enstrophy is 3/8 (A k)^2, less the error
// of differences; in a periodic box the dissipation is 2 nu times that.
TEST(Quantities, AreTheEnstrophyAndTheDissipationOfAVortex) {
  const FinishedRun run(R"x(
units: si
grid: {cells: [32, 32, 32], spacing: 1.25}
boundaries: {x_min: periodic, x_max: periodic, y_min: periodic, y_max: periodic, z_min: periodic, z_max: periodic}
fluid: {velocity: 3, length: 40, viscosity: 1, lattice_velocity: 0.01, density: 1}
initial: {flow: formula, velocity: ["3*sin(2*pi*x/40)*cos(2*pi*y/40)*cos(2*pi*z/40)", "-3*cos(2*pi*x/40)*sin(2*pi*y/40)*cos(2*pi*z/40)", "0"]}
run: {steps: 1}
output: {at_end: false}
quantities:
  turning: {kind: mean, field: enstrophy}
  heating: {kind: mean, field: dissipation}
  speed: {kind: point, field: velocity.x, point: [10.625, 0.625, 0.625]}
)x");
  const double k = 2 * std::numbers::pi / 40, h = 1.25;
  const double amplitude = run.value("speed") / std::pow(std::cos(k * h / 2), 3);
  const double enstrophy = 3.0 / 8 * std::pow(amplitude * std::sin(k * h) / h, 2);
  EXPECT_NEAR(run.value("turning") / enstrophy, 1, 1e-3);
  EXPECT_NEAR(run.value("heating") / run.value("turning"), 2, 1e-4);
  EXPECT_EQ(run.quantity("turning")["unit"].as<std::string>(), "1/s^2");
}

// Steady: the bodies feel the force on the fluid, and with the gradient that on the whole box. In
// rho0 U^2 L^2, the volume of a cell is 1 / 8^3.
TEST(Quantities, AddThePressureGradientToForces) {
  const FinishedRun run(duct + R"(
quantities:
  exchanged: {kind: force, bodies: [low, high], direction: [0, 0, 5]}
  whole: {kind: force, bodies: [low, high], direction: [0, 0, 1], pressure_gradient: true}
  low: {kind: force, bodies: [low], direction: [0, 0, 1], pressure_gradient: true, length: 4}
  coefficient: {kind: coefficient, bodies: [low], direction: [0, 0, -1], pressure_gradient: true}
)");
  const double cell = 0.1 / (8 * 8 * 8);
  EXPECT_NEAR(run.value("exchanged"), cell * 8 * 4 * 12, 1e-4 * cell * 8 * 4 * 12);
  EXPECT_NEAR(run.value("whole"), cell * 12 * 4 * 12, 1e-4 * cell * 12 * 4 * 12);
  EXPECT_NEAR(run.value("low"), cell * 6 * 4 * 12 / 0.5, 1e-4 * cell * 6 * 4 * 12 / 0.5);
  EXPECT_NEAR(run.value("coefficient"), -2 * cell * 6 * 4 * 12, 2e-4 * cell * 6 * 4 * 12);
}

}  // namespace
}  // namespace lbm::cases
