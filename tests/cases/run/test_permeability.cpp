// SPDX-License-Identifier: Apache-2.0

// The permeability, and other quantities of porous media: channels between plates, whatever drives
// the flow.
#include <yaml-cpp/yaml.h>

#include "tests/cases/run/restart_support.hpp"

namespace lbm::cases::test {
namespace {

// Plates 12 cells apart: (12^2 + 1/2) / 12 is the mean of the exact parabola at centres of cells,
// times the viscosity and over the acceleration.
constexpr double exact = (12 * 12 + 0.5) / 12;

std::string channel(const std::string& faces, const std::string& more) {
  return std::string(R"(
name: channel
grid: {cells: [12, 4, 24]}
fluid: {tau: 0.9, length: 12, lattice_velocity: 0.02}
lattice: {collision: trt, storage: fp64}
run: {steps: 3000}
output: {at_end: false, profiles: false}
)") + "boundaries: {y_min: periodic, y_max: periodic, " +
         faces + "}\n" + more;
}

const std::string closed = "z_min: periodic, z_max: periodic";
const std::string permeability = "quantities: {k: {kind: permeability}}\n";

YAML::Node quantity_after(const std::string& text) {
  const Runs runs(text);
  const Outcome outcome = runs.run("o");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  return YAML::Load(runs.text("o/report.json"))["quantities"][0];
}

TEST(Permeability, IsThatOfAChannelWhateverDrivesIt) {
  const auto value = [](const std::string& faces, const std::string& more) {
    return quantity_after(channel(faces, more + permeability))["value"].as<double>();
  };
  EXPECT_NEAR(value(closed, "force: {acceleration: [0, 0, 0.5]}\n"), exact, 1e-5 * exact);
  EXPECT_NEAR(value(closed, "force: {acceleration: [0, 0, -0.5]}\n"), exact, 1e-5 * exact);
  EXPECT_NEAR(value("z_min: {type: periodic, pressure_drop: 1}, z_max: periodic", ""), exact,
              1e-3 * exact);
  EXPECT_NEAR(
      value("z_min: {type: pressure, pressure: 1}, z_max: {type: pressure, pressure: 0}", ""),
      exact, 1e-2 * exact);
}

// A force at an angle to the plates drives the flow along them alone: a quarter of the square of
// the force at 60 degrees.
TEST(Permeability, IsAlongTheForce) {
  const auto k = quantity_after(
      channel(closed, "force: {acceleration: [0.433012702, 0, 0.25]}\n" + permeability));
  EXPECT_NEAR(k["value"].as<double>(), exact / 4, 1e-4 * exact);
  EXPECT_EQ(k["unit"].as<std::string>(), "cells^2");
  EXPECT_FALSE(k["darcy"]);
}

// The same flow: its speed is twice its velocity along the force, and that over the area of a gap
// of 12 cells follows from the permeability.
TEST(PorousMedia, QuantitiesAreAlongTheForce) {
  const auto value = [](const std::string& kind) {
    return quantity_after(channel(closed,
                                  "force: {acceleration: [0.433012702, 0, 0.25]}\n"
                                  "quantities: {q: {kind: " +
                                      kind + "}}\n"));
  };
  EXPECT_NEAR(value("tortuosity")["value"].as<double>(), 2, 1e-4);
  const double along = exact / 4 * 0.5 * 0.02 / 12 / (0.4 / 3);  // k x acceleration / viscosity
  EXPECT_NEAR(value("pore_velocity")["value"].as<double>(), along, 1e-4 * along);
  EXPECT_EQ(value("pore_velocity")["unit"].as<std::string>(), "U");
  const double reynolds = along * 0.02 * 12 / (0.4 / 3);
  EXPECT_NEAR(value("pore_reynolds")["value"].as<double>(), reynolds, 1e-4 * reynolds);
}

// Half of the box is solid, so half of the velocity is left; a cell is 1e-4 m. The pores have all
// of the velocity.
TEST(Permeability, IsOfAllCellsAndInSquareMetres) {
  const Runs runs(R"(
name: channel
units: si
grid: {cells: [24, 4, 6], spacing: 1.0e-4}
boundaries: {y_min: periodic, y_max: periodic, z_min: periodic, z_max: periodic}
bodies: {half: {shape: box, center: [1.8e-3, 0, 0], size: [1.2e-3, 1, 1], walls: staircase}}
fluid: {velocity: 1.0e-3, viscosity: 1.0e-6, length: 1.2e-3, density: 1000, lattice_velocity: 0.0133}
lattice: {collision: trt, storage: fp64}
force: {acceleration: [0, 0, 0.01]}
run: {steps: 4000}
output: {at_end: false, profiles: false}
quantities: {k: {kind: permeability}, u: {kind: pore_velocity}, re: {kind: pore_reynolds}}
)");
  const Outcome outcome = runs.run("o");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const YAML::Node found = YAML::Load(runs.text("o/report.json"))["quantities"];
  const double k = exact / 2 * 1e-8, u = exact * 1e-8 * 0.01 / 1e-6;
  EXPECT_NEAR(found[0]["value"].as<double>(), k, 1e-3 * k);
  EXPECT_EQ(found[0]["unit"].as<std::string>(), "m^2");
  EXPECT_NEAR(found[0]["darcy"].as<double>(), k / 9.869233e-13, 1e-3 * k / 9.869233e-13);
  EXPECT_TRUE(has(outcome.out, "darcy)")) << outcome.out;
  EXPECT_NEAR(found[1]["value"].as<double>(), u, 1e-3 * u);
  EXPECT_EQ(found[1]["unit"].as<std::string>(), "m/s");
  EXPECT_NEAR(found[2]["value"].as<double>(), u * 1200, 1e-3 * u * 1200);
}

TEST(Permeability, NeedsAConstantDrive) {
  for (const std::string& drive :
       {std::string(), std::string("force: {acceleration: [0, 0, \"cos(t)\"]}\n"),
        std::string("force: {acceleration: [0, 0, 1], amplitude: [0, 0, 1], period: 10}\n")}) {
    const Runs runs(channel(closed, drive + permeability));
    expect_one_line(runs.run("o"), 2,
                    "a permeability needs a constant force.acceleration, a pressure_drop, or");
  }
  const Runs runs(channel(closed, "quantities: {t: {kind: tortuosity}}\n"));
  expect_one_line(runs.run("o"), 2, "a tortuosity needs a constant force.acceleration");
}

}  // namespace
}  // namespace lbm::cases::test
