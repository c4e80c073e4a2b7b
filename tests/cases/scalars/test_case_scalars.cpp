// SPDX-License-Identifier: Apache-2.0

// Scalars of a case: keys, units, defaults of faces, initial values, checks and warnings.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cases/case/model/case_model.hpp"
#include "cases/case/model/case_scalars.hpp"
#include "cases/case/read/read_case.hpp"
#include "cases/case/schema/keys.hpp"
#include "cases/case/units.hpp"
#include "cases/case/validate/validate.hpp"
#include "tests/cases/case_support.hpp"
#include "tests/cases/scalars/scalar_cases.hpp"

namespace lbm::cases {
namespace {

constexpr const char* cavity = R"(
grid: {cells: [32, 32, 1]}
boundaries: {z_min: periodic, z_max: periodic}
scalars:
  temperature:
    prandtl: 0.5
    rayleigh: 2e4
    up: [0, 2, 0]
    reference: 300
    difference: 20
    initial: "300 + 10*y/ly"
    boundaries:
      x_min: {type: value, value: 310}
      x_max: {type: convection, value: 290, coefficient: 0.5}
      y_min: {type: flux, value: 4}
      y_max: no_flux
fluid: {lattice_velocity: 0.08}
run: {steps: 10}
)";

Case cavity_case() { return parse_case(cavity, "cavity.yaml"); }

TEST(CaseScalars, FreeFallGivesTheReynoldsNumber) {
  const Case c = cavity_case();
  const Derived d = validate(c);
  EXPECT_DOUBLE_EQ(d.reynolds, std::sqrt(2e4 / 0.5));
  const ScalarNumbers n = numbers_of(c.scalars[0], c, d);
  EXPECT_NEAR(n.free_fall, 0.08, 1e-12);
  EXPECT_NEAR(n.rayleigh, 2e4, 1e-7);
  EXPECT_NEAR(n.prandtl, 0.5, 1e-12);
  EXPECT_NEAR(n.peclet, 100, 1e-9);
  EXPECT_NEAR(n.diffusivity, 0.08 * 32 / 100, 1e-12);
  EXPECT_NEAR(n.layer, 32 / (0.3 * std::pow(2e4, 0.28)), 1e-9);
}

TEST(CaseScalars, RayleighBesideAReynoldsNumber) {
  Case c = cavity_case();
  c.fluid.reynolds = 50;
  const Derived d = validate(c);
  EXPECT_DOUBLE_EQ(d.reynolds, 50);
  const ScalarNumbers n = numbers_of(c.scalars[0], c, d);
  EXPECT_NEAR(n.rayleigh, 2e4, 1e-7);
  EXPECT_NEAR(n.free_fall, 0.08 * 200 / 50, 1e-12);
}

TEST(CaseScalars, LatticeUnits) {
  const Case c = cavity_case();
  const Lattice lattice = make_case_lattice(c, validate(c));
  ASSERT_EQ(lattice.scalars.size(), 1U);
  EXPECT_EQ(lattice.cell_values().scalars, 1);
  const ScalarSpec& spec = lattice.scalars[0];
  EXPECT_NEAR(spec.omega, 1 / (0.5 + 4 * 0.0256), 1e-12);
  EXPECT_NEAR(spec.buoyancy[1], 0.08 * 0.08 / 32, 1e-15);
  EXPECT_EQ(spec.buoyancy[0], 0);
  EXPECT_EQ(spec.buoyancy[2], 0);
  EXPECT_EQ(spec.source, 0);
  EXPECT_EQ(spec.faces[0], (ScalarFace{ScalarBoundary::value, 0.5}));
  EXPECT_EQ(spec.faces[1].kind, ScalarBoundary::convection);
  EXPECT_DOUBLE_EQ(spec.faces[1].value, -0.5);
  EXPECT_DOUBLE_EQ(spec.faces[1].coefficient, 0.04);
  EXPECT_EQ(spec.faces[2].kind, ScalarBoundary::flux);
  EXPECT_DOUBLE_EQ(spec.faces[2].value, 4 * 0.08 / 20);
  EXPECT_EQ(spec.faces[3].kind, ScalarBoundary::no_flux);
  EXPECT_EQ(spec.faces[4].kind, ScalarBoundary::periodic);
}

// Air in a box of 0.1 m, 10 K across; a cell is 1 mm, a step 0.08 * 1e-3 / 0.1 = 8e-4 s.
TEST(CaseScalars, SiUnits) {
  const Case c = parse_case(R"(
units: si
grid: {size: [0.1, 0.1, 0.002], spacing: 1e-3}
boundaries: {z_min: periodic, z_max: periodic}
fluid: {viscosity: 1.5e-5, velocity: 0.1, lattice_velocity: 0.08, density: 1.2, length: 0.1}
scalars:
  temperature:
    diffusivity: 2.1e-5
    reference: 293
    difference: 10
    buoyancy: [0, 0.33, 0]     # 9.81 m/s^2 x 10 K / 297 K
    source: 0.5                # K/s
    boundaries:
      x_min: {type: flux, value: 0.01}   # K m/s
      x_max: {type: convection, value: 288, coefficient: 0.005}
run: {steps: 10}
)",
                            "air.yaml");
  const Lattice lattice = make_case_lattice(c, validate(c));
  const ScalarSpec& spec = lattice.scalars.at(0);
  const double metre = 1e3, second = 1 / 8e-4;
  EXPECT_NEAR((1 / spec.omega - 0.5) / 4, 2.1e-5 * metre * metre / second, 1e-12);
  EXPECT_NEAR(spec.buoyancy[1], 0.33 * metre / second / second, 1e-12);
  EXPECT_NEAR(spec.source, 0.5 / 10 / second, 1e-15);
  EXPECT_NEAR(spec.faces[0].value, 0.01 / 10 * metre / second, 1e-15);
  EXPECT_NEAR(spec.faces[1].value, -0.5, 1e-15);
  EXPECT_NEAR(spec.faces[1].coefficient, 0.005 * metre / second, 1e-15);
}

TEST(CaseScalars, FacesFollowTheFlow) {
  Case c = duct();
  c.faces[2].type = BoundaryKind::velocity;  // an outlet
  c.faces[2].velocity = {0, -0.1, 0};
  const Lattice lattice = make_case_lattice(c, validate(c));
  const auto& faces = lattice.scalars.at(0).faces;
  const ScalarBoundary expected[]{ScalarBoundary::no_flux,  ScalarBoundary::open,
                                  ScalarBoundary::open,     ScalarBoundary::no_flux,
                                  ScalarBoundary::periodic, ScalarBoundary::periodic};
  for (std::size_t f = 0; f < 6; ++f) EXPECT_EQ(faces[f].kind, expected[f]) << f;
}

TEST(CaseScalars, InitialValuesBesideTheFlow) {
  Case c = cavity_case();
  c.initial.flow = InitialFlow::uniform;
  c.initial.velocity = {0.5, 0, 0};
  const InitialState state = initial_flow(c, validate(c));
  std::vector<double> values(static_cast<std::size_t>(5) * 32);
  const auto part = [&](std::size_t i) { return std::span(values).subspan(i * 32, 32); };
  StateRow row{part(0), part(1), part(2), part(3)};
  row.scalars[0] = part(4);
  state(8, 0, row);
  EXPECT_DOUBLE_EQ(row.ux[3], 0.04);
  EXPECT_NEAR(row.scalars[0][3], 10 * 8.5 / 32 / 20, 1e-15);
}

TEST(CaseScalars, AreWrittenAsTheyAreRead) {
  const Case c = cavity_case();
  const std::string text = to_yaml(c);
  EXPECT_EQ(to_yaml(parse_case(text, "again.yaml")), text);
  EXPECT_NE(text.find("coefficient: 0.5"), std::string::npos) << text;
}

TEST(CaseScalars, TurbulentPrandtlNumber) {
  const std::string start = "scalars.temperature.turbulent_prandtl";
  const auto number = [&](const std::vector<std::string>& overrides) {
    const Case c = parse_case(cavity, "cavity.yaml", overrides);
    return make_case_lattice(c, validate(c)).scalars.at(0).turbulent_prandtl;
  };
  EXPECT_EQ(number({"lattice.smagorinsky=0.1"}), 0.85);
  EXPECT_EQ(number({"lattice.smagorinsky=0.1", start + "=0.4"}), 0.4);
  EXPECT_NE(test::error_of([&] { number({start + "=0.4"}); }).find("lattice.smagorinsky"),
            std::string::npos);
}

TEST(CaseScalars, BodiesByNumber) {
  Case c = duct();
  for (const char* const name : {"part", "hot", "cold"}) add_ball(c, name);
  c.bodies[0].solid = false;
  c.scalars[0].reference = 1;
  c.scalars[0].bodies = {"cold", "hot"};
  c.scalars[0].body_values = {0, 3};
  const Lattice lattice = make_case_lattice(c, derive(c));
  const std::vector<ScalarBody> expected{{1, -1}, {0, 2}};
  EXPECT_EQ(lattice.scalars.at(0).bodies, expected);
}

TEST(CaseScalars, RefusedSurroundings) {
  const Case plain = duct();
  expect_refused(
      plain, [](Case& c) { c.lattice.smagorinsky = 0.1; }, "lattice.smagorinsky",
      "tau = 0.98, must be at most 0.9 with scalars");
  expect_refused(
      plain, [](Case& c) { c.tiling.steps_per_pass = 2; }, "tiling.steps_per_pass",
      "scalars: take 1");
  expect_refused(
      plain,
      [](Case& c) {
        c.force.acceleration_formulas = Formulas{"0", "x", "0"};
      },
      "force.acceleration", "conflict with scalars");
  Case with_ball = plain;
  add_ball(with_ball, "ball");
  expect_refused(
      with_ball,
      [](Case& c) {
        c.lattice.cells = CellsStored::fluid;
        c.scalars[0].conductors = {"ball"};
        c.scalars[0].conductivities = {2};
      },
      "lattice.cells", "does not go with scalars.smoke.conductors");
  expect_refused(
      with_ball,
      [](Case& c) {
        c.bodies[0].angular_velocity = {0, 0, 1};
      },
      "bodies.ball.angular_velocity", "a surface that moves");
  with_ball.bodies[0].velocity = {0, 0, 0};
  EXPECT_NO_THROW(validate(with_ball));
  const auto beyond = [](Case& c) { c.scalars[0].faces[2] = {ScalarBoundary::value, 3, {}}; };
  Case half = plain;
  half.lattice.storage = StorageType::fp16;
  expect_refused(half, beyond, "scalars.smoke.difference", "at most 1.99 times");
  expect_refused(
      plain,
      [](Case& c) {
        c.scalars.resize(5, c.scalars[0]);
        for (std::size_t i = 0; i < 5; ++i) c.scalars[i].name = "s" + std::to_string(i);
      },
      "scalars.s4", "found 5 scalars, must be at most 4");
  expect_refused(
      plain, [](Case& c) { c.scalars[0].name = "pressure"; }, "scalars.pressure",
      "name of another field");
  Case without = plain;
  without.fluid.reynolds.reset();
  expect_refused(
      without, [](Case&) {}, "case: missing: one of fluid.reynolds", "fluid.tau");
}

TEST(CaseScalars, RefusedKeys) {
  const Case plain = duct();
  const auto refused = [&](const Change& change, const std::string& key, const std::string& part) {
    expect_refused(plain, change, "scalars.smoke." + key, part);
  };
  refused([](Case& c) { c.scalars[0].prandtl = 1; }, "peclet", "conflicts with prandtl");
  refused([](Case& c) { c.scalars[0].peclet.reset(); }, "diffusivity", "missing: one of");
  refused(
      [](Case& c) {
        c.scalars[0].rayleigh = 10;
        c.scalars[0].buoyancy = {0, 1, 0};
      },
      "rayleigh", "conflicts with buoyancy");
  refused([](Case& c) { c.scalars[0].faces[2].kind = ScalarBoundary::value; },
          "boundaries.y_min.value", "missing");
  refused([](Case& c) { c.scalars[0].faces[2].coefficient = 1; }, "boundaries.y_min.coefficient",
          "missing: type: convection");
  refused([](Case& c) { c.scalars[0].faces[2].kind = ScalarBoundary::periodic; },
          "boundaries.y_min", "found periodic, but the flow is wall there (boundaries.y_min)");
  refused([](Case& c) { c.scalars[0].faces[4].kind = ScalarBoundary::no_flux; }, "boundaries.z_min",
          "make both periodic, or neither");
  refused(
      [](Case& c) {
        c.scalars[0].bodies = {"ball"};
        c.scalars[0].body_values = {1};
      },
      "bodies", "found ball, must be a solid body");
  refused(
      [](Case& c) {
        c.scalars[0].bodies = {"ball"};
        c.scalars[0].body_values = {1, 2};
      },
      "body_values", "found 2 values for 1 bodies");
  refused([](Case& c) { c.scalars[0].initial = "1 / (x - x)"; }, "initial", "must be finite");
  refused([](Case& c) { c.scalars[0].initial = "t"; }, "initial", "time 0");
  refused([](Case& c) { c.scalars[0].peclet = 1e12; }, "peclet", "take a finer grid");
  refused([](Case& c) { c.scalars[0].peclet = 1e-6; }, "peclet", "relaxation time");
  refused([](Case& c) { c.scalars[0].buoyancy = {0, 1e6, 0}; }, "buoyancy", "run.max_mach");
}

TEST(CaseScalars, BodiesBeyondTheHoldingOnes) {
  Case c = duct();
  for (int i = 0; i < 17; ++i) add_ball(c, "b" + std::to_string(i));
  c.scalars[0].bodies = {"b15"};
  c.scalars[0].body_values = {1};
  EXPECT_NO_THROW(validate(c));
  expect_refused(
      c, [](Case& d) { d.scalars[0].bodies = {"b16"}; }, "scalars.smoke.bodies",
      "solid body 17 of the case, must be one of the first 16");
  expect_refused(
      c,
      [](Case& d) {
        d.scalars[0].conductors = {"b16"};
        d.scalars[0].conductivities = {2};
      },
      "scalars.smoke.conductors", "solid body 17 of the case, must be one of the first 16");
}

TEST(CaseScalars, WordsOfOtherPrograms) {
  EXPECT_EQ(nearest_key("fluid.prandtl"), "scalars");
  EXPECT_EQ(nearest_key("temperature"), "scalars");
  EXPECT_EQ(nearest_key("scalars.heat.prandlt"), "scalars.heat.prandtl");
  const std::string text =
      std::string(cavity).replace(std::string(cavity).find("no_flux"), 7, "adiabatic");
  EXPECT_NE(test::parse_error(text).find("did you mean no_flux?"), std::string::npos);
}

TEST(CaseScalars, Warnings) {
  Case c = duct();
  EXPECT_FALSE(warns(c, "", ""));
  c.scalars[0].peclet = 0.1 * 16 / 1e-4;
  EXPECT_TRUE(warns(c, "peclet", "is below"));
  c.scalars[0].peclet = 0.1 * 16 / 0.5;
  EXPECT_TRUE(warns(c, "peclet", "is above 2"));
  c.scalars[0].peclet = 20;
  c.scalars[0].initial = "-3";
  EXPECT_FALSE(warns(c, "difference", ""));
  EXPECT_FALSE(warns(c, "peclet", ""));
  c.scalars[0].peclet = 0.1 * 16 / 0.004;
  EXPECT_TRUE(warns(c, "peclet", "the scalar diffuses by 0.00413"));
  c.scalars[0].peclet = 20;
  c.scalars[0].faces[2] = {ScalarBoundary::value, 11, {}};
  EXPECT_TRUE(warns(c, "difference", "more than 10"));
  c.scalars[0].buoyancy = {0, 1, 0};
  EXPECT_TRUE(warns(c, "buoyancy", "free fall is Mach 0.173"));
  c.scalars[0].buoyancy.reset();
  c.scalars[0].rayleigh = 1e5;
  EXPECT_TRUE(warns(c, "rayleigh", "boundary layer is about 2.1 cells thick"));
  EXPECT_TRUE(warns(c, "up", "points along z, which is periodic"));
  c.scalars[0].up = {0, 1, 0};
  EXPECT_FALSE(warns(c, "up", ""));
}

TEST(CaseScalars, WarnsOfAStopByTheEnergyAlone) {
  Case c = duct();
  c.run.until_steady.tolerance = 1e-5;
  const auto warned = [&] {
    const auto lines = warnings(c, validate(c));
    return std::any_of(lines.begin(), lines.end(), [](const std::string& line) {
      return line.starts_with("case.run.until_steady: watches the kinetic energy alone");
    });
  };
  EXPECT_TRUE(warned());
  NamedQuantity& mean = c.quantities.emplace_back();
  mean.name = "mean";
  mean.kind = QuantityKind::mean;
  mean.field = QuantityField::scalar;
  mean.every_steps = 10;
  c.run.until_steady.quantities = {"mean"};
  EXPECT_FALSE(warned());
}

}  // namespace
}  // namespace lbm::cases
