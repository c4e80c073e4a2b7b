// SPDX-License-Identifier: Apache-2.0

// Checkpoints on disks that are full, too small, not writable or gone.
#include <fmt/format.h>

#include <fstream>
#include <stop_token>
#include <thread>

#include "tests/cases/run/restart_support.hpp"

namespace lbm::cases::test {
namespace {

using lbm::testing::names_in;
using lbm::testing::TinyDisk;

std::uint64_t checkpoint_bytes(const Runs& runs) {
  EXPECT_EQ(runs.run("size", "--set checkpoint.at_end=true").exit_code, 0);
  return fs::file_size(runs.path("size") / runs.checkpoints("size").back());
}

// From the first checkpoint on, keeps about that many bytes of the disk free.
class Filler {
 public:
  Filler(const TinyDisk& disk, std::uint64_t left)
      : disk_(disk), left_(left), thread_([this](const std::stop_token& stop) { fill(stop); }) {}

 private:
  bool there() const {
    const auto names = names_in(disk_.path());
    return std::any_of(names.begin(), names.end(), [](const std::string& name) {
      return name.starts_with("checkpoint") && name.ends_with(".h5");
    });
  }
  void fill(const std::stop_token& stop) const {
    const fs::path file = disk_.path() / "filler";
    for (bool filling = false; !stop.stop_requested(); filling = filling || there()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (!filling) continue;
      const std::uint64_t free = fs::space(disk_.path()).available;
      if (free > left_ + 65536) {
        std::ofstream(file, std::ios::app) << std::string(free - left_, 'x');
      } else if (free + 65536 < left_) {
        fs::resize_file(file, fs::file_size(file) - std::min(fs::file_size(file), left_ - free));
      }
    }
  }

  const TinyDisk& disk_;
  std::uint64_t left_;
  std::jthread thread_;
};

const std::string often =
    "--set run.steps=1500 --set checkpoint.every_steps=50 "
    "--set output.every_steps=1500 --set output.monitor=100000000 "
    "--set output.forces=100000 ";

// A run with its results on the disk. From its first checkpoint on there is room for half of one.
Outcome run_while_it_fills(const Runs& runs, const TinyDisk& disk, const std::string& settings) {
  const std::uint64_t bytes = checkpoint_bytes(runs);
  const Filler fills(disk, bytes / 2);
  return lbm_program(
      runs.line("", often + settings + fmt::format("--out '{}'", disk.path().string())));
}

TEST(RestartDisk, AFullOneEndsTheRunAndLeavesTheLastCheckpoint) {
  const Runs runs;
  const TinyDisk disk("size=16m");
  if (!disk.mounted()) GTEST_SKIP() << "may not mount a tmpfs here";
  const Outcome outcome = run_while_it_fills(runs, disk, "");
  expect_one_line(outcome, 4, "No space left on device; the file needs ");
  std::vector<std::string> files;
  for (const std::string& name : names_in(disk.path())) {
    EXPECT_FALSE(name.ends_with(".partial")) << name;
    if (name.starts_with("checkpoint")) files.push_back(name);
  }
  ASSERT_FALSE(files.empty());
  EXPECT_TRUE(has(file_text((disk.path() / "report.json").string()), "No space left"));
  fs::remove(disk.path() / "filler");
  ASSERT_EQ(runs.run("whole", often).exit_code, 0);
  const Outcome again =
      lbm_program(runs.line("", often + fmt::format("--restart '{}'", disk.path().string())));
  ASSERT_EQ(again.exit_code, 0) << again.err;
  expect_same_results(runs.path("whole"), disk.path());
}

TEST(RestartDisk, AFullOneIsOnlyAWarningWhereToldSo) {
  const Runs runs;
  const TinyDisk disk("size=16m");
  if (!disk.mounted()) GTEST_SKIP() << "may not mount a tmpfs here";
  const Outcome outcome = run_while_it_fills(runs, disk, "--set checkpoint.on_error=continue ");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "warning: no checkpoint at step")) << outcome.err;
  EXPECT_TRUE(has(file_text((disk.path() / "report.json").string()), "no checkpoint at step"));
}

TEST(RestartDisk, OneThatIsTooSmallIsRefusedAtTheStart) {
  const Runs runs;
  const TinyDisk disk("size=2m");
  if (!disk.mounted()) GTEST_SKIP() << "may not mount a tmpfs here";
  const std::string out = fmt::format("--out '{}'", disk.path().string());
  expect_one_line(lbm_program(runs.line("", often + out)), 4, "the results of this run need");
}

// Rows of probes count as fields do.
TEST(RestartDisk, OneThatIsTooSmallForProbesIsRefusedAtTheStart) {
  const Runs runs(windy + R"(probes:
  line: {line_from: [1, 1, 1], line_to: [15, 13, 23.9], line_points: 700}
)");
  const TinyDisk disk("size=2m");
  if (!disk.mounted()) GTEST_SKIP() << "may not mount a tmpfs here";
  const auto run_in = [&](const char* name, const std::string& more) {
    return lbm_program(runs.line(
        "", fmt::format("--set run.steps=100 --out '{}' {}", (disk.path() / name).string(), more)));
  };
  expect_one_line(run_in("a", ""), 4, "the results of this run need");
  EXPECT_FALSE(fs::exists(disk.path() / "a/effective_case.yaml"));
  const Outcome less = run_in("b", "--set probes.line.every_steps=25");
  EXPECT_EQ(less.exit_code, 0) << less.err;
}

// As a user restricted by permissions of directories, unlike root.
Outcome run_as_user(const std::string& arguments, const fs::path& log) {
  keep_speeds_here();
  const std::string user =
      geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : "";
  const std::string command =
      fmt::format("{}'{}' {} >'{}' 2>&1", user, LBM_PROGRAM, arguments, log.string());
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, "", file_text(log.string())};
}

// A directory that becomes read-only or disappears ends the run with a message.
TEST(RestartDisk, OneThatGoesAwayEndsTheRun) {
  if (geteuid() == 0 && std::system("setpriv --reuid=65534 true 2>/dev/null") != 0) {
    GTEST_SKIP() << "no setpriv to become another user";
  }
  for (const bool removed : {false, true}) {
    const Runs runs;
    for (const fs::path& place : {runs.path(""), runs.path("r")}) {
      fs::create_directories(place);
      fs::permissions(place, fs::perms::all);
    }
    const fs::path out = runs.path("r");
    std::thread trouble([&] {
      for (int i = 0; i < 10000 && !fs::exists(out / "checkpoint_000000100.h5"); ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      if (removed) {
        fs::rename(out, runs.path("gone"));
        fs::copy(runs.path("gone"), runs.path("moved"));
        // The run may make a file between the two, so a removal may find a directory that is not
        // empty.
        std::error_code error;
        do fs::remove_all(runs.path("gone"), error);
        while (error == std::errc::directory_not_empty);
        EXPECT_FALSE(error) << error.message();
      } else {
        fs::permissions(out, fs::perms::owner_read | fs::perms::owner_exec |
                                 fs::perms::others_read | fs::perms::others_exec);
      }
    });
    const Outcome outcome =
        run_as_user(runs.line("r", often + "--set run.steps=400000"), runs.path("log"));
    trouble.join();
    EXPECT_EQ(outcome.exit_code, 4) << outcome.err;
    EXPECT_TRUE(has(outcome.err, removed ? "No such file" : "Permission denied")) << outcome.err;
    const std::string left = removed ? "moved" : "r";
    fs::permissions(runs.path(left), fs::perms::all);
    const auto files = runs.checkpoints(left);
    ASSERT_FALSE(files.empty());
    const Outcome again = runs.restart(left + "/" + files.back(),
                                       fmt::format("{} --set run.steps=400000 --out '{}' --set "
                                                   "run.walltime=0.01",
                                                   often, runs.path("again").string()));
    EXPECT_EQ(again.exit_code, 6) << again.err;
  }
}

// As `mv r moved; lbm run case.yaml --out r` does while the first run goes on.
TEST(RestartDisk, ADirectoryThatIsMovedKeepsItsRunAndTheNextRunHasItsOwn) {
  const Runs runs(
      "name: tiny\ngrid: {cells: [16, 16, 16]}\nfluid: {reynolds: 10}\n"
      "run: {steps: 40}\noutput: {monitor: 10}\n");
  const std::string first =
      runs.line("r", "--set run.steps=100000000 --set checkpoint.at_end=true");
  const std::string r = runs.path("r").string(), moved = runs.path("moved").string();
  const Outcome outcome = run_line(fmt::format(
      "'{0}' {1} & for i in $(seq 500); do [ -e '{2}'/effective_case.yaml ] && break; sleep 0.02; "
      "done; mv '{2}' '{3}'; '{0}' {4} || exit 99; kill -TERM $!; wait $!",
      LBM_PROGRAM, first, r, moved, runs.line("r")));
  EXPECT_EQ(outcome.exit_code, 143) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "was moved or replaced during the run; its files are in " + moved))
      << outcome.err;
  EXPECT_TRUE(has(outcome.err, "--restart " + moved + "/checkpoint_")) << outcome.err;
  EXPECT_TRUE(runs.checkpoints("r").empty());
  const std::string rows = runs.text("r/monitor.csv");
  EXPECT_EQ(rows.substr(rows.find("\n10,") + 1).find("10,"), 0U);
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 3 + 1 + 4) << rows;
}

}  // namespace
}  // namespace lbm::cases::test
