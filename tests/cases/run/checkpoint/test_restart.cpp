// SPDX-License-Identifier: Apache-2.0

// `lbm run --restart`: a restarted run is bit-for-bit identical to an uninterrupted one. Signals,
// walltime, rotation.
#include <fmt/format.h>
#include <csignal>

#include <thread>

#include "io/vtk/surface_writer.hpp"
#include "tests/cases/run/restart_support.hpp"
#include "tests/cases/vtkhdf_values.hpp"

namespace lbm::cases::test {
namespace {

struct Change {
  std::string name, text, of_all, before, after;
};

const std::string wave = " --set tiling.scheme=wavefront --set tiling.steps_per_visit=";
const std::string halo = " --set tiling.scheme=halo --set tiling.steps_per_visit=";

class RestartWith : public ::testing::TestWithParam<Change> {};

// A run to step 80 with a checkpoint, continued to the end with other settings.
TEST_P(RestartWith, ContinuesBitForBit) {
  const Change& change = GetParam();
  const Runs runs(with_results(change.text));
  const Outcome whole = runs.run("whole", change.of_all);
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  const Outcome first = runs.run("parts", "--set run.steps=80 --set checkpoint.every_steps=50 " +
                                              change.of_all + change.before);
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_EQ(runs.checkpoints("parts"), std::vector<std::string>{"checkpoint_000000050.h5"});
  const Outcome second =
      runs.restart("parts/checkpoint_000000050.h5", change.of_all + change.after);
  ASSERT_EQ(second.exit_code, 0) << second.err;
  expect_same_results(runs.path("whole"), runs.path("parts"));
  EXPECT_EQ(judged(whole), judged(second));
  EXPECT_TRUE(has(runs.text("parts/report.json"), "\"restarted_from_step\": 50,"));
  EXPECT_TRUE(has(runs.text("parts/report.json"), "\"steps\": 120,"));
}

INSTANTIATE_TEST_SUITE_P(
    Ways, RestartWith,
    ::testing::Values(
        Change{"same", windy, "", "", ""}, Change{"wavefront", windy, "", "", wave + "7"},
        Change{"back_in_core", windy, "", wave + "5 --set tiling.planes_per_visit=4", ""},
        Change{"k_and_B", windy, "", wave + "3", wave + "9 --set tiling.planes_per_visit=5"},
        Change{"halo", windy, "", halo + "4", wave + "6"},
        Change{"to_halo", windy, "", "", halo + "3 --set tiling.planes_per_visit=6"},
        Change{"threads", windy, "", " --set device.threads=1", " --set device.threads=2"},
        Change{"fp16", windy, "--set lattice.storage=fp16", wave + "4", ""},
        Change{"fp64", windy, "--set lattice.storage=fp64", "", wave + "4"},
        Change{"periodic", vortex, "", wave + "5", wave + "7"},
        Change{"periodic_halo", vortex, "--set lattice.storage=fp16", wave + "5", halo + "3"},
        Change{"periodic_in_core", vortex, "", "", wave + "11"},
        Change{"scalars", heated, "", wave + "5", " --set device.threads=1"},
        Change{"formulas", by_formula, "", wave + "5", " --set device.threads=1"},
        Change{"formulas_halo", by_formula, "", " --set device.threads=3", halo + "3"}),
    [](const auto& change) { return change.param.name; });

// Without this, the test above could not detect a wrong state.
TEST(Restart, TheFlowChangesAllTheTime) {
  const Runs runs;
  ASSERT_EQ(runs.run("a").exit_code, 0);
  ASSERT_EQ(runs.run("b", "--set boundaries.x_min.period=0.8").exit_code, 0);
  EXPECT_NE(runs.text("a/forces_ball.csv"), runs.text("b/forces_ball.csv"));
}

TEST(Restart, OfADirectoryTakesTheNewestCheckpoint) {
  const Runs runs;
  ASSERT_EQ(runs.run("whole").exit_code, 0);
  ASSERT_EQ(runs.run("parts", "--set checkpoint.every_steps=30").exit_code, 0);
  EXPECT_EQ(runs.checkpoints("parts"),
            (std::vector<std::string>{"checkpoint_000000090.h5", "checkpoint_000000120.h5"}));
  fs::remove(runs.path("parts/checkpoint_000000120.h5"));
  const Outcome outcome = runs.restart("parts", "--set checkpoint.every_steps=30");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "checkpoint_000000090.h5: the run goes on from here"));
  expect_same_results(runs.path("whole"), runs.path("parts"));
}

void flip(const fs::path& file, std::size_t at) {
  std::string bytes = lbm::testing::read_text(file);
  bytes.at(at) = static_cast<char>(bytes.at(at) ^ 4);
  lbm::testing::write_text(file, bytes);
}

// Damage in HDF5's data is found at once, damage in a plane only when the lattice is filled.
TEST(Restart, TakesTheOneBeforeADamagedOne) {
  for (const bool in_a_plane : {false, true}) {
    const Runs runs;
    ASSERT_EQ(runs.run("whole").exit_code, 0);
    ASSERT_EQ(runs.run("parts", "--set checkpoint.every_steps=30").exit_code, 0);
    const fs::path newest = runs.path("parts/checkpoint_000000120.h5");
    flip(newest, in_a_plane ? fs::file_size(newest) / 2 : 4200);
    const Outcome outcome =
        runs.restart("parts", "--set checkpoint.every_steps=70 --set run.steps=140");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_TRUE(has(outcome.err, "checkpoint_000000120.h5: is damaged")) << outcome.err;
    EXPECT_TRUE(has(outcome.err, "checkpoint_000000090.h5: the run goes on from here"));
    EXPECT_EQ(runs.checkpoints("parts"),
              (std::vector<std::string>{"checkpoint_000000090.h5", "checkpoint_000000140.h5"}))
        << "the damaged one goes first";
  }
}

TEST(Restart, ElsewhereBeginsNewSeriesAndLeavesTheOldOnesAlone) {
  const Runs runs;
  ASSERT_EQ(runs.run("whole", "--set checkpoint.every_steps=50").exit_code, 0);
  const auto before = results_in(runs.path("whole"));
  const Outcome outcome = runs.run(
      "other", fmt::format("--restart '{}'", runs.path("whole/checkpoint_000000050.h5").string()));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(results_in(runs.path("whole")) == before);
  EXPECT_TRUE(runs.text("other/fields_000000080.hdf") == runs.text("whole/fields_000000080.hdf"));
  EXPECT_FALSE(fs::exists(runs.path("other/fields_000000040.hdf")));
  const std::string forces = runs.text("other/forces_ball.csv");
  EXPECT_TRUE(has(forces, "\n51,")) << forces;
  EXPECT_FALSE(has(forces, "\n50,")) << forces;
  EXPECT_FALSE(has(runs.text("other/fields.hdf.series"), "fields_000000040"));
}

TEST(Restart, ContinuesFromTheEndToALaterOne) {
  const Runs runs;
  ASSERT_EQ(runs.run("whole").exit_code, 0);
  ASSERT_EQ(runs.run("parts", "--set run.steps=70 --set checkpoint.at_end=true").exit_code, 0);
  const Outcome outcome = runs.restart("parts", "--set run.steps=120");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  expect_same_results(runs.path("whole"), runs.path("parts"));
}

// A run killed before it wrote its report.
TEST(Restart, AtTheEndHasNothingToDoButTheReport) {
  const Runs runs;
  lbm::testing::write_text(runs.path("line.csv"), "z,uz\n0.5,0.1\n1.5,0.2\n2.5,0.3\n");
  const std::string line =
      "--set expect.line.quantity=profile --set expect.line.profile=z --set expect.line.column=uz "
      "--set expect.line.file=line.csv --set expect.line.tolerance=1 ";
  const Outcome first = runs.run("whole", line + "--set checkpoint.at_end=true");
  ASSERT_EQ(first.exit_code, 0) << first.err;
  const auto before = results_in(runs.path("whole"));
  fs::remove(runs.path("whole/report.json"));
  const Outcome again = runs.restart("whole", line);
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_TRUE(has(judged(first), "expect line:")) << first.out;
  EXPECT_TRUE(results_in(runs.path("whole")) == before);
  EXPECT_EQ(judged(first), judged(again)) << "of the fields and the mean before";
  EXPECT_TRUE(has(runs.text("whole/report.json"), "\"exit_reason\": \"completed\""));
}

const std::string calm = R"(
name: calm
grid: {cells: [12, 4, 20]}
boundaries: {y_min: periodic, y_max: periodic, z_min: periodic, z_max: periodic}
fluid: {reynolds: 10, lattice_velocity: 0.05}
force: {acceleration: [0, 0, 0.8]}
run: {steps: 100000, until_steady: {tolerance: 1e-3, every: 0.5}}
output: {monitor: 50}
)";

// The end of a steady flow depends on neither k nor restarts.
TEST(Restart, EndsASteadyFlowAtTheSameStep) {
  for (const char* until : {"{tolerance: 1e-3, every: 0.5}", "{error: 0.01}"}) {
    const Runs runs(calm);
    const std::string steady = fmt::format("--set 'run.until_steady={}' ", until);
    ASSERT_EQ(runs.run("whole", steady).exit_code, 0);
    ASSERT_TRUE(has(runs.text("whole/report.json"), "\"exit_reason\": \"steady\""));
    ASSERT_EQ(runs.run("k", steady + wave + "30").exit_code, 0);
    expect_same_results(runs.path("whole"), runs.path("k"));
    const std::string keys =
        steady + "--set checkpoint.every_steps=130 --set checkpoint.keep=1000 ";
    ASSERT_EQ(runs.run("parts", keys).exit_code, 0);
    expect_same_results(runs.path("whole"), runs.path("parts"));
    const auto files = runs.checkpoints("parts");
    ASSERT_GE(files.size(), 3U);
    for (std::size_t i = 0; i < files.size(); i += std::max<std::size_t>(1, files.size() / 3)) {
      ASSERT_EQ(runs.restart("parts/" + files[i], keys + wave + "13").exit_code, 0);
      expect_same_results(runs.path("whole"), runs.path("parts"));
    }
  }
}

// The files at the end of an abandoned run are replaced by those of the new end.
TEST(Restart, LeavesNoFileOfAnEndThatDoesNotComeAgain) {
  std::string text = calm + R"(
statistics:
  mean: {every_steps: 10}
outputs:
  cut: {slice: y, at: 2, fields: [velocity]}
  cut_000009999: {slice: x, at: 2, fields: [velocity]}
)";
  if (io::writes_vtk()) text += "  level: {isosurface: velocity, value: 0.1}\n";
  const Runs runs(text);
  const std::string keys = "--set checkpoint.every_steps=130 --set checkpoint.keep=1000 ";
  ASSERT_EQ(runs.run("parts", keys).exit_code, 0);
  const std::string first = runs.checkpoints("parts").at(0);
  const auto files = [&] { return results_in(runs.path("parts")).size(); };
  const std::size_t before = files();
  for (const char* tolerance : {"1e-2", "1e-4"}) {
    const std::string other = fmt::format("--set run.until_steady.tolerance={} ", tolerance);
    lbm::testing::write_text(runs.path("parts/cut_000099999.png"), "a picture");
    const Outcome outcome = runs.restart("parts/" + first, keys + other);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_TRUE(fs::remove(runs.path("parts/cut_000099999.png"))) << "of the user";
    const std::string whole = fmt::format("whole_{}", tolerance);
    ASSERT_EQ(runs.run(whole, other).exit_code, 0);
    expect_same_results(runs.path(whole), runs.path("parts"));
    EXPECT_EQ(files(), before);
  }
  EXPECT_FALSE(results_in(runs.path("whole_1e-2")) == results_in(runs.path("whole_1e-4")));
}

// Samples for steadiness are rare; a checkpoint in between takes one as well. The clock determines
// the sampled and saved steps; at some of them the flow is within its limits for the last time.
TEST(Restart, NeverSavesAFlowThatHasDiverged) {
  const Runs runs(lbm::testing::read_text(shipped_path("lid_driven_cavity")));
  const std::string wild =
      "--set 'grid.cells=[12, 8, 16]' --set fluid.reynolds=1e7 --set fluid.lattice_velocity=0.17 "
      "--set output.at_end=false --set tiling.scheme=in_core ";
  const Outcome outcome =
      runs.run("r", wild + "--set run.steps=20000 --set checkpoint.every_minutes=1e-6");
  ASSERT_EQ(outcome.exit_code, 3) << outcome.err;
  const std::string newest = runs.checkpoints("r").back();
  const long saved = std::stol(newest.substr(newest.find('_') + 1));
  const Outcome seen =
      runs.run("seen", wild + fmt::format("--set run.steps={0} --set output.monitor={0}", saved));
  EXPECT_EQ(seen.exit_code, 0) << seen.err;
}

TEST(Restart, MendsATornLog) {
  const Runs runs;
  ASSERT_EQ(runs.run("whole").exit_code, 0);
  ASSERT_EQ(runs.run("parts", "--set checkpoint.every_steps=50").exit_code, 0);
  const std::string log = runs.text("parts/forces_ball.csv");
  // After step 50, in the middle of a row; a missing log is started anew.
  lbm::testing::write_text(runs.path("parts/forces_ball.csv"),
                           log.substr(0, log.find("\n77,") + 9));
  ASSERT_EQ(runs.restart("parts/checkpoint_000000050.h5").exit_code, 0);
  expect_same_results(runs.path("whole"), runs.path("parts"));
}

// Long enough to be stopped; its progress does not matter.
const std::string endless =
    "--set run.steps=100000000 --set output.every_steps=100000000 "
    "--set output.monitor=100000000 --set output.forces=1000 ";

TEST(RestartSignals, AStopSavesTheState) {
  for (const int signal : {SIGTERM, SIGINT}) {
    const Runs runs;
    EXPECT_EQ(stopped_program(runs.line("r", endless), runs.path("r/effective_case.yaml"), signal,
                              std::chrono::milliseconds(300)),
              128 + signal);
    const auto files = runs.checkpoints("r");
    ASSERT_EQ(files.size(), 1U);
    const std::string report = runs.text("r/report.json");
    const auto at = report.find("\"steps\": ") + 9;
    const std::string steps = report.substr(at, report.find(',', at) - at);
    EXPECT_TRUE(has(files[0], steps)) << files[0] << ' ' << steps;
    // It continues from there to a near end.
    const long end = std::stol(steps) + 50;
    ASSERT_EQ(runs.restart("r", endless + fmt::format("--set run.steps={}", end)).exit_code, 0);
    ASSERT_EQ(runs.run("whole", endless + fmt::format("--set run.steps={}", end)).exit_code, 0);
    expect_same_results(runs.path("whole"), runs.path("r"));
  }
}

TEST(RestartSignals, AStopSavesNothingWhereToldNotTo) {
  const Runs runs;
  EXPECT_EQ(
      stopped_program(runs.line("r", endless + "--set checkpoint.on_signal=false"),
                      runs.path("r/effective_case.yaml"), SIGTERM, std::chrono::milliseconds(300)),
      128 + SIGTERM);
  EXPECT_TRUE(runs.checkpoints("r").empty());
}

TEST(RestartSignals, AUserSignalSavesAndTheRunGoesOn) {
  const Runs runs;
  std::thread stopper;
  const std::string line = runs.line("r", endless);
  const std::string command = fmt::format("exec '{}' {} >/dev/null 2>&1", LBM_PROGRAM, line);
  keep_speeds_here();
  const pid_t child = fork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  const auto wait_for = [](const auto& what) {
    for (int i = 0; i < 1000 && !what(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return what();
  };
  ASSERT_TRUE(wait_for([&] { return fs::exists(runs.path("r/effective_case.yaml")); }));
  for (std::size_t count = 1; count <= 2; ++count) {
    // Asks again until it is there: the same step is not saved twice, and on a busy machine no step
    // may have passed yet.
    EXPECT_TRUE(wait_for([&] {
      kill(child, SIGUSR1);
      return runs.checkpoints("r").size() >= count;
    })) << count;
  }
  kill(child, SIGTERM);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGTERM) << "it went on";
  EXPECT_EQ(runs.checkpoints("r").size(), 2U) << "the third one took the place of the first";
}

TEST(RestartWalltime, StopsBeforeItWithACheckpoint) {
  const Runs runs;
  const auto begin = std::chrono::steady_clock::now();
  const Outcome outcome = runs.run("r", endless + "--set run.walltime=0.1");
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  expect_one_line(outcome, 6, "stopped before its walltime");
  EXPECT_LT(seconds.count(), 6.0);
  EXPECT_GT(seconds.count(), 2.0) << "not at once";
  EXPECT_EQ(runs.checkpoints("r").size(), 1U);
  EXPECT_TRUE(has(runs.text("r/report.json"), "\"exit_reason\": \"walltime reached\""));
}

// Even if the walltime is shorter than a sweep and a checkpoint take.
TEST(RestartWalltime, EveryRestartGetsAStepFurther) {
  const Runs runs;
  ASSERT_EQ(runs.run("r", endless + "--set run.walltime=0.001").exit_code, 6);
  ASSERT_EQ(runs.checkpoints("r").size(), 1U);
  const std::string first = runs.checkpoints("r").back();
  ASSERT_EQ(runs.restart("r", endless + "--set run.walltime=0.001").exit_code, 6);
  EXPECT_GT(runs.checkpoints("r").back(), first);
}

// The interval is over again as soon as a checkpoint is saved.
TEST(RestartRotation, AnIntervalShorterThanASweepDoesNotStopTheRun) {
  const Runs runs;
  const std::string arguments =
      runs.line("r", "--set run.steps=40 --set checkpoint.every_minutes=1e-300");
  const Outcome outcome = run_line(fmt::format("timeout 20 '{}' {}", LBM_PROGRAM, arguments));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_GE(runs.checkpoints("r").size(), 1U);
}

TEST(RestartRotation, KeepsAsManyAsToldAndSavesByTheClock) {
  const Runs runs;
  ASSERT_EQ(runs.run("r", "--set checkpoint.every_steps=10 --set checkpoint.keep=4").exit_code, 0);
  EXPECT_EQ(runs.checkpoints("r"),
            (std::vector<std::string>{"checkpoint_000000090.h5", "checkpoint_000000100.h5",
                                      "checkpoint_000000110.h5", "checkpoint_000000120.h5"}));
  EXPECT_TRUE(has(runs.text("r/report.json"), "\"count\": 12,"));
  ASSERT_EQ(runs.run("c", "--set checkpoint.every_minutes=1e-6 --set checkpoint.keep=1").exit_code,
            0);
  EXPECT_EQ(runs.checkpoints("c").size(), 1U);
}

// A checkpoint of commit 47a3c8d, which kept densities where newer ones keep densities less 1: of
// the outlet, and in means. Restarted in a directory of its own.
TEST(RestartOfAnOlderVersion, HasTheFlowAndTheMeansOfAWholeRun) {
  const Runs runs(R"(
name: older
grid: {cells: [4, 4, 6]}
boundaries:
  x_min: periodic
  x_max: periodic
  z_min: {type: velocity, velocity: [0, 0, 1]}
  z_max: {type: pressure, pressure: 0.01}
fluid: {reynolds: 5, lattice_velocity: 0.05}
lattice: {collision: trt}
run: {steps: 40}
output: {profiles: false}
statistics: {mean: {every_steps: 2, stresses: false}}
checkpoint: {at_end: true}
)");
  const std::string older = runs.path("older.h5").string();
  ASSERT_EQ(run_line("gzip -dc '" LBM_SOURCE_DIR
                     "/tests/cases/run/checkpoint/older_checkpoint.h5.gz' >'" +
                     older + "'")
                .exit_code,
            0);
  ASSERT_EQ(runs.run("whole").exit_code, 0);
  const Outcome restarted = runs.run("restarted", "--restart '" + older + "'");
  ASSERT_EQ(restarted.exit_code, 0) << restarted.err;
  const auto expect_same = [&](const std::string& file, const std::string& array) {
    const Values all = values_of(runs.path("whole/" + file), array);
    const Values part = values_of(runs.path("restarted/" + file), array);
    ASSERT_EQ(part.values.size(), all.values.size());
    for (std::size_t i = 0; i < all.values.size(); ++i) {
      EXPECT_NEAR(part.values[i], all.values[i], 1e-6) << array << " " << i;
    }
  };
  expect_same("fields_000000040.hdf", "velocity");
  expect_same("fields_000000040.hdf", "density");
  expect_same("mean_000000040.hdf", "mean_velocity");
  expect_same("mean_000000040.hdf", "mean_density");
}

}  // namespace
}  // namespace lbm::cases::test
