// SPDX-License-Identifier: Apache-2.0

// Runs through a porous medium that start with the pressure of Darcy's law.
#include "tests/cases/run/laws/throats.hpp"
#include "tests/cases/run/ranks/ranks_support.hpp"

namespace lbm::cases::test {
namespace {

const std::string throats = throats_box + R"yaml(
lattice: {collision: trt, storage: fp64, cells: fluid}
run: {steps: 300}
)yaml";

const std::string darcy = " --set initial.flow=darcy";

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
