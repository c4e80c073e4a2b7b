// SPDX-License-Identifier: Apache-2.0

// Units: the same flow in metres and in cells is the same on the lattice; conversions.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "cases/case/read/read_case.hpp"
#include "cases/case/units.hpp"
#include "cases/case/units_table.hpp"
#include "cases/case/validate/validate.hpp"
#include "cases/run/results/field_outputs.hpp"
#include "cases/run/results/plane_files.hpp"
#include "tests/cases/case_support.hpp"

namespace lbm::cases {
namespace {

// Water in a channel of 40 x 40 x 80 cells of half a millimetre; one step is a millisecond.
const std::string metres =
    "units: si\n"
    "grid: {size: [0.02, 0.02, 0.04], spacing: 5e-4}\n"
    "fluid: {viscosity: 1e-6, velocity: 0.05, density: 998, length: 0.01}\n"
    "run: {time: 2}\n"
    "output: {times: [0.5, 2]}\n";

const std::string cells =
    "grid: {cells: [40, 40, 80]}\n"
    "fluid: {reynolds: 500, length: 20}\n"
    "run: {time: 10}\n"
    "output: {times: [2.5, 10]}\n";

Case parse(const std::string& text, const std::vector<std::string>& overrides = {}) {
  Case c = parse_case(text, "c.yaml", overrides);
  validate(c);
  return c;
}

Units units_of(const Case& c) { return make_units(c, derive(c)); }

TEST(CaseUnits, TheSameFlowInMetresAndInCells) {
  const Case si = parse(metres), lattice = parse(cells);
  const Derived a = derive(si), b = derive(lattice);
  EXPECT_EQ(si.grid.cells, lattice.grid.cells);
  EXPECT_NEAR(a.reynolds, 500, 1e-9);
  EXPECT_NEAR(a.tau, b.tau, 1e-12);
  EXPECT_NEAR(a.length, 20, 1e-12);
  EXPECT_EQ(a.steps, 2000);
  EXPECT_EQ(b.steps, 2000);
  EXPECT_EQ(schedule_of(field_outputs(si).at(0), a).next_output_after(0), 500);
  EXPECT_EQ(schedule_of(field_outputs(lattice).at(0), b).next_output_after(0), 500);
  EXPECT_NEAR(a.duration, 10, 1e-9);
}

TEST(CaseUnits, EachWayToGiveTheViscosity) {
  for (const char* way : {"fluid.reynolds=500", "fluid.tau=0.512", "fluid.viscosity=1e-6"}) {
    EXPECT_NEAR(derive(parse(metres, {way})).tau, 0.512, 1e-12) << way;
    EXPECT_NEAR(derive(parse(metres, {way})).reynolds, 500, 1e-9) << way;
  }
  EXPECT_NEAR(derive(parse(cells, {"fluid.viscosity=0.004"})).reynolds, 500, 1e-9);
}

TEST(CaseUnits, Metres) {
  const Units u = units_of(parse(metres));
  EXPECT_NEAR(to_cells(u, 0.01), 20, 1e-12);
  EXPECT_NEAR(to_cells(u, Vec3{0.01, 0.02, 0.03})[2], 60, 1e-12);
  EXPECT_NEAR(to_steps(u, 0.5), 500, 1e-9);
  EXPECT_NEAR(to_lattice_velocity(u, {0, 0.05, 0})[1], 0.1, 1e-12);
  // 9.81 m/s^2 = 9.81 x (1e-3 s)^2 / 5e-4 m
  EXPECT_NEAR(to_lattice_acceleration(u, {0, 0, 9.81})[2], 9.81e-6 / 5e-4, 1e-9);
  EXPECT_NEAR(to_lattice_angular_velocity(u, {3, 0, 0})[0], 3e-3, 1e-12);
  // rho0 U^2 = 2.495 Pa is U^2 on the lattice, and p = (rho - 1) / 3.
  EXPECT_NEAR(to_density_difference(u, 2.495), 0.03, 1e-9);
  EXPECT_NEAR(from_density_difference(u, 0.03), 2.495, 1e-7);
  EXPECT_NEAR(to_density_difference(u, -2.495), -0.03, 1e-9);
  EXPECT_NEAR(u.force, 998 * std::pow(5e-4, 4) / 1e-6, 1e-12);
  EXPECT_NEAR(u.torque, u.force * 5e-4, 1e-15);
  EXPECT_NEAR(u.viscosity, 2.5e-4, 1e-12);
}

TEST(CaseUnits, ReferenceValues) {
  const Units u = units_of(parse(cells));
  EXPECT_EQ(to_cells(u, 7), 7);
  EXPECT_NEAR(to_steps(u, 1), 200, 1e-9);
  EXPECT_NEAR(to_lattice_velocity(u, {1, 0, 0})[0], 0.1, 1e-12);
  EXPECT_NEAR(to_lattice_acceleration(u, {1, 0, 0})[0], 0.01 / 20, 1e-12);
  EXPECT_NEAR(to_lattice_angular_velocity(u, {1, 0, 0})[0], 0.1 / 20, 1e-12);
  EXPECT_NEAR(to_density_difference(u, 1), 0.03, 1e-12);
  EXPECT_NEAR(4 * u.force, 1, 1e-12);  // rho0 U^2 L^2 = 0.01 x 400
  EXPECT_NEAR(80 * u.torque, 1, 1e-12);
}

TEST(CaseUnits, ReferencesOfABody) {
  Body body;
  for (const std::string& text : {metres, cells}) {
    const Case c = parse(text);
    const BodyReference plain = body_reference(body, units_of(c), derive(c));
    EXPECT_NEAR(plain.area, 400, 1e-9);
    EXPECT_NEAR(plain.length, 20, 1e-9);
    EXPECT_NEAR(plain.velocity, 0.1, 1e-12);
  }
  body.reference_area = 1e-6, body.reference_length = 1e-3, body.reference_velocity = 0.1;
  const Case c = parse(metres);
  const BodyReference own = body_reference(body, units_of(c), derive(c));
  EXPECT_NEAR(own.area, 4, 1e-9);
  EXPECT_NEAR(own.length, 2, 1e-9);
  EXPECT_NEAR(own.velocity, 0.2, 1e-12);
}

TEST(CaseUnits, SizesBecomeCells) {
  EXPECT_EQ(test::warnings_of(parse(metres)), std::vector<std::string>{});
  const Case odd = parse(metres, {"grid.size=[0.02,0.02,0.0401]"});
  EXPECT_EQ(odd.grid.cells[2], 80);
  ASSERT_EQ(warnings(odd, derive(odd)).size(), 1u);
  EXPECT_EQ(warnings(odd, derive(odd))[0],
            "--set grid.size: 0.0401 m along z became 80 cells, 0.04 m");
  EXPECT_EQ(parse(metres, {"grid.size=[0.02,0.02,0.0399]"}).grid.cells[2], 80);
  const Case by_length = parse(metres, {"grid.cells_per_length=40"});
  EXPECT_EQ(by_length.grid.cells, (std::array<int, 3>{80, 80, 160}));
  EXPECT_EQ(parse(metres, {"grid.size=[1e-9,0.02,0.04]"}).grid.cells[0], 1);
  EXPECT_EQ(parse(metres, {"grid.cells=[3,4,5]"}).grid.cells[1], 4);
  EXPECT_NE(test::parse_error(metres, {"grid.spacing=1e-12"}).find("at most 1000000 cells"),
            std::string::npos);
}

TEST(CaseUnits, WrittenBackWithItsCells) {
  const Case c = parse(metres, {"grid.size=[0.02,0.02,0.0401]"});
  const Case back = parse(to_yaml(c));
  EXPECT_EQ(to_yaml(back), to_yaml(c));
  EXPECT_EQ(back.grid.cells, c.grid.cells);
  EXPECT_EQ(back.units, UnitSystem::si);
  EXPECT_EQ(derive(back).steps, 2000);
}

TEST(CaseUnits, KeysThatNeedTheOtherSystem) {
  for (const char* key :
       {"fluid.velocity=1", "fluid.density=1", "grid.cells_per_length=3", "grid.size=[1,1,1]"}) {
    const std::string name = std::string(key).substr(0, std::string(key).find('='));
    EXPECT_EQ(
        test::parse_error(cells, {key}).find("--set " + name + ": conflicts with units: lattice"),
        0u)
        << test::parse_error(cells, {key});
  }
  EXPECT_EQ(test::parse_error(cells, {"units=si"}),
            "c.yaml: grid.spacing: missing: units: si requires it");
  EXPECT_NE(
      test::parse_error(cells, {"units=si", "grid.spacing=1"}).find("fluid.velocity: missing"),
      std::string::npos);
  EXPECT_NE(test::parse_error("units: si\ngrid: {cells: [8, 8, 8], cells_per_length: 8}\n"
                              "fluid: {tau: 1, velocity: 1}\nrun: {steps: 1}\n")
                .find("missing: fluid.length"),
            std::string::npos);
  EXPECT_NE(test::parse_error(metres + "#\n", {"grid.spacing=1", "grid.cells_per_length=3"})
                .find("conflicts with grid.spacing"),
            std::string::npos);
}

TEST(CaseUnits, RowsAgreeWithTheirFactors) {
  for (const std::string& text : {metres, cells}) {
    const Case c = parse(text);
    for (const UnitRow& row : unit_rows(c, derive(c))) {
      EXPECT_NEAR(row.value, row.lattice * row.factor, 1e-12 * row.value) << row.name;
    }
  }
  const Case c = parse(metres);
  for (const UnitRow& row : unit_rows(c, derive(c))) {
    if (row.name == "reference force") {
      EXPECT_NEAR(row.value, 0.0002495, 5e-8);
    }
  }
  EXPECT_NE(io::json_text(units_json(c, derive(c))).find("\"reference force\""), std::string::npos);
  const Case plain = parse(cells);
  for (const UnitRow& row : unit_rows(plain, derive(plain))) {
    if (row.name.starts_with("reference") && row.name != "reference length") {
      EXPECT_NEAR(row.value, 1, 1e-12) << row.name;
    }
  }
}

}  // namespace
}  // namespace lbm::cases
