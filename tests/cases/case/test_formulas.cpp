// SPDX-License-Identifier: Apache-2.0

// Formulas of a case: keys, names, values on the lattice, and all wrong uses.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numbers>

#include "cases/case/model/boundary_conditions.hpp"
#include "cases/case/model/case_formulas.hpp"
#include "cases/case/model/case_model.hpp"
#include "cases/case/read/read_case.hpp"
#include "cases/case/units.hpp"
#include "cases/case/validate/validate.hpp"
#include "tests/cases/case_support.hpp"

namespace lbm::cases {
namespace {

using std::numbers::pi;

const std::string periodic_box =
    "grid: {cells: [12, 8, 6]}\nfluid: {reynolds: 10, lattice_velocity: 0.05}\nrun: {steps: 100}\n"
    "boundaries: {x_min: periodic, x_max: periodic, y_min: periodic, y_max: periodic, "
    "z_min: periodic, z_max: periodic}\n";
const std::string tunnel =
    "grid: {cells: [12, 8, 20]}\nfluid: {reynolds: 10, lattice_velocity: 0.05}\nrun: {steps: 100}\n"
    "boundaries: {z_max: outflow}\n";
const std::string inlet = "boundaries.z_min={type: velocity, velocity: ";
CaseModel model_of(const Case& c) { return make_case_model(c, derive(c)); }

Case case_of(const std::string& text, const std::vector<std::string>& sets) {
  Case lbm_case = parse_case(text, "c.yaml", sets);
  validate(lbm_case);
  return lbm_case;
}

// All cells of the initial flow: density, ux, uy, uz of each.
std::vector<std::array<double, 4>> initial_cells(const Case& c) {
  const InitialState state = initial_flow(c, derive(c));
  const auto& [nx, ny, nz] = c.grid.cells;
  std::vector<std::array<double, 4>> cells;
  for (int z = 0; z < nz; ++z) {
    for (int y = 0; y < ny; ++y) {
      std::vector<double> rho(static_cast<std::size_t>(nx), 1), ux(rho.size()), uy(ux), uz(ux);
      state(y, z, {rho, ux, uy, uz});
      for (std::size_t x = 0; x < rho.size(); ++x) cells.push_back({rho[x], ux[x], uy[x], uz[x]});
    }
  }
  return cells;
}

TEST(CaseFormulas, MakeTheTaylorGreenVortexAgain) {
  const Case built_in = case_of(periodic_box, {"initial.flow=taylor_green"});
  const std::string x = "2*pi*x/lx", y = "2*pi*y/ly", z = "2*pi*z/lz";
  const Case by_formula =
      case_of(periodic_box, {"initial={flow: formula, velocity: ['U*sin(" + x + ")*cos(" + y +
                             ")*cos(" + z + ")', '-U*cos(" + x + ")*sin(" + y + ")*cos(" + z +
                             ")', 0], pressure: 'rho0*U^2/16*(cos(2*" + x + ") + cos(2*" + y +
                             "))*(cos(2*" + z + ") + 2)'}"});
  const auto expected = initial_cells(built_in), found = initial_cells(by_formula);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (std::size_t c = 0; c < 4; ++c) EXPECT_NEAR(found[i][c], expected[i][c], 1e-15) << i;
  }
}

TEST(CaseFormulas, UseTheUnitsOfTheCase) {
  const Case si = case_of(
      "units: si\ngrid: {size: [0.12, 0.08, 0.06], spacing: 0.01}\n"
      "fluid: {velocity: 2, length: 0.04, density: 998, viscosity: 0.01, lattice_velocity: 0.05}\n"
      "run: {time: 1}\n",
      {"initial={flow: formula, velocity: [x, 'y + lx', 'U*dx/lz'], pressure: 'rho0*z/L*Re/nx'}"});
  const auto cells = initial_cells(si);
  const auto& cell = cells[12 * (8 * 2 + 3) + 4];  // x = 0.045 m, y = 0.035 m, z = 0.025 m
  const double velocity = 2 / 0.05, pressure = 998 * velocity * velocity;
  EXPECT_NEAR(cell[1], 0.045 / velocity, 1e-15);
  EXPECT_NEAR(cell[2], (0.035 + 0.12) / velocity, 1e-15);
  EXPECT_NEAR(cell[3], 2 * 0.01 / 0.06 / velocity, 1e-15);
  EXPECT_NEAR(cell[0], 3 * 998 * 0.025 / 0.04 * (2 * 0.04 / 0.01) / 12 / pressure, 1e-12);
}

TEST(CaseFormulas, TakeNumbersForAFlowByFormula) {
  const Case numbers =
      case_of(periodic_box, {"initial={flow: formula, velocity: [0.5, 0, -0.25]}"});
  const Case uniform =
      case_of(periodic_box, {"initial={flow: uniform, velocity: [0.5, 0, -0.25]}"});
  EXPECT_EQ(initial_cells(numbers), initial_cells(uniform));
}

TEST(CaseFormulas, MakeTheParabolaOfADuct) {
  const std::vector<std::string> sides{"boundaries.y_min=periodic", "boundaries.y_max=periodic"};
  auto duct = sides, formula = sides;
  duct.push_back("boundaries.z_min={type: velocity, velocity: [0, 0, 1], profile: duct}");
  formula.push_back(inlet + "[0, 0, 'U*(1 - (2*x/lx - 1)^2)']}");
  const Case a = case_of(tunnel, duct), b = case_of(tunnel, formula);
  const auto expected = full_faces(a, derive(a), {})[4].condition.profile;
  const auto found = full_faces(b, derive(b), {})[4].condition.profile;
  ASSERT_EQ(found.size(), expected.size());
  ASSERT_EQ(found.size(), 3U * 12 * 8);
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 4e-9) << i;
}

TEST(CaseFormulas, KnowTheTwoCoordinatesOfEachFace) {
  for (const auto& [face, high, text] : {std::tuple{"x_min", "x_max", "y + 100*z"},
                                         {"y_min", "y_max", "x + 100*z"},
                                         {"z_min", "z_max", "x + 100*y"}}) {
    const std::string start = std::string("boundaries.") + face;
    const Case c =
        case_of(tunnel, {std::string("boundaries.") + high + "=outflow",
                         start + "={type: velocity, velocity: ['1e-4*(" + text + ")', 0, 0]}"});
    const int f = static_cast<int>(std::string("xyz").find(face[0])) * 2;
    const FaceGrid grid(c, f);
    const auto profile =
        full_faces(c, derive(c), {})[static_cast<std::size_t>(f)].condition.profile;
    const auto at = static_cast<std::size_t>(3 * grid.na + 2);
    EXPECT_NEAR(profile[3 * at], 1e-4 * (2.5 + 350) * 0.05, 1e-9) << face;
  }
}

TEST(CaseFormulas, OfPatchesUseTheCornerOfTheBox) {
  const Case c = case_of(tunnel, {"boundaries.z_min={patches: {jet: {box: [4, 8, 2, 6], type: "
                                  "velocity, velocity: [0, 0, 'x/lx']}}}"});
  const auto profile = full_faces(c, derive(c), {})[4].patches[0].profile;
  EXPECT_NEAR(profile[3 * (3 * 12 + 5) + 2], 5.5 / 12 * 0.05, 1e-9);
}

TEST(CaseFormulas, FactorsAndForcesFollowTheTime) {
  const Case c = case_of(periodic_box, {"fluid.length=4", "run.steps=100",
                                        "force.acceleration=['0.1*sin(t)', 0, '0.01*t']"});
  const Derived d = derive(c);  // L / U = 80 steps; U^2 / L = 0.05^2 / 4
  const BodyForce force = collision_of(c, d).force;
  EXPECT_TRUE(force.any());
  EXPECT_TRUE(force.changes());
  EXPECT_NEAR(force.at(40)[0], 0.1 * std::sin(0.5) * 0.05 * 0.05 / 4, 1e-18);
  EXPECT_EQ(force.at(40)[1], 0);
  EXPECT_NEAR(force.at(80)[2], 0.01 * 0.05 * 0.05 / 4, 1e-18);
  const Case wall = case_of(tunnel, {"fluid.length=4",
                                     "boundaries.x_min={velocity: [0, 1, 0], "
                                     "velocity_factor: '1 - t^2'}"});
  const TimeFactor factor = full_faces(wall, derive(wall), {})[0].condition.factor;
  EXPECT_NEAR(factor.at(40), 0.75, 1e-15);
  EXPECT_TRUE(make_case_lattice(wall, derive(wall)).walls_change);
  const Case jet = case_of(tunnel, {inlet + "[0, 0, 'x/lx'], velocity_factor: '1 - t/9'}"});
  EXPECT_TRUE(model_of(jet).boundaries.changes_in_time());
  const Case steady = case_of(tunnel, {"force.acceleration=[0.1, 0, 0]"});
  EXPECT_FALSE(collision_of(steady, derive(steady)).force.changes());
  EXPECT_FALSE(model_of(steady).boundaries.changes_in_time());
}

TEST(CaseFormulas, MakeAForceThatDependsOnThePlace) {
  const Case c = case_of(periodic_box, {"fluid.length=4", "force.acceleration_factor='1 - t'",
                                        "force.acceleration=['0.1*sin(y)', 0, 'z < 3 ? 0 : x']"});
  const CaseModel model = model_of(c);
  EXPECT_TRUE(model.lattice.collision.force.by_place);
  EXPECT_FALSE(model.lattice.collision.force.any());
  EXPECT_TRUE(model.boundaries.changes_in_time());
  EXPECT_NEAR(model.boundaries.force_factor(40), 0.5, 1e-15);
  const double unit = 0.05 * 0.05 / 4;
  const BoundaryView view = model.boundaries.view();
  for (int z = 0; z < 6; ++z) {
    const ForceVector<double> force = view.with_force(ForceVector<double>(), 7, 2, z, 2.0);
    EXPECT_NEAR(force.x / unit, 0.2 * std::sin(2.5), 1e-7);
    EXPECT_EQ(force.y, 0);
    EXPECT_NEAR(force.z / unit, z < 3 ? 0 : 15, 1e-5) << z;
  }
  // Planes with the same force share it.
  EXPECT_EQ(view.force_of[0], view.force_of[2]);
  EXPECT_EQ(view.force_of[3], view.force_of[5]);
  EXPECT_NE(view.force_of[0], view.force_of[3]);
  // Cells between those that are sampled are looked at, too.
  const Case spike = case_of(
      periodic_box, {"grid.cells=[40, 8, 6]", "force.acceleration=['x == 2.5 ? 1e300 : 0', 0, 0]"});
  EXPECT_NE(test::error_of([&] { model_of(spike); }).find("changes the flow by Mach"),
            std::string::npos);
  const Case time = case_of(periodic_box, {"force.acceleration=['sin(t)', 0, 0]"});
  EXPECT_FALSE(make_case_lattice(time, derive(time)).collision.force.by_place);
  EXPECT_TRUE(model_of(time).boundaries.none());
}

TEST(CaseFormulas, AddToAForceThatSwings) {
  const Case c = case_of(periodic_box, {"force={acceleration: [0.5, 0, 't'], amplitude: [1, 0, 0], "
                                        "period: 1}"});
  const BodyForce force = collision_of(c, derive(c)).force;
  const double unit = 0.05 * 0.05 / 12;
  EXPECT_NEAR(force.at(0)[0] / unit, 1.5, 1e-12);
  EXPECT_NEAR(force.at(240)[2] / unit, 1, 1e-12);
}

// As the user wrote them, and so that a restart sees a change.
TEST(CaseFormulas, AreWrittenAsTheyWere) {
  const std::string text = tunnel +
                           "initial: {flow: formula, velocity: ['sin( 2*pi*x/lx )', '0', 1e-2], "
                           "pressure: \"x  <\\n 3\"}\n"
                           "force: {acceleration: ['t', 0, 0.0]}\n";
  const Case read =
      parse_case(text, "c.yaml", {inlet + "['1e-3*x', 0, 0], velocity_factor: 'cos(t)'}"});
  const std::string written = to_yaml(read);
  for (const char* const part :
       {R"_(["sin( 2*pi*x/lx )", "0", "1e-2"])_", R"("x  <\u000a 3")", R"(["t", "0", "0.0"])",
        R"(["1e-3*x", "0", "0"])", R"_("cos(t)")_"}) {
    EXPECT_NE(written.find(part), std::string::npos) << written;
  }
  const Case again = parse_case(written, "c.yaml");
  EXPECT_EQ(to_yaml(again), written);
  EXPECT_EQ(again.initial.velocity_formulas, read.initial.velocity_formulas);
  // The last value counts, numbers or formulas.
  const Case numbers = parse_case(text, "c.yaml", {"initial={flow: uniform, velocity: [1, 0, 0]}"});
  EXPECT_FALSE(numbers.initial.velocity_formulas);
}

struct Wrong {
  std::string text;
  std::vector<std::string> sets;
  std::string message;
};

void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.message; }

class WrongFormula : public testing::TestWithParam<Wrong> {};

TEST_P(WrongFormula, IsRefusedInOneLine) {
  const auto& [text, sets, message] = GetParam();
  const std::string line = test::error_of([&] { case_of(text, sets); });
  EXPECT_NE(line.find(message), std::string::npos) << line;
  EXPECT_EQ(line.find('\n'), std::string::npos) << line;
  EXPECT_LT(line.size(), 400U) << line;
}

const std::string flow = "initial.flow=formula";
const std::string at_rest = "initial.velocity=[0, 0, 0]";

INSTANTIATE_TEST_SUITE_P(
    All, WrongFormula,
    testing::Values(
        Wrong{periodic_box, {flow}, "initial.velocity: missing: initial.flow: formula requires it"},
        Wrong{periodic_box,
              {"initial.velocity=[x, 0, 0]"},
              "conflicts with initial.flow: rest, requires initial.flow: uniform, duct"},
        Wrong{periodic_box,
              {"initial.flow=uniform", "initial.velocity=[x, 0, 0]"},
              "by formulas conflicts with initial.flow: uniform, requires initial.flow: formula"},
        Wrong{periodic_box, {"initial.pressure=x"}, "requires initial.flow: formula"},
        Wrong{periodic_box,
              {flow, at_rest, "initial.axis=x", "initial.disturbance=0.1"},
              "initial.disturbance: conflicts"},
        Wrong{periodic_box,
              {flow, "initial.velocity=[0, '2*foo', 0]"},
              "--set initial.velocity: uy: position 3 of \"2*foo\": found \"foo\", which is no "
              "number, operator or name: known here are x, y, z, lx, ly, lz, nx, ny, nz, dx, U, L, "
              "Re, rho0, pi"},
        Wrong{periodic_box, {flow, "initial.velocity=[t, 0, 0]"}, "the flow is that at time 0"},
        Wrong{periodic_box,
              {flow, "initial.velocity=[0, 0, '1/(x - 0.5)']"},
              "--set initial.velocity: uz is inf at x = 0.5, y = 0.5, z = 0.5, must be finite"},
        Wrong{periodic_box,
              {flow, "initial.velocity=['sqrt(5 - z)', 0, 0]"},
              "ux is nan at x = 0.5, y = 0.5, z = 5.5"},
        Wrong{periodic_box,
              {flow, "initial.velocity=[0, 0, 'x < 11 ? 0 : 4']"},
              "gives a speed of 4 x lattice_velocity 0.05 (Mach 0.346) at x = 11.5, y = 0.5, z = "
              "0.5, must be at most Mach 0.3 everywhere"},
        Wrong{periodic_box,
              {flow, at_rest, "initial.pressure='-100*(y > 7)'"},
              "--set initial.pressure: gives 0.25 times the reference density at x = 0.5, y = 7.5"},
        Wrong{periodic_box, {flow, at_rest, "initial.pressure='log(0)'"}, "it is -inf at x = 0.5"},
        Wrong{periodic_box, {flow, at_rest, "initial.pressure='ux'"}, "found \"ux\", which is no"},
        Wrong{periodic_box,
              {flow, "initial.velocity=[x, 0]"},
              "must be a list of three numbers or formulas"},
        Wrong{periodic_box,
              {flow, "initial.velocity=[x, 0, .nan]"},
              "must be a list of three numbers or formulas"},
        Wrong{periodic_box,
              {flow, "initial.velocity=[x, 0, '']"},
              "must be a list of three numbers or formulas"},
        Wrong{periodic_box, {flow, at_rest, "initial.pressure=[1]"}, "must be a formula such as"},
        Wrong{tunnel,
              {"boundaries.x_min={velocity: [0, x, 0]}"},
              "velocity: by formulas conflicts with type: wall, requires type: velocity"},
        Wrong{tunnel,
              {inlet + "[0, 0, x], profile: duct}"},
              "velocity: by formulas conflicts with profile: remove one"},
        Wrong{tunnel,
              {inlet + "[0, 0, z]}"},
              "uz: position 1 of \"z\": found \"z\": all of the face has the same, must be x or y"},
        Wrong{tunnel, {inlet + "[0, 0, 'x*t']}"}, "that of t is velocity_factor"},
        Wrong{tunnel,
              {inlet + "[0, 0, '7*y/ly']}"},
              "gives a speed of 3.938 x lattice_velocity 0.05 (Mach 0.341) at x = 0.5, y = 4.5"},
        Wrong{tunnel, {inlet + "[0, 0, 'sqrt(x - 1)']}"}, "uz is nan at x = 0.5, y = 0.5, must be"},
        Wrong{tunnel,
              {inlet + "[0, 0, 1], velocity_factor: '5*t'}", "run.steps=600"},
              "velocity_factor: found a speed of 12.5 x lattice_velocity"},
        Wrong{tunnel,
              {inlet + "[0, 0, 1], velocity_factor: '1/(t - 0.1)'}", "fluid.length=10"},
              "velocity_factor: it is inf at t = 0.1, must be finite everywhere"},
        Wrong{tunnel,
              {inlet + "[0, 0, 1], velocity_factor: 'x'}"},
              "found \"x\": it is the same everywhere, must be a formula of t"},
        Wrong{tunnel,
              {"boundaries.z_min={type: velocity, velocity_factor: 't'}"},
              "velocity_factor: missing: velocity"},
        Wrong{tunnel,
              {inlet + "[0, 0, 1], velocity_factor: 't', ramp_time: 1}"},
              "ramp_time: conflicts with velocity_factor"},
        Wrong{tunnel,
              {"boundaries.x_min={velocity: [0, 1, 0], velocity_factor: 't', period: 1}"},
              "period: conflicts with velocity_factor"},
        Wrong{tunnel,
              {"boundaries.z_max={type: outflow, velocity_factor: 't'}"},
              "velocity_factor: conflicts with type: outflow, requires type: wall, velocity or"},
        Wrong{
            tunnel, {"force.acceleration=['1/0', 0, 0]"}, "force.acceleration: it is inf at t = 0"},
        Wrong{
            tunnel,
            {"force.acceleration=['x*t', 0, 0]"},
            "force.acceleration: ax: position 3 of \"x*t\": found \"t\": must be a formula of the "
            "place; that of t is force.acceleration_factor"},
        Wrong{tunnel, {"force.acceleration=[0, 0, 'foo*x']"}, "force.acceleration: az: position 1"},
        Wrong{tunnel,
              {"force.acceleration=[0, '1/(z-6.5)', 0]"},
              "force.acceleration: ay is inf at x = 0.5, y = 0.5, z = 6.5"},
        Wrong{tunnel, {"force.acceleration=['1e4*x', 0, 0]"}, "changes the flow by Mach"},
        Wrong{tunnel,
              {"force={acceleration: ['x', 0, 0], amplitude: [1, 0, 0], period: 1}"},
              "force.amplitude: conflicts with force.acceleration"},
        Wrong{tunnel,
              {"force={acceleration: ['t', 0, 0], acceleration_factor: 't'}"},
              "force.acceleration_factor: missing: formulas of x, y or z"},
        Wrong{tunnel,
              {"force={acceleration: ['x', 0, 0], acceleration_factor: 'y'}"},
              "it is the same everywhere"},
        Wrong{tunnel,
              {"force.acceleration=['x', 0, 0]", "lattice.collision=regularised_filtered"},
              "conflict with lattice.collision: regularised_filtered"},
        Wrong{tunnel,
              {"force.acceleration=['x', 0, 0]", "lattice.cells=fluid",
               "bodies.ball={shape: sphere, center: [6, 4, 10], radius: 2}"},
              "does not go with a force that depends on the place"},
        Wrong{tunnel,
              {"force.acceleration=['x', 0, 0]",
               "bodies.ball={shape: sphere, center: [6, 4, 10], radius: 2}",
               "quantities.drag={kind: force, bodies: [ball], direction: [1, 0, 0], "
               "pressure_gradient: true}"},
              "conflicts with force.acceleration, which depends on the place"}));

// Cases built in code pass the same checks.
TEST(CaseFormulas, NumbersOfCodeStayNumbers) {
  Case c = parse_case(tunnel, "c.yaml");
  c.initial.flow = InitialFlow::formula;
  c.initial.velocity = Vec3{std::nan(""), 0, 0};
  EXPECT_NE(test::error_of([&] { validate(c); }).find("list of three numbers"), std::string::npos);
}

// Cells between those that are sampled: before a run, and once more as planes are made.
TEST(CaseFormulas, AllCellsAreLookedAt) {
  const Case c =
      case_of(periodic_box,
              {"grid.cells=[40, 40, 40]", flow,
               "initial.velocity=['1/(x == 10.5 && y == 11.5 && z == 13.5 ? 0 : 10)', 0, 0]"});
  const std::string where = "ux is inf at x = 10.5, y = 11.5, z = 13.5, must be finite";
  EXPECT_NE(test::error_of([&] { model_of(c); }).find(where), std::string::npos);
  const Lattice lattice = make_case_lattice(c, derive(c));
  const InitialState state = initial_flow(c, derive(c));
  std::vector<std::byte> plane(lattice.layout.bytes);
  EXPECT_NO_THROW(write_initial_plane(lattice, state, 12, plane.data()));
  const std::string line =
      test::error_of([&] { write_initial_plane(lattice, state, 13, plane.data()); });
  EXPECT_NE(line.find(where), std::string::npos) << line;
}

TEST(CaseFormulas, AllCellsOfAnInletAreLookedAt) {
  const Case c = case_of(
      tunnel, {"grid.cells=[40, 40, 8]", inlet + "[0, 0, '1/(x == 10.5 && y == 11.5 ? 0 : 10)']}"});
  EXPECT_NE(test::error_of([&] { model_of(c); }).find("uz is inf at x = 10.5, y = 11.5"),
            std::string::npos);
}

TEST(CaseFormulas, ACheckSaysWhereItsTimeWasNotEnough) {
  const Case c = case_of(periodic_box, {"grid.cells=[200, 200, 200]", flow,
                                        "initial.velocity=['sin(x)', 'cos(y)', 'sin(x*y*z)']"});
  const CaseModel model =
      make_case_model(c, derive(c), TimeLimit(std::chrono::duration<double>(0.01)));
  ASSERT_EQ(model.warnings.size(), 1U);
  EXPECT_NE(model.warnings[0].find("lbm check --full"), std::string::npos);
}

TEST(CaseFormulas, CarryTheEddiesWithTheMeanOfTheProfile) {
  const Case c =
      case_of(tunnel, {inlet + "[0, 0, '2*x/lx'], turbulence: {intensity: 0.1, length: 2}}"});
  EXPECT_NEAR(full_faces(c, derive(c), {})[4].condition.velocity[2], 0.05, 1e-8);
}

}  // namespace
}  // namespace lbm::cases
