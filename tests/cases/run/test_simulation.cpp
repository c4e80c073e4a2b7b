// SPDX-License-Identifier: Apache-2.0

// Runs inside a program: what Simulation asks it, tells it, and leaves to it.
#include "cases/run/simulation.hpp"

#include <csignal>

#include "cases/case/read/read_case.hpp"
#include "cases/run/prepared_run.hpp"
#include "cases/run/run_results.hpp"
#include "tests/cases/run/restart_support.hpp"

namespace lbm::cases {
namespace {

using lbm::testing::ScratchDirectory;
using test::has;

// A warning about it: the length is more than the grid.
const std::string cavity = R"(
name: small
grid: {cells: [12, 12, 12]}
boundaries:
  x_min: wall
  x_max: wall
  y_min: wall
  y_max: wall
  z_min: wall
  z_max: {type: wall, velocity: [1, 0, 0]}
fluid: {reynolds: 20, length: 40}
run: {steps: 40}
tiling: {steps_per_visit: 2}
output: {profiles: false}
device: {backend: cpu, threads: 2}
)";

Case small(const std::vector<std::string>& overrides = {}) {
  test::keep_speeds_here();
  return parse_case(cavity, "small.yaml", overrides);
}

RunOptions in(const ScratchDirectory& scratch, const std::string& name = "r") {
  return {.out = (scratch.path() / name).string()};
}

const CellBox whole{{0, 0, 0}, {12, 12, 12}};

// Keeps what a run says.
struct Heard {
  std::vector<std::string> notes, warnings;

  RunCallbacks callbacks() {
    RunCallbacks callbacks;
    callbacks.notice = [this](NoticeKind kind, const std::string& text) {
      (kind == NoticeKind::note ? notes : warnings).push_back(text);
    };
    return callbacks;
  }
};

// The text that work() prints on stdout and stderr, and the message of its exception.
template <class Work>
std::string printed(const Work& work) {
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  std::string error;
  try {
    work();
  } catch (const std::exception& caught) {
    error = caught.what();
  }
  return ::testing::internal::GetCapturedStdout() + ::testing::internal::GetCapturedStderr() +
         error;
}

TEST(Simulation, PrintsNothing) {
  const ScratchDirectory scratch;
  Heard heard;
  RunOptions again;
  again.restart = (scratch.path() / "r").string();
  const std::string text = printed([&] {
    Simulation(small({"checkpoint.every_steps=20"}), in(scratch), heard.callbacks())
        .advance_to_end();
    Simulation(small({"run.steps=60", "checkpoint.at_end=true"}), again, heard.callbacks())
        .advance_to_end();
  });
  EXPECT_EQ(text, "");
  ASSERT_EQ(heard.notes.size(), 1U);
  EXPECT_TRUE(has(heard.notes[0], "the run goes on from here"));
  EXPECT_GE(heard.warnings.size(), 2U) << "the length";
  EXPECT_TRUE(has(test::file_text((scratch.path() / "r/report.json").string()), "\"completed\""));
}

// Steps beyond what the flow stands.
TEST(Simulation, TellsAnErrorOnlyByItsException) {
  const ScratchDirectory scratch;
  const std::string text = printed([&] {
    Simulation run(small({"fluid.reynolds=1e7", "fluid.lattice_velocity=0.17", "run.steps=20000"}),
                   in(scratch));
    EXPECT_THROW(run.advance_to_end(), DivergedError);
    EXPECT_TRUE(run.is_lost());
    EXPECT_THROW(run.advance(1), RunEnded);
    EXPECT_THROW(run.read(fields::Kind::velocity, whole), UsageError);
  });
  EXPECT_EQ(text, "");
  EXPECT_TRUE(has(test::file_text((scratch.path() / "r/report.json").string()), "diverged"));
}

TEST(Simulation, LeavesNoFilesWhereItShallNot) {
  const ScratchDirectory scratch;
  Heard heard;
  RunOptions options = in(scratch);
  options.writes_files = false;
  Simulation run(small({"output.every_steps=10"}), options, heard.callbacks());
  EXPECT_TRUE(run.advance_to_end());
  EXPECT_EQ(run.directory(), "");
  EXPECT_TRUE(std::filesystem::is_empty(scratch.path()));
  ASSERT_FALSE(heard.warnings.empty());
  EXPECT_EQ(heard.warnings[0], no_directory_warning);
  EXPECT_THROW(run.save(""), UsageError);
}

TEST(Simulation, IsTheSameInPieces) {
  const RunOptions nowhere{.writes_files = false};
  Simulation at_once(small(), nowhere), in_pieces(small(), nowhere);
  EXPECT_TRUE(at_once.advance_to_end());
  for (const int steps : {1, 16, 23}) EXPECT_TRUE(in_pieces.advance(steps));
  EXPECT_TRUE(in_pieces.is_over());
  EXPECT_EQ(in_pieces.read(fields::Kind::velocity, whole),
            at_once.read(fields::Kind::velocity, whole));
  EXPECT_THROW(in_pieces.advance(1), RunEnded);
}

TEST(Simulation, RefusesStepsThatItDoesNotHave) {
  Simulation run(small(), {.writes_files = false});
  EXPECT_THROW(run.advance(0), UsageError);
  EXPECT_THROW(run.advance(41), UsageError);
  EXPECT_EQ(run.step(), 0);
  EXPECT_TRUE(run.advance(40));
}

// A request to stop ends the run, an interruption only the call.
TEST(Simulation, StopsWhereTheProgramSaysSo) {
  const ScratchDirectory scratch;
  Heard heard;
  RunCallbacks callbacks = heard.callbacks();
  double steps = 0;
  bool first = true;
  callbacks.progress = [&](double done) { steps = done; };
  callbacks.is_interrupted = [&] { return first && steps >= 10; };
  callbacks.stop = [&] { return steps >= 25 ? SIGTERM : 0; };
  Simulation run(small(), in(scratch), callbacks);
  EXPECT_FALSE(run.advance_to_end());
  EXPECT_GE(run.step(), 10);
  EXPECT_LT(run.step(), 25);
  EXPECT_FALSE(run.is_over());
  first = false;
  EXPECT_TRUE(run.advance_to_end());
  EXPECT_TRUE(run.is_over());
  EXPECT_EQ(run.results().stats.stopped_by, SIGTERM);
  EXPECT_EQ(run.results().stats.exit_reason, "interrupted by SIGTERM");
  EXPECT_LT(run.step(), 40);
  EXPECT_TRUE(std::filesystem::exists(run.results().checkpoints.newest()));
}

TEST(Simulation, SavesOnceForARequest) {
  const ScratchDirectory scratch;
  RunCallbacks callbacks;
  int asked = 0;
  callbacks.save_requested = [&] { return asked++ == 3; };
  Simulation run(small(), in(scratch), callbacks);
  EXPECT_TRUE(run.advance_to_end());
  EXPECT_EQ(run.results().stats.checkpoints.count, 1);
  EXPECT_GT(asked, 4);
}

// Its last words are in the report.
TEST(Simulation, SaysInItsReportThatItWasClosed) {
  const ScratchDirectory scratch;
  {
    Simulation run(small(), in(scratch));
    run.advance(8);
  }
  EXPECT_TRUE(has(test::file_text((scratch.path() / "r/report.json").string()),
                  "closed after step 8 of 40"));
}

}  // namespace
}  // namespace lbm::cases
