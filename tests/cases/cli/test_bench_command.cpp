// SPDX-License-Identifier: Apache-2.0

// `lbm bench` from the command line, with little memory and few steps: tables, file, errors,
// signals.
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <chrono>

#include "tests/cases/program.hpp"
#include "tests/io/scratch.hpp"

namespace lbm::cases {
namespace {

namespace fs = std::filesystem;
using lbm::testing::names_in;
using lbm::testing::ScratchDirectory;
using test::file_text;
using test::lbm_program;
using test::Outcome;

// One thread: it must not wait for other programs on the machine.
Outcome bench(const std::string& more, int steps = 6) {
  setenv("OMP_NUM_THREADS", "1", 1);
  return lbm_program(fmt::format("bench --backend cpu --steps {} {}", steps, more));
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::ptrdiff_t count(const std::string& text, const std::string& part) {
  std::ptrdiff_t n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

// Checks with an independent JSON parser and the script that draws the figures.
void expect_valid(const fs::path& file) {
  const std::string command =
      fmt::format("'{}' -B '{}' '{}' --check >/dev/null", LBM_PYTHON,
                  LBM_SOURCE_DIR "/docs/figures/bench_figures.py", file.string());
  EXPECT_EQ(std::system(command.c_str()), 0) << file;
}

void expect_refused(const Outcome& outcome, int exit_code, const std::string& part) {
  EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_TRUE(has(outcome.err, part)) << outcome.err;
}

TEST(BenchCommand, MeasuresAllGroupsAndWritesThem) {
  const ScratchDirectory scratch;
  const fs::path file = scratch.path() / "b.json";
  const Outcome outcome =
      bench("--only copy,link,in_core,threads,out_of_core,halo,size --memory '24 MB' --json " +
            file.string());
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  expect_valid(file);
  EXPECT_EQ(names_in(scratch.path()), std::vector<std::string>{"b.json"});
  const std::string text = file_text(file.string());
  for (const char* part :
       {"\"complete\": true", "\"commit\": ", "\"group\": \"copy\"", "\"group\": \"link\"",
        "\"group\": \"threads\"", "\"group\": \"size\"", "\"scheme\": \"halo\"", "\"k\": 6,",
        "\"scheme\": \"wavefront\"", "\"storage\": \"fp64\"", "\"box\": \"sphere\"",
        "\"box\": \"cumulant\"", "\"representation\": \"moments\"", "fp32 moments cavity ",
        "\"mlups_per_thread\"", "\"steps\": 6,"}) {
    EXPECT_TRUE(has(text, part)) << part;
  }
  // Every measurement is a row in both.
  EXPECT_EQ(
      count(text, "\"mlups\": "),
      count(outcome.out, " fp16 ") + count(outcome.out, " fp32 ") + count(outcome.out, " fp64 "));
  EXPECT_EQ(count(text, "\"share_of_in_core\": null"), count(text, "\"scheme\": \"in_core\""));
  EXPECT_EQ(count(outcome.out, "skipped"), 0) << outcome.out;
  EXPECT_EQ(count(outcome.out, "too little memory to measure it"), 5) << outcome.out;
}

TEST(BenchCommand, ComparesWithTheSpeedsThatItMeasured) {
  const ScratchDirectory scratch;
  setenv("LBM_CACHE_DIR", scratch.path().c_str(), 1);
  const Outcome outcome = bench("--only copy,in_core --memory '5 GB' --quick --json -", 2);
  unsetenv("LBM_CACHE_DIR");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(count(outcome.out, "\"group\": \"copy\""), 1);
  // The model does not predict savings by the CPU's cache, which many steps per visit give.
  const auto plain = count(outcome.out, "\"k\": 1,");
  EXPECT_GT(plain, 0);
  EXPECT_EQ(count(outcome.out, "\"predicted_mlups\": "),
            plain + count(outcome.out, "\"predicted_mlups\": null"));
  EXPECT_FALSE(has(outcome.out, "\"share_of_copy\": null")) << outcome.out;
  // In-core measurements have no reference.
  EXPECT_EQ(count(outcome.out, "\"share_of_in_core\": null"),
            count(outcome.out, "\"scheme\": \"in_core\""));
}

TEST(BenchCommand, JsonToStdoutLeavesTheTablesToStderr) {
  const ScratchDirectory scratch;
  const Outcome outcome = bench("--only threads --memory '4 MB' --json -");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out.front(), '{');
  EXPECT_TRUE(has(outcome.err, "MLUPS"));
  testing::write_text(scratch.path() / "b.json", outcome.out);
  expect_valid(scratch.path() / "b.json");
}

TEST(BenchCommand, RefusesWhatItCannotDo) {
  const ScratchDirectory scratch;
  const fs::path file = scratch.path() / "there.json";
  testing::write_text(file, "kept");
  expect_refused(bench("--only speed"), 2, "--only: found speed, must be of copy, link");
  expect_refused(bench("--json " + file.string()), 2, "--overwrite");
  expect_refused(bench("--json " + (scratch.path() / "none" / "b.json").string()), 2,
                 "there is no directory");
  expect_refused(bench("--json ''"), 2, "no file name");
  expect_refused(bench("--memory much"), 2, "--memory: found much, must be a size");
  expect_refused(bench("--device-memory 0"), 2, "--device-memory: found 0");
  expect_refused(bench("", -3), 2, "--steps: found -3, must be at least 1");
  expect_refused(lbm_program("bench --backend tpu"), 2, "must be of cpu, cuda, auto");
  expect_refused(bench("--memory 1000"), 4, "nothing to measure fits");
  expect_refused(bench("--device-memory '10 kB'"), 4, "raise --memory or --device-memory");
  EXPECT_EQ(file_text(file.string()), "kept");
  EXPECT_EQ(names_in(scratch.path()), std::vector<std::string>{"there.json"});
}

TEST(BenchCommand, OverwriteReplacesTheFile) {
  const ScratchDirectory scratch;
  const fs::path file = scratch.path() / "b.json";
  testing::write_text(file, "old");
  const Outcome outcome =
      bench("--only threads --memory '4 MB' --overwrite --json " + file.string());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  expect_valid(file);
}

TEST(BenchCommand, ASignalLeavesTheRowsThatThereAre) {
  const ScratchDirectory scratch;
  const fs::path file = scratch.path() / "b.json";
  // Rows of about a second each.
  const std::string bench =
      fmt::format("bench --backend cpu --only in_core --memory '24 MB' --steps 2000 --json '{}'",
                  file.string());
  setenv("OMP_NUM_THREADS", "1", 1);
  ASSERT_EQ(test::stopped_program(bench, file, SIGINT, std::chrono::milliseconds(0),
                                  std::chrono::seconds(60)),
            130);
  expect_valid(file);
  EXPECT_TRUE(has(file_text(file.string()), "\"stopped\": \"interrupted by SIGINT\""));
}

}  // namespace
}  // namespace lbm::cases
