// SPDX-License-Identifier: Apache-2.0

// Bodies that the fluid passes (bodies.NAME.porous, bodies.NAME.disc): their cells and resistances,
// and what is refused.
#include <gtest/gtest.h>

#include <numbers>

#include "cases/case/model/case_model.hpp"
#include "cases/case/model/porous_zones.hpp"
#include "tests/cases/case_support.hpp"

namespace lbm::cases {
namespace {

using test::error_of;

const std::string base =
    "grid: {cells: [40, 40, 40]}\n"
    "bodies:\n"
    "  filter: {shape: box, center: [20.25, 20, 20], size: [5, 60, 8], porous: {permeability: "
    "0.5}}\n"
    "  rotor: {shape: cylinder, from: [30, 20, 20], to: [32.5, 20, 20], radius: 6, disc: "
    "{thrust_coefficient: 0.75}}\n"
    "fluid: {reynolds: 100, length: 10, lattice_velocity: 0.05}\n"
    "run: {steps: 50}\n";

CaseModel model_of(const std::vector<std::string>& overrides = {}) {
  const Case c = parse_case(base, "c.yaml", overrides);
  return make_case_model(c, validate(c));
}

const Resistance& zone_of(const CaseModel& model, int i) {
  return model.boundaries.view().zones[i];
}

TEST(PorousZones, FillTheirShareOfCells) {
  const CaseModel model = model_of();
  EXPECT_TRUE(model.lattice.collision.force.by_place);
  EXPECT_EQ(model.boundaries.solid_cells(), 0);
  EXPECT_EQ(model.boundaries.bodies(), 2);
  const BoundaryView view = model.boundaries.view();
  const auto share = [&](int x, int y, int z) { return view.zone_at(x, y, z).share; };
  EXPECT_EQ(share(16, 20, 20), 0);
  EXPECT_NEAR(share(17, 0, 20), 0.25, 0.04);
  EXPECT_EQ(share(18, 39, 16), 1);
  EXPECT_EQ(share(21, 39, 23), 1);
  EXPECT_NEAR(share(22, 20, 20), 0.75, 0.04);
  EXPECT_EQ(share(20, 20, 15), 0);
  EXPECT_EQ(share(20, 20, 24), 0);
  EXPECT_EQ(view.zone_at(31, 20, 20).zone->body, 1);
}

TEST(PorousZones, CrossPeriodicFaces) {
  const CaseModel model = model_of(
      {"bodies.filter.translate=[-20.25, 0, 0]", "boundaries={x_min: periodic, x_max: periodic}"});
  const BoundaryView view = model.boundaries.view();
  EXPECT_NEAR(view.zone_at(37, 20, 20).share, 0.5, 0.04);
  EXPECT_EQ(view.zone_at(38, 20, 20).share, 1);
  EXPECT_EQ(view.zone_at(1, 20, 20).share, 1);
  EXPECT_EQ(view.zone_at(3, 20, 20).share, 0);
}

TEST(PorousZones, HaveTheResistancesOfTheirKeys) {
  const double viscosity = 0.05 * 10 / 100;
  const CaseModel model =
      model_of({"bodies.filter.porous={permeability: 0.5, forchheimer: 0.3, "
                "across: [0, 3, 4]}"});
  const Resistance& filter = zone_of(model, 0);
  EXPECT_NEAR(filter.linear, viscosity / 0.5, 1e-8);
  EXPECT_NEAR(filter.quadratic, 0.3, 1e-7);
  EXPECT_EQ(filter.all, 1);
  EXPECT_EQ(filter.along, -1);
  EXPECT_NEAR(filter.axis[1], 0.6, 1e-7);
  // C_T = 3/4: a = 1/4, and the local coefficient is 4/3 on 2.5 cells.
  const Resistance& rotor = zone_of(model, 1);
  EXPECT_NEAR(rotor.quadratic, 0.5 * (4.0 / 3) / 2.5, 0.01);
  EXPECT_EQ(rotor.all, 0);
  EXPECT_EQ(rotor.axis[0], 1);
  const CaseModel constant = model_of({"bodies.rotor.disc.reference_velocity=2"});
  EXPECT_NEAR(zone_of(constant, 1).thrust[0], -0.5 * 0.75 * 0.1 * 0.1 / 2.5, 2e-5);
  EXPECT_EQ(zone_of(constant, 1).quadratic, 0);
}

// The force of all samples is that of the disc, wherever it lies; half of it for half a disc.
TEST(PorousZones, DiscHasTheForceOfItsArea) {
  const std::string half = "[1, -20, 0]";
  for (const std::string& place :
       {std::string("[1, 0, 0]"), std::string("[1.37, 0.4, 0.81]"), half}) {
    const CaseModel model = model_of({"bodies.rotor.translate=" + place});
    const BoundaryView view = model.boundaries.view();
    double volume = 0;
    for (int i = 0; i < 40 * 40 * 40; ++i) {
      const ZoneShare at = view.zone_at(i % 40, i / 40 % 40, i / 1600);
      if (at.zone != nullptr && at.zone->body == 1) volume += at.share;
    }
    const double whole = 0.5 * (4.0 / 3) * std::numbers::pi * 6 * 6;
    EXPECT_NEAR(zone_of(model, 1).quadratic * volume / whole, place == half ? 0.5 : 1,
                place == half ? 1e-2 : 2e-5)
        << place;
  }
}

TEST(PorousZones, LengthsAreThoseOfTheUnits) {
  const CaseModel model = model_of(
      {"units=si", "grid={size: [0.4, 0.4, 0.4], spacing: 0.01}",
       "fluid={length: 0.1, velocity: 1, viscosity: 1.0e-3, density: 1, lattice_velocity: 0.05}",
       "bodies={filter: {shape: box, center: [0.2, 0.2, 0.2], size: [0.05, 0.2, 0.2], porous: "
       "{permeability: 1.0e-4, forchheimer: 20}}}"});
  EXPECT_NEAR(zone_of(model, 0).linear, model.derived.viscosity, 1e-8);
  EXPECT_NEAR(zone_of(model, 0).quadratic, 0.2, 1e-7);
}

TEST(PorousZones, RefusalsNameTheKey) {
  const auto says = [](const std::vector<std::string>& overrides, const std::string& key,
                       const std::string& text) {
    const std::string line = error_of([&] { model_of(overrides); });
    EXPECT_NE(line.find(key), std::string::npos) << line;
    EXPECT_NE(line.find(text), std::string::npos) << line;
    EXPECT_EQ(line.find('\n'), std::string::npos) << line;
  };
  says({"bodies.filter.porous.permeability=0.004"}, "bodies.filter", "porous.permeability: found");
  says({"bodies.filter.porous.forchheimer=30"}, "bodies.filter", "porous: found a resistance");
  says({"bodies.rotor.disc={local_thrust_coefficient: 200}"}, "bodies.rotor", "disc: found a");
  says({"bodies.rotor.disc={thrust_coefficient: 0.5, reference_velocity: 1e3}"}, "bodies.rotor",
       "disc: found a");
  says({"bodies.rotor.disc.thrust_coefficient=1.2"}, "bodies.rotor.disc.thrust_coefficient",
       "below 1");
  says({"bodies.rotor.disc.local_thrust_coefficient=1"}, "bodies.rotor.disc", "coefficient");
  says({"bodies.rotor.scale=1.1"}, "bodies.rotor.scale", "disc");
  says({"bodies.filter.disc.thrust_coefficient=0.5"}, "bodies.filter.disc", "porous");
  says({"bodies.filter.porous=null", "bodies.filter.disc.thrust_coefficient=0.5"},
       "bodies.filter.shape", "cylinder");
  says({"bodies.filter.porous.along=[0,0,0]"}, "bodies.filter.porous.along", "length of 0");
  says({"bodies.filter.porous.along=[0,0,1]", "bodies.filter.porous.across=[0,1,0]"},
       "bodies.filter.porous", "across");
  says({"bodies.filter.motion={axis: [0,0,1], rate: 1}"}, "bodies.filter.porous", "motion");
  says({"bodies.filter.velocity=[1,0,0]"}, "bodies.filter.velocity", "porous");
  says({"bodies.filter.walls=staircase"}, "bodies.filter.walls", "porous");
  says({"bodies.rotor.solid=false"}, "bodies.rotor.solid", "disc");
  says({"scalars.heat.prandtl=1"}, "scalars", "porous");
  says({"lattice.cells=fluid"}, "lattice.cells", "porous");
  says({"run.cascade=2"}, "run.cascade", "porous");
  says({"tiling.steps_per_pass=2"}, "tiling.steps_per_pass", "porous");
  says({"lattice.collision=regularised_filtered"}, "lattice.collision", "bodies.filter");
}

}  // namespace
}  // namespace lbm::cases
