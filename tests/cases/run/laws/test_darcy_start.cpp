// SPDX-License-Identifier: Apache-2.0

// Runs through a porous medium that start with the pressure of Darcy's law.
#include <yaml-cpp/yaml.h>

#include "tests/cases/run/ranks/ranks_support.hpp"

namespace lbm::cases::test {
namespace {

// Two narrow throats between wide pores, 12 x 8 x 96 cells: the pressure needs long along z.
const std::string throats = R"(
name: throats
grid: {cells: [12, 8, 96]}
boundaries: {x_min: periodic, x_max: periodic, y_min: periodic, y_max: periodic, z_min: periodic, z_max: periodic}
bodies:
  floor: {shape: box, center: [1, 4, 48], size: [2, 8, 96], walls: staircase}
  low: {shape: box, center: [7, 4, 20], size: [8, 8, 16], walls: staircase}
  high: {shape: box, center: [6, 4, 60], size: [6, 8, 8], walls: staircase}
fluid: {tau: 1.5, length: 10, lattice_velocity: 0.0005}
lattice: {collision: trt, storage: fp64, cells: fluid}
force: {acceleration: [0, 0, 0.05]}
run: {steps: 300}
output: {profiles: false}
quantities: {k: {kind: permeability}}
)";

const std::string darcy = " --set initial.flow=darcy";

double permeability(const Runs& runs, const std::string& name, const std::string& options) {
  const Outcome outcome = runs.run(name, options);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  return YAML::Load(runs.text(name + "/report.json"))["quantities"][0]["value"].as<double>();
}

// At tau 0.7 both starts have the same end, and with TRT so has tau 1.5, where the pressure needs
// ten times as long.
TEST(DarcyStart, EndsInTheSamePermeabilitySooner) {
  const Runs runs(throats);
  const std::string to_end = " --set fluid.tau=0.7 --set run.steps=3000";
  const double end = permeability(runs, "end", to_end);
  EXPECT_NEAR(permeability(runs, "long", to_end + darcy), end, 1e-5 * end);
  const double rest = permeability(runs, "rest", ""), start = permeability(runs, "start", darcy);
  EXPECT_LT(std::abs(start - end), 0.2 * std::abs(rest - end))
      << rest << " " << start << " " << end;
}

TEST(DarcyStart, IsTheSameInAllSchedulesAndAfterARestart) {
  const Runs runs(throats);
  const std::string last = "fields_000000300.hdf";
  ASSERT_EQ(runs.run("a", "--set tiling.scheme=in_core --set checkpoint.every_steps=100" + darcy)
                .exit_code,
            0);
  for (const char* scheme : {"halo", "wavefront"}) {
    ASSERT_EQ(runs.run(scheme, fmt::format("--set tiling.scheme={} --set device.threads=3 --set "
                                           "tiling.steps_per_visit=3 --set "
                                           "tiling.planes_per_visit=6{}",
                                           scheme, darcy))
                  .exit_code,
              0);
    EXPECT_EQ(runs.text("a/" + last), runs.text(scheme + ("/" + last)));
  }
  const Outcome again = runs.restart(
      "a/checkpoint_000000200.h5", darcy + fmt::format(" --out '{}'", runs.path("again").string()));
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(runs.text("a/" + last), runs.text("again/" + last));
}

TEST_F(Processes, GiveTheResultsOfOneFromADarcyStart) {
  const Runs runs(throats);
  ASSERT_EQ(runs.run("alone", darcy).exit_code, 0);
  const Outcome outcome = several(3, runs.line("shared", darcy));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(runs.text("alone/fields_000000300.hdf"), runs.text("shared/fields_000000300.hdf"));
}

}  // namespace
}  // namespace lbm::cases::test
