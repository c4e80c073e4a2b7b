// SPDX-License-Identifier: Apache-2.0

// `lbm run --trace` from the command line: the file, errors, and unchanged results.
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "cases/run/trace_writer.hpp"
#include "solver/core/error.hpp"
#include "tests/cases/program.hpp"
#include "tests/io/scratch.hpp"

namespace lbm::cases {
namespace {

namespace fs = std::filesystem;
using lbm::testing::names_in;
using lbm::testing::ScratchDirectory;
using lbm::testing::TinyDisk;
using test::file_text;
using test::lbm_program;
using test::Outcome;

// An out-of-core cavity that runs in a fraction of a second on the CPU.
std::string small_run(const fs::path& out, const std::string& more = "") {
  return fmt::format(
      "run '{}' --set 'grid.cells=[20, 12, 31]' --set run.steps=40 --set device.backend=cpu "
      "--set tiling.scheme=wavefront --set tiling.steps_per_visit=7 "
      "--set tiling.planes_per_visit=4 --quiet --out '{}' {}",
      test::shipped_path("lid_driven_cavity"), out.string(), more);
}

std::string traced_run(const fs::path& out, const fs::path& trace, const std::string& more = "") {
  return small_run(out, fmt::format("--trace '{}' {}", trace.string(), more));
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Checks with an independent JSON parser and the script that draws traces.
void expect_valid(const fs::path& trace) {
  const std::string command =
      fmt::format("'{}' -B '{}' '{}' --check >/dev/null", LBM_PYTHON,
                  LBM_SOURCE_DIR "/docs/figures/timeline_figure.py", trace.string());
  EXPECT_EQ(std::system(command.c_str()), 0) << trace;
}

void expect_refused(const Outcome& outcome, const std::string& part) {
  EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "--trace")) << outcome.err;
  EXPECT_TRUE(has(outcome.err, part)) << outcome.err;
}

TEST(TraceCommand, WritesAValidTraceAndChangesNoResult) {
  const ScratchDirectory scratch;
  const fs::path trace = scratch.path() / "trace.json";
  const Outcome traced = lbm_program(traced_run(scratch.path() / "with", trace));
  ASSERT_EQ(traced.exit_code, 0) << traced.err;
  EXPECT_EQ(traced.err, "");
  ASSERT_EQ(lbm_program(small_run(scratch.path() / "without")).exit_code, 0);
  for (const char* name : {"profile_x.csv", "profile_y.csv", "profile_z.csv"}) {
    EXPECT_EQ(file_text((scratch.path() / "with" / name).string()),
              file_text((scratch.path() / "without" / name).string()));
  }
  EXPECT_EQ(names_in(scratch.path() / "with"), names_in(scratch.path() / "without"));
  EXPECT_FALSE(fs::exists(scratch.path() / "trace.json.partial"));
  expect_valid(trace);
  const std::string text = file_text(trace.string());
  for (const char* part :
       {"\"copy in\"", "\"update\"", "\"copy out\"", "\"writer\"", "\"level 7, plane",
        "\"load planes 0..3\"", "\"store plane", "\"open the file of sweep", "\"write plane",
        "\"complete\": true", "\"exit_reason\": \"completed\""}) {
    EXPECT_TRUE(has(text, part)) << part;
  }
}

// Pictures every 5 steps, three of them on steps where no sweep of 7 or 6 steps ends.
TEST(TraceCommand, PicturesAndFilesAreTakenWithinSweeps) {
  const ScratchDirectory scratch;
  const fs::path out = scratch.path() / "out", trace = scratch.path() / "trace.json";
  const Outcome traced = lbm_program(traced_run(
      out, trace, "--set 'pictures.cut={slice: y, every_steps: 5}' --set output.every_steps=10"));
  ASSERT_EQ(traced.exit_code, 0) << traced.err;
  const std::string text = file_text(trace.string());
  EXPECT_TRUE(has(text, "\"level 7, plane")) << "pictures shorten the sweeps";
  for (int step = 5; step <= 40; step += 5) {
    EXPECT_TRUE(fs::exists(out / fmt::format("cut_{:09d}.png", step))) << step;
  }
  EXPECT_TRUE(fs::exists(out / "fields_000000030.hdf"));
  expect_valid(trace);
}

TEST(TraceCommand, IsListedInTheHelp) {
  EXPECT_TRUE(has(lbm_program("run --help").out, "--trace FILE"));
}

TEST(TraceCommand, RefusesFilesItCannotWriteBeforeTheRun) {
  const ScratchDirectory scratch;
  const fs::path out = scratch.path() / "r", file = scratch.path() / "there.json";
  testing::write_text(file, "kept");
  expect_refused(lbm_program(traced_run(out, scratch.path() / "none" / "t.json")),
                 "there is no directory");
  expect_refused(lbm_program(traced_run(out, scratch.path())), "is a directory");
  expect_refused(lbm_program(traced_run(out, "")), "no file name");
  expect_refused(lbm_program(traced_run(out, "/dev/null")), "no regular file");
  expect_refused(lbm_program(traced_run(out, "/proc/t.json")), "cannot write");
  expect_refused(lbm_program(traced_run(out, file)), "--overwrite");
  expect_refused(
      lbm_program(traced_run(out, test::shipped_path("lid_driven_cavity"), "--overwrite")),
      "is the case itself");
  EXPECT_EQ(file_text(file.string()), "kept");
  EXPECT_FALSE(fs::exists(out)) << "nothing was run, nothing should be left";
  EXPECT_EQ(names_in(scratch.path()), std::vector<std::string>{"there.json"});
}

TEST(TraceCommand, OverwriteReplacesAnOldTraceAtTheEndOnly) {
  const ScratchDirectory scratch;
  const fs::path file = scratch.path() / "t.json";
  testing::write_text(file, "old");
  const std::string too_small = "--overwrite --set 'device.memory=100 KiB'";
  EXPECT_EQ(lbm_program(traced_run(scratch.path() / "r", file, too_small)).exit_code, 4);
  EXPECT_EQ(file_text(file.string()), "old");
  EXPECT_EQ(lbm_program(traced_run(scratch.path() / "r", file, "--overwrite")).exit_code, 0);
  expect_valid(file);
}

TEST(TraceCommand, IsWrittenWhenTheFlowDiverges) {
  const ScratchDirectory scratch;
  const fs::path file = scratch.path() / "t.json";
  const Outcome outcome =
      lbm_program(traced_run(scratch.path() / "r", file,
                             "--set fluid.reynolds=1e7 --set fluid.lattice_velocity=0.17 "
                             "--set run.steps=20000 --set output.at_end=false"));
  EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
  expect_valid(file);
  EXPECT_TRUE(has(file_text(file.string()), "\"exit_reason\": \"the flow diverged"));
}

TEST(TraceCommand, IsWrittenWhenASignalStopsTheRun) {
  const ScratchDirectory scratch;
  const fs::path file = scratch.path() / "t.json", out = scratch.path() / "r";
  const std::string run =
      traced_run(out, file, "--set run.steps=100000000 --set output.every_steps=1000000");
  ASSERT_EQ(test::stopped_program(run, out / "effective_case.yaml", SIGINT,
                                  std::chrono::milliseconds(300)),
            130);
  expect_valid(file);
  EXPECT_TRUE(has(file_text(file.string()), "interrupted by SIGINT"));
}

TEST(TraceCommand, AFullDiskLosesTheTraceAndNotTheResults) {
  const TinyDisk disk("size=50k");
  if (!disk.mounted()) GTEST_SKIP() << "may not mount a tmpfs here";
  const ScratchDirectory scratch;
  const Outcome outcome = lbm_program(traced_run(scratch.path() / "r", disk.path() / "t.json"));
  EXPECT_EQ(outcome.exit_code, 4) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "t.json: cannot write")) << outcome.err;
  EXPECT_TRUE(has(file_text((scratch.path() / "r" / "report.json").string()), "\"completed\""));
  EXPECT_EQ(names_in(disk.path()), std::vector<std::string>{});
}

TEST(TraceWriter, StopsAtItsLimitAndSaysSo) {
  const ScratchDirectory scratch;
  const fs::path file = scratch.path() / "t.json";
  TraceWriter writer(file, false, "a \"quoted\" name", 8, 3);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(writer.full(), i >= 3);
    // Planes 6, 7, 0: across the end of z.
    writer.on_slice({tiling::Activity::update, i, 0, 1, 6, 3, 100, i * 1e-3, i * 1e-3 + 5e-4});
  }
  EXPECT_TRUE(has(writer.warning(), "first 3 slices")) << writer.warning();
  io::Json about = io::Json::object();
  for (const char* key :
       {"case", "device", "scheme", "cells", "steps_per_visit", "planes_per_visit"}) {
    about[key] = "some";
  }
  writer.finish(std::move(about));
  expect_valid(file);
  const std::string text = file_text(file.string());
  EXPECT_TRUE(has(text, "\"slices\": 3,"));
  EXPECT_TRUE(has(text, "\"complete\": false"));
  EXPECT_TRUE(has(text, "\"level 1, planes 6..0\"")) << text;
  EXPECT_TRUE(has(text, "\"ts\": 2000.000, \"dur\": 500.000")) << text;
}

TEST(TraceWriter, LeavesNothingWithoutAnEnd) {
  const ScratchDirectory scratch;
  {
    const TraceWriter writer(scratch.path() / "t.json", false, "lost", 1);
    EXPECT_EQ(names_in(scratch.path()), std::vector<std::string>{"t.json.partial"});
  }
  EXPECT_EQ(names_in(scratch.path()), std::vector<std::string>{});
}

}  // namespace
}  // namespace lbm::cases
