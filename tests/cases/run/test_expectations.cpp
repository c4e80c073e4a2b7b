// SPDX-License-Identifier: Apache-2.0

// Expectations of a case: comparison, errors, exit codes.
#include "cases/run/records/expectations.hpp"

#include <fstream>

#include "cases/case/validate/validate.hpp"
#include "solver/core/error.hpp"
#include "tests/cases/program.hpp"
#include "tests/io/scratch.hpp"

namespace lbm::cases {
namespace {

using lbm::testing::ScratchDirectory;
using test::lbm_program;

std::string written(const ScratchDirectory& scratch, const std::string& text) {
  const std::string path = (scratch.path() / "reference.csv").string();
  std::ofstream(path) << text;
  return path;
}

TEST(ReferenceProfile, FindsTheLargestDeviationBetweenAndBeyondCentres) {
  const ScratchDirectory scratch;
  const ReferenceProfile reference(written(scratch, "# text\nz,u\n0,0.0\n0.5,1.5\n1,2\n"));
  EXPECT_EQ(reference.range(), 2);
  EXPECT_EQ(reference.first_position(), 0);
  EXPECT_EQ(reference.last_position(), 1);
  // u = 2 z at four centres, extrapolated beyond them.
  const auto worst = reference.largest_deviation({0.25, 0.75, 1.25, 1.75}, 0.25);
  EXPECT_EQ(worst.position, 0.5);
  EXPECT_DOUBLE_EQ(worst.value, 1);
  EXPECT_EQ(worst.expected, 1.5);
}

TEST(ReferenceProfile, RefusesWhatIsNoProfile) {
  const ScratchDirectory scratch;
  EXPECT_THROW(ReferenceProfile(written(scratch, "z,u\n")), UsageError);
  EXPECT_THROW(ReferenceProfile(written(scratch, "0,1\n1,2,3\n")), UsageError);
  EXPECT_THROW(ReferenceProfile("/no/such/file.csv"), UsageError);
}

// A box at rest with a single expectation.
Case case_with(Expectation expected) {
  Case lbm_case;
  lbm_case.grid.cells = {4, 4, 4};
  lbm_case.fluid.tau = 1;
  lbm_case.fluid.lattice_velocity = 0.1;
  lbm_case.run.steps = 100;
  expected.name = "it";
  lbm_case.expect = {std::move(expected)};
  return lbm_case;
}

Expectation of(Quantity quantity, int axis) {
  Expectation expected;
  expected.measure = Measure{quantity, axis};
  return expected;
}

TEST(Expectations, InterpolatesTheVelocityAtAPoint) {
  Expectation expected = of(Quantity::velocity, 1);
  expected.point = Vec3{1.25, 2, 3.9};  // beyond the last centre along z
  expected.value = 12.25;
  expected.tolerance_absolute = 1e-4;
  const Case lbm_case = case_with(expected);
  Expectations expectations(lbm_case, derive(lbm_case), {});
  EXPECT_TRUE(expects_fields(lbm_case));
  for (int z = 0; z < 4; ++z) {
    std::vector<float> values(64);  // velocity, density less 1
    for (std::size_t cell = 0; cell < 16; ++cell) {
      const auto x = static_cast<float>(cell % 4), y = static_cast<float>(cell / 4);
      values[3 * cell + 1] = 0.1F * (x + y + 10 * static_cast<float>(z == 3));
    }
    expectations.add_plane(z, {values});
  }
  const ExpectationResult result = expectations.results().at(0);
  EXPECT_NEAR(result.value, 0.75 + 1.5 + 10, 1e-5);
  EXPECT_TRUE(result.met);
  EXPECT_EQ(result.quantity, "velocity.y");
}

TEST(Expectations, TakesTheMeanOfForcesFromItsTime) {
  Expectation expected = of(Quantity::coefficient, 2);
  expected.body = "second";
  expected.average_from = 2;  // convective times of 40 steps
  expected.value = 5;
  expected.tolerance = 0.1;
  Case lbm_case = case_with(expected);
  Expectations expectations(lbm_case, derive(lbm_case), {"first", "second"});
  std::vector<BodyForces> forces(2);
  for (int step = 1; step <= 100; ++step) {
    forces[0].coefficient[2] = -1;
    forces[1].coefficient[2] = step < 80 ? 100 : step;
    expectations.on_forces(step, forces);
  }
  const ExpectationResult result = expectations.results().at(0);
  EXPECT_DOUBLE_EQ(result.value, 90);
  EXPECT_DOUBLE_EQ(result.tolerance, 0.5);
  EXPECT_FALSE(result.met);
}

TEST(Expectations, CountLooksOfTheMonitorInMeansAndOthersAtTheEnd) {
  Expectation expected = of(Quantity::kinetic_energy, -1);
  expected.value = 1;
  expected.tolerance = 0.1;
  for (const bool mean : {false, true}) {
    if (mean) expected.average_from = 0;
    const Case lbm_case = case_with(expected);
    Expectations expectations(lbm_case, derive(lbm_case), {});
    FlowSample state;
    for (const int step : {20, 40, 100}) {
      state.step = step;
      state[kinetic_energy] = step;
      expectations.on_sample(state, step < 100);
    }
    EXPECT_DOUBLE_EQ(expectations.results().at(0).value, mean ? 30 : 100);
  }
}

TEST(Expectations, AreNotMetByValuesThatAreNotNumbers) {
  Expectation expected = of(Quantity::mass, -1);
  expected.value = 0;
  expected.tolerance_absolute = 1e300;
  const Case lbm_case = case_with(expected);
  Expectations expectations(lbm_case, derive(lbm_case), {});
  FlowSample state;
  state[mass] = std::nan("");
  expectations.on_sample(state, false);
  EXPECT_FALSE(expectations.results().at(0).met);
}

void expect_refused(const Case& lbm_case, const std::string& part) {
  try {
    validate(lbm_case);
    ADD_FAILURE() << "must be refused: " << part;
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(Expectations, RefuseMeansOfWhatIsKnownAtTheEndAlone) {
  Expectation expected = of(Quantity::mass, -1);
  expected.value = 0;
  expected.tolerance_absolute = 1;
  expected.average_from = 1;
  expect_refused(case_with(expected), "missing: output.monitor");
  expected.measure = Measure{Quantity::velocity, 0};
  expected.point = Vec3{1, 1, 1};
  expect_refused(case_with(expected), "average_from: conflicts with quantity: velocity.x");
}

TEST(Expectations, RefuseReferencesBeyondTheBox) {
  const ScratchDirectory scratch;
  Expectation expected = of(Quantity::profile, -1);
  expected.profile = 2;
  expected.column = "ux";
  expected.tolerance = 0.1;
  expected.file = written(scratch, "0.5,1\n1.01,2\n");
  expect_refused(case_with(expected), "must lie in the box, from 0 to 1");
}

// A cavity with an expectation that runs in a moment.
std::string run_with(const ScratchDirectory& scratch, const std::string& more) {
  return fmt::format(
      "run '{}' --set 'grid.cells=[12, 12, 12]' --set run.steps=40 --set device.backend=cpu "
      "--set output.at_end=false --set output.profiles=false --set expect={{}} "
      "--quiet --out '{}' --overwrite {}",
      test::shipped_path("lid_driven_cavity"), (scratch.path() / "run").string(), more);
}

TEST(ExpectCommand, SetsTheExitCodeOnlyWhenAsked) {
  const ScratchDirectory scratch;
  const std::string kept =
      "--set 'expect.kept={quantity: mass, value: 0, tolerance_absolute: 1e-4}'";
  const std::string wrong = "--set 'expect.wrong={quantity: mass, value: 1, tolerance: 0.1}'";
  EXPECT_EQ(lbm_program(run_with(scratch, kept + " --expect")).exit_code, 0);
  EXPECT_EQ(lbm_program(run_with(scratch, kept + " " + wrong)).exit_code, 0);
  const auto outcome = lbm_program(run_with(scratch, kept + " " + wrong + " --expect"));
  EXPECT_EQ(outcome.exit_code, 5) << outcome.err;
  EXPECT_NE(outcome.err.find("1 of 2 expectations not met"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.out.find("expect kept: "), std::string::npos) << outcome.out;
  const std::string report = test::file_text((scratch.path() / "run/report.json").string());
  EXPECT_NE(report.find("\"name\": \"wrong\""), std::string::npos) << report;
  EXPECT_NE(report.find("\"met\": false"), std::string::npos) << report;
}

// The final fields are not written, but needed.
TEST(ExpectCommand, TakesFieldsThatAreNotWritten) {
  const ScratchDirectory scratch;
  const auto outcome = lbm_program(run_with(
      scratch,
      "--set 'expect.u={quantity: velocity.x, point: [6, 6, 12], value: 0.6, tolerance: 0.4}' "
      "--expect"));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
}

// The saved case refers to files in the folder of the original one.
TEST(ExpectCommand, SavesACaseThatFindsItsFiles) {
  const ScratchDirectory scratch;
  const std::string small =
      " --set run.steps=20 --set device.backend=cpu --quiet --set grid.cells=[16,2,16]";
  const std::string first = (scratch.path() / "first").string();
  const auto one =
      lbm_program("run " + test::shipped_path("lid_driven_cavity_2d") + small + " --out " + first);
  ASSERT_EQ(one.exit_code, 0) << one.err;
  const auto two =
      lbm_program("run " + first + "/effective_case.yaml --quiet --out " + first + "2");
  EXPECT_EQ(two.exit_code, 0) << two.err;
}

TEST(ExpectCommand, RefusesACaseWithoutExpectations) {
  const ScratchDirectory scratch;
  const auto outcome = lbm_program(run_with(scratch, "--expect"));
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("found no expectations"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace lbm::cases
