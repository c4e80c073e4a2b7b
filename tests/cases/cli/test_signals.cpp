// SPDX-License-Identifier: Apache-2.0

// Each signal that a batch system or a terminal sends saves the state, or says why not.
#include <fcntl.h>

#include <thread>

#include "cases/cli/terminal/signals.hpp"
#include "tests/cases/run/restart_support.hpp"

namespace lbm::cases::test {
namespace {

using namespace std::chrono_literals;

const std::string endless = "--set run.steps=100000000 --set output.every_steps=100000000 ";

// As the thread that listens to other ranks does. The thread sanitizer sees whether it may.
TEST(SignalFlags, AreReadByOtherThreads) {
  const StopSignals stop;
  bool saves = false;
  std::thread reader([&] {
    while (StopSignals::received() == 0) std::this_thread::sleep_for(1ms);
    saves = StopSignals::take_save();
  });
  raise(SIGUSR1);
  raise(SIGUSR2);
  raise(SIGXCPU);
  reader.join();
  EXPECT_TRUE(saves);
  EXPECT_EQ(StopSignals::received(), SIGUSR2) << "the first one";
}

// At the time limit of a job, to the step and to the job. Elsewhere the second one ends the
// program.
TEST(SignalFlags, SlurmSendsSigtermTwice) {
  const auto twice = [] {
    const StopSignals stop;
    raise(SIGTERM);
    raise(SIGTERM);
    std::_Exit(StopSignals::received());
  };
  setenv("SLURM_JOB_ID", "7", 1);
  EXPECT_EXIT(twice(), ::testing::ExitedWithCode(SIGTERM), "");
  unsetenv("SLURM_JOB_ID");
  EXPECT_EXIT(twice(), ::testing::KilledBySignal(SIGTERM), "");
}

class Signals : public ::testing::Test {
 protected:
  std::size_t checkpoints(const std::string& out) const { return runs_.checkpoints(out).size(); }

  // Exit code of a run that gets the signal twice.
  int stopped_by(int signal, const std::string& more = "") const {
    const std::string line = runs_.line("r", endless + more);
    return stopped_program(line, runs_.path("r/effective_case.yaml"), signal, 300ms, 10s, 2);
  }

  const Runs runs_{
      "name: tiny\ngrid: {cells: [16, 16, 16]}\nfluid: {reynolds: 10}\nrun: {steps: 4}\n"};
};

// Terminals and batch systems repeat them: a second one does not end the program at once.
class StopSignal : public Signals, public ::testing::WithParamInterface<int> {};

TEST_P(StopSignal, SavesTheState) {
  EXPECT_EQ(stopped_by(GetParam()), 128 + GetParam());
  EXPECT_EQ(checkpoints("r"), 1U);
  EXPECT_TRUE(has(runs_.text("r/report.json"), "interrupted by SIG"));
}
INSTANTIATE_TEST_SUITE_P(, StopSignal, ::testing::Values(SIGHUP, SIGUSR2, SIGXCPU));

// As it does with nohup.
TEST_F(Signals, AHangupThatIsIgnoredStaysIgnored) {
  const std::string line = runs_.line("r", endless);
  const Outcome outcome = run_line(fmt::format(
      "trap '' HUP; '{}' {} & for i in $(seq 500); do [ -e '{}' ] && break; sleep 0.02; done; "
      "kill -HUP $!; sleep 0.1; kill -TERM $!; wait $!",
      LBM_PROGRAM, line, runs_.path("r/effective_case.yaml").string()));
  EXPECT_EQ(outcome.exit_code, 143) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "stopped by SIGTERM")) << outcome.err;
}

// The signal waits while the program starts: it is there before the program.
TEST_F(Signals, OneThatComesWhileTheProgramStartsIsAnswered) {
  keep_speeds_here();
  const std::string command =
      fmt::format("exec '{}' {} 2>'{}'", LBM_PROGRAM, runs_.line("r", "--set run.steps=300"),
                  runs_.path("err").string());
  const pid_t child = fork();
  if (child == 0) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_BLOCK, &set, nullptr);
    raise(SIGTERM);
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 143);
  EXPECT_TRUE(has(runs_.text("err"), "no checkpoint: this run computed no step"))
      << runs_.text("err");
}

// Seconds of set-up: each cell of the box is compared with all spheres.
std::string slow_to_set_up() {
  std::string text =
      "name: slow\ngrid: {cells: [128, 128, 128]}\nfluid: {reynolds: 10}\nrun: {steps: 4}\n"
      "device: {backend: cpu, threads: 1}\nbodies:\n";
  std::string all;
  for (int i = 0; i < 400; ++i) {
    text +=
        fmt::format("  b{}: {{shape: sphere, center: [64, 64, 64], radius: {}, solid: false}}\n", i,
                    40 + 0.01 * i);
    all += fmt::format("{}b{}", i > 0 ? ", " : "", i);
  }
  return text + "  ball: {shape: intersection, of: [" + all + "]}\n";
}

TEST_F(Signals, OneDuringALongSetUpEndsItAtOnce) {
  const Runs slow(slow_to_set_up());
  const std::string command = fmt::format("exec '{}' {} 2>'{}'", LBM_PROGRAM, slow.line("r", ""),
                                          slow.path("err").string());
  const pid_t child = fork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  std::this_thread::sleep_for(500ms);
  const auto begin = std::chrono::steady_clock::now();
  kill(child, SIGTERM);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 2s);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 143);
  EXPECT_EQ(slow.text("err"),
            "lbm: stopped by SIGTERM during set-up; no checkpoint: this run computed no step\n");
  EXPECT_FALSE(std::filesystem::exists(slow.path("r")));
}

TEST_F(Signals, ALimitOnFileSizesIsAnErrorWithARemedy) {
  const std::string line = runs_.line("r", "--set checkpoint.every_steps=2");
  const Outcome outcome = run_line(fmt::format("ulimit -f 40; '{}' {}", LBM_PROGRAM, line));
  expect_one_line(outcome, 4, "File too large");
  EXPECT_TRUE(has(outcome.err, "ulimit -f")) << outcome.err;
  for (const std::string& name : lbm::testing::names_in(runs_.path("r"))) {
    EXPECT_FALSE(name.ends_with(".partial") || name == ".lbm-lock") << name;
  }
}

}  // namespace
}  // namespace lbm::cases::test
