// SPDX-License-Identifier: Apache-2.0

// Bodies that conduct a scalar, macroscopic gradients and bounds: units, checks and warnings.
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "cases/case/model/case_model.hpp"
#include "cases/case/model/case_scalars.hpp"
#include "cases/case/read/read_case.hpp"
#include "cases/case/units.hpp"
#include "cases/case/validate/validate.hpp"
#include "tests/cases/scalars/scalar_cases.hpp"

namespace lbm::cases {
namespace {

TEST(CaseConductors, ConductorsInLatticeUnits) {
  Case c = heated_block();
  add_ball(c, "chip");
  ScalarKeys& smoke = c.scalars[0];
  smoke.difference = 4;
  smoke.conductors = {"chip", "block"};
  smoke.conductivities = {2, 40};
  const double of_time = 0.1 / 16;  // L = 16 cells, U = 0.1
  using Conductors = std::vector<ScalarConductor>;
  EXPECT_EQ(scalar_specs(c, derive(c)).at(0).conductors, (Conductors{{1, 2, 1, 0}, {0, 40, 1, 0}}));
  smoke.capacities = {0.5, 3};
  smoke.conductor_sources = {-8, 0};
  const Conductors expected{{1, 2, 0.5, -2 * of_time}, {0, 40, 3, 0}};
  EXPECT_EQ(scalar_specs(c, validate(c)).at(0).conductors, expected);
  const ScalarNumbers n = numbers_of(smoke, c, validate(c));
  EXPECT_DOUBLE_EQ(n.capacity, 0.5);
  EXPECT_DOUBLE_EQ(n.tau, 0.5 + 4 * n.diffusivity / 0.5);
}

TEST(CaseConductors, ConductingBodiesAreNumberedInMasks) {
  Case c = heated_block();
  const auto bits = [&] {
    return make_case_bodies(c, validate(c), TimeLimit()).boundaries.view().bits_per_cell;
  };
  EXPECT_EQ(bits(), 2 + body_bits);
  c.scalars[0].conductors.clear();
  c.scalars[0].conductivities.clear();
  EXPECT_EQ(bits(), 2);
}

TEST(CaseConductors, BoundsAndGradientInLatticeUnits) {
  Case c = duct();
  ScalarKeys& smoke = c.scalars[0];
  smoke.reference = 300;
  smoke.difference = 4;
  smoke.bounds = {298, 310};
  EXPECT_EQ(scalar_specs(c, validate(c)).at(0).bounds, (std::array{-0.5, 2.5}));
  smoke.bounds.reset();
  smoke.gradient = {0, 0, 2};
  EXPECT_EQ(scalar_specs(c, validate(c)).at(0).gradient, (std::array{0.0, 0.0, 0.5}));
  c.grid.spacing = 0.25;
  EXPECT_EQ(scalar_specs(c, validate(c)).at(0).gradient, (std::array{0.0, 0.0, 0.125}));
}

TEST(CaseConductors, SiUnitsOfConductorsAndGradients) {
  const Case c = parse_case(R"(
units: si
grid: {size: [0.1, 0.1, 0.02], spacing: 1e-3}
boundaries: {z_min: periodic, z_max: periodic}
fluid: {viscosity: 1.5e-5, velocity: 0.1, lattice_velocity: 0.08, density: 1.2, length: 0.1}
bodies:
  chip: {shape: sphere, center: [0.05, 0.05, 0.01], radius: 0.005}
scalars:
  temperature:
    diffusivity: 2.1e-5
    difference: 10
    gradient: [0, 0, 500]      # K/m
    conductors: [chip]
    conductivities: [40]
    conductor_sources: [3]     # K/s
run: {steps: 10}
)",
                            "chip.yaml");
  const ScalarSpec spec = scalar_specs(c, validate(c)).at(0);
  EXPECT_NEAR(spec.gradient[2], 500 * 1e-3 / 10, 1e-15);
  EXPECT_NEAR(spec.conductors.at(0).source, 3 * 8e-4 / 10, 1e-15);
}

TEST(CaseConductors, RefusedConductors) {
  const Case plain = heated_block();
  const auto refused = [&](const Change& change, const std::string& key, const std::string& part) {
    expect_refused(plain, change, "scalars.smoke." + key, part);
  };
  EXPECT_NO_THROW(validate(plain));
  refused(
      [](Case& c) {
        c.scalars[0].conductivities = {2, 3};
      },
      "conductivities", "found 2 values for 1 bodies, must be one for each");
  refused([](Case& c) { c.scalars[0].conductivities.clear(); }, "conductors",
          "missing: conductivities");
  refused([](Case& c) { c.scalars[0].conductivities = {0}; }, "conductivities", "numbers > 0");
  refused([](Case& c) { c.scalars[0].capacities = {1, 2}; }, "capacities", "found 2 values");
  refused([](Case& c) { c.scalars[0].capacities = {-1}; }, "capacities", "numbers > 0");
  refused(
      [](Case& c) {
        c.scalars[0].conductor_sources = {1, 2};
      },
      "conductor_sources", "found 2 values");
  refused([](Case& c) { c.scalars[0].conductors = {"ball"}; }, "conductors",
          "found ball, must be a solid body");
  refused(
      [](Case& c) {
        c.scalars[0].conductors = {"block", "block"};
        c.scalars[0].conductivities = {2, 2};
      },
      "conductors", "found block twice");
  refused(
      [](Case& c) {
        c.scalars[0].bodies = {"block"};
        c.scalars[0].body_values = {1};
      },
      "conductors", "found block, whose surface has a condition (bodies)");
  refused([](Case& c) { c.scalars[0].conductivities = {1e-9}; }, "conductivities",
          "steps in block, must give more than 1/2");
  refused([](Case& c) { c.scalars[0].conductivities = {1e9}; }, "conductivities",
          "steps in block, must give at most 1000");
  refused([](Case& c) { c.scalars[0].capacities = {1e-5}; }, "capacities",
          "must give at most 1000: raise the least of them");
}

TEST(CaseConductors, RefusedGradients) {
  const Case plain = heated_block();
  const auto refused = [&](const Change& change, const std::string& key, const std::string& part) {
    const auto with_gradient = [&](Case& c) {
      c.scalars[0].gradient = {1, 0, -1};
      change(c);
    };
    expect_refused(plain, with_gradient, "scalars.smoke." + key, part);
  };
  Case accepted = plain;
  accepted.scalars[0].gradient = {1, 0, -1};
  EXPECT_NO_THROW(validate(accepted));
  refused(
      [](Case& c) {
        c.scalars[0].gradient = {1, 2, 0};
      },
      "gradient", "found one along y, whose faces are not periodic (boundaries.y_min)");
  refused(
      [](Case& c) {
        add_ball(c, "heater");
        c.scalars[0].bodies = {"heater"};
        c.scalars[0].body_values = {1};
      },
      "gradient", "conflicts with bodies");
  refused([](Case& c) { c.scalars[0].bounds = {0, 1}; }, "gradient", "conflicts with bounds");
  refused(
      [](Case& c) {
        c.scalars[0].gradient = {1, 0, 5000};
      },
      "difference", "values up to 5000 times");
}

TEST(CaseConductors, RefusedBounds) {
  Case bounded = duct();
  bounded.scalars[0].bounds = {0, 1};
  bounded.scalars[0].initial = "x/lx";
  bounded.scalars[0].faces[0] = {ScalarBoundary::value, 1, {}};
  EXPECT_NO_THROW(validate(bounded));
  const auto refused = [&](const Change& change, const std::string& key, const std::string& part) {
    expect_refused(bounded, change, "scalars.smoke." + key, part);
  };
  refused([](Case& c) { c.scalars[0].bounds = {1, 1}; }, "bounds", "such as [0, 1], low < high");
  const std::string within = "must be within [0, 1] (scalars.smoke.bounds)";
  refused([](Case& c) { c.scalars[0].initial = "2*x/lx"; }, "initial", within);
  refused([](Case& c) { c.scalars[0].faces[0].value = 1.5; }, "boundaries.x_min.value",
          "gives 1.5, " + within);
  refused(
      [](Case& c) {
        c.scalars[0].faces[2] = {ScalarBoundary::convection, -1, 0.1};
      },
      "boundaries.y_min.value", "gives -1, " + within);
  refused(
      [](Case& c) {
        add_ball(c, "heater");
        c.scalars[0].bodies = {"heater"};
        c.scalars[0].body_values = {2};
      },
      "body_values", "gives 2, " + within);
  refused(
      [](Case& c) {
        c.scalars[0].faces[2] = {ScalarBoundary::flux, 0.1, {}};
      },
      "bounds", "conflicts with boundaries.y_min: flux");
  refused([](Case& c) { c.scalars[0].source = 1; }, "bounds", "conflicts with source");
  refused(
      [](Case& c) {
        add_ball(c, "chip");
        c.scalars[0].conductors = {"chip"};
        c.scalars[0].conductivities = {2};
        c.scalars[0].conductor_sources = {1};
      },
      "bounds", "conflicts with conductor_sources");
  refused([](Case& c) { c.scalars[0].bounds->at(1) = 5000; }, "difference", "values up to 5000");
  // Neither cells at the start nor fluid that enters have the reference.
  bounded.scalars[0].reference = -1;
  EXPECT_NO_THROW(validate(bounded));
  refused([](Case& c) { c.scalars[0].faces[0] = {}; }, "reference", "gives -1, " + within);
  refused([](Case& c) { c.scalars[0].initial.clear(); }, "reference", "gives -1, " + within);
}

TEST(CaseConductors, WarningsOfConductors) {
  Case c = heated_block();
  c.scalars[0].conductivities = {200};  // tau = 64.5 in it
  EXPECT_FALSE(warns(c, "", ""));
  c.scalars[0].conductivities = {1e-3};
  EXPECT_TRUE(warns(c, "conductivities", "in block is below"));
  c.scalars[0].conductivities = {1};
  c.scalars[0].capacities = {0.2};
  EXPECT_TRUE(warns(c, "capacities", "tau of the scalar = 2.1 is above 2"));
  c.scalars[0].peclet = 0.1 * 16 / 0.01;
  EXPECT_TRUE(warns(c, "capacities", "the scalar diffuses by 0.0206"));
}

}  // namespace
}  // namespace lbm::cases
