// SPDX-License-Identifier: Apache-2.0

// `lbm run` from the command line: results, schemes, errors, signals, full disks.
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <thread>

#include "solver/backend/backend.hpp"
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

// A cavity that runs in a fraction of a second on the CPU.
std::string small_run(const fs::path& out, const std::string& more = "") {
  return fmt::format(
      "run '{}' --set 'grid.cells=[20, 12, 31]' --set run.steps=40 --set device.backend=cpu "
      "--out '{}' {}",
      test::shipped_path("lid_driven_cavity"), out.string(), more);
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Beside notes: speeds that were measured on a busy machine are measured again.
void expect_one_line(const Outcome& outcome, int exit_code, const std::string& part) {
  EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
  std::istringstream lines(outcome.err);
  int count = 0;
  for (std::string line; std::getline(lines, line);) count += line.starts_with("note: ") ? 0 : 1;
  EXPECT_EQ(count, 1) << outcome.err;
  EXPECT_TRUE(has(outcome.err, part)) << outcome.err;
}

TEST(RunCommand, WritesResultsAndAReport) {
  const ScratchDirectory scratch;
  const fs::path out = scratch.path() / "a" / "b";
  const Outcome outcome = lbm_program(small_run(out));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "MLUPS")) << outcome.out;
  for (const char* name : {"report.json", "effective_case.yaml", "fields_000000040.hdf",
                           "fields.hdf.series", "profile_x.csv", "profile_z.csv"}) {
    EXPECT_TRUE(fs::exists(out / name)) << name;
  }
  const std::string report = file_text((out / "report.json").string());
  for (const char* key : {"case", "backend", "device", "scheme", "cells", "steps",
                          "steps_per_visit", "seconds", "mlups", "gb_per_s", "storage", "version",
                          "exit_reason", "output_wait_seconds", "write_output"}) {
    EXPECT_TRUE(has(report, fmt::format("\"{}\": ", key))) << key;
  }
  EXPECT_TRUE(has(report, "\"steps\": 40,"));
  EXPECT_TRUE(has(report, "\"exit_reason\": \"completed\""));
}

TEST(RunCommand, TheCaseItSavesMakesTheSameResults) {
  const ScratchDirectory scratch;
  const fs::path first = scratch.path() / "first", again = scratch.path() / "again";
  ASSERT_EQ(lbm_program(small_run(first)).exit_code, 0);
  const Outcome outcome = lbm_program(
      fmt::format("run '{}' --out '{}'", (first / "effective_case.yaml").string(), again.string()));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* name : {"profile_x.csv", "profile_y.csv", "profile_z.csv"}) {
    EXPECT_EQ(file_text((first / name).string()), file_text((again / name).string()));
  }
}

TEST(RunCommand, OutOfCoreGivesTheSameProfilesAndSaysSo) {
  const ScratchDirectory scratch;
  const fs::path in = scratch.path() / "in", out = scratch.path() / "out";
  ASSERT_EQ(lbm_program(small_run(in)).exit_code, 0);
  const Outcome outcome = lbm_program(small_run(out, "--set 'device.memory=900 KiB'"));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(has(file_text((out / "report.json").string()), "\"scheme\": \"wavefront\""));
  EXPECT_TRUE(has(file_text((in / "report.json").string()), "\"scheme\": \"in_core\""));
  for (const char* name : {"profile_x.csv", "profile_y.csv", "profile_z.csv"}) {
    EXPECT_EQ(file_text((in / name).string()), file_text((out / name).string())) << name;
  }
}

TEST(RunCommand, WritesFieldsAtEveryAskedTimeWhateverTheSweepLength) {
  const ScratchDirectory scratch;
  const Outcome outcome =
      lbm_program(small_run(scratch.path() / "r",
                            "--set output.every_steps=13 --set tiling.scheme=wavefront "
                            "--set tiling.steps_per_visit=7"));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  std::vector<std::string> fields;
  for (const auto& name : names_in(scratch.path() / "r")) {
    if (name.ends_with(".hdf")) fields.push_back(name);
  }
  EXPECT_EQ(fields, (std::vector<std::string>{"fields_000000013.hdf", "fields_000000026.hdf",
                                              "fields_000000039.hdf", "fields_000000040.hdf"}));
}

TEST(RunCommand, NeverOverwritesUnasked) {
  const ScratchDirectory scratch;
  const fs::path out = scratch.path() / "r";
  ASSERT_EQ(lbm_program(small_run(out)).exit_code, 0);
  const std::string before = file_text((out / "report.json").string());
  expect_one_line(lbm_program(small_run(out)), 2, "--overwrite");
  EXPECT_EQ(file_text((out / "report.json").string()), before);
  ASSERT_EQ(lbm_program(small_run(out, "--overwrite")).exit_code, 0);
  EXPECT_EQ(file_text((out / "old-1" / "report.json").string()), before);
}

TEST(RunCommand, SaysWhenMemoryIsShort) {
  const ScratchDirectory scratch;
  const fs::path out = scratch.path() / "r";
  expect_one_line(lbm_program(small_run(out, "--set 'device.memory=100 KiB'")), 4, "device.memory");
  expect_one_line(lbm_program(small_run(out, "--set 'host.memory_limit=1 MiB'")), 4,
                  "host.memory_limit");
  expect_one_line(lbm_program(small_run(out, "--set 'grid.cells=[4000, 4000, 100000]'")), 4,
                  "host memory");
  EXPECT_FALSE(fs::exists(out)) << "nothing was run, nothing should be left";
}

// Only the case needs memory; what is measured for the report does without.
TEST(RunCommand, NeedsNoMemoryToMeasureTheDevice) {
  const ScratchDirectory scratch;
  const Outcome outcome = test::run_line(fmt::format("ulimit -v 400000; '{}' {}", LBM_PROGRAM,
                                                     small_run(scratch.path() / "r", "--quiet")));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
}

// OpenMP would end the process with a line of its own.
TEST(RunCommand, SaysWhenThreadsCannotBeStarted) {
  const ScratchDirectory scratch;
  const Outcome outcome = test::run_line(
      fmt::format("ulimit -v 1000000; '{}' {}", LBM_PROGRAM,
                  small_run(scratch.path() / "r", "--quiet --set device.threads=1000")));
  expect_one_line(outcome, 4, "device.threads");
}

// So that pgrep, killall and top find it, although the program has started itself again.
TEST(RunCommand, IsCalledLbm) {
  const ScratchDirectory scratch;
  const Outcome outcome = test::run_line(fmt::format(
      "unset OMP_WAIT_POLICY; '{}' {} --set run.steps=100000000 >&2 & "
      "for i in $(seq 500); do [ -e '{}' ] && break; sleep 0.02; done; cat /proc/$!/comm; kill $!",
      LBM_PROGRAM, small_run(scratch.path() / "r", "--quiet"),
      (scratch.path() / "r" / "effective_case.yaml").string()));
  EXPECT_EQ(outcome.out, "lbm\n");
}

TEST(RunCommand, SaysWhereTheHostLatticeWas) {
  const auto memory = [](const std::string& more) {
    const ScratchDirectory scratch;
    const Outcome outcome = lbm_program(small_run(scratch.path() / "r", more + " --json"));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const std::string key = "\"host_memory\": ";
    const std::size_t begin = outcome.out.find(key) + key.size();
    EXPECT_TRUE(has(outcome.out, "\"allocate_and_fill\": ")) << outcome.out;
    EXPECT_TRUE(has(outcome.out, "\"pin\": ")) << outcome.out;
    return outcome.out.substr(begin, outcome.out.find(',', begin) - begin);
  };
  EXPECT_EQ(memory(""), "\"none\"");
  EXPECT_EQ(memory("--set host.memory=pinned"), "\"none\"") << "in core";
  EXPECT_EQ(memory("--set tiling.scheme=wavefront"), "\"pinned\"");
}

TEST(RunCommand, SaysOnWhichNodesTheHostLatticeWas) {
  const ScratchDirectory scratch;
  const auto nodes = [&](const std::string& scheme) {
    const Outcome outcome =
        lbm_program(small_run(scratch.path() / scheme, "--json --set tiling.scheme=" + scheme));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out)["host_nodes"];
  };
  EXPECT_TRUE(nodes("in_core").empty());
  const auto shares = nodes("wavefront");
  if (shares.empty()) GTEST_SKIP() << "the system does not say";
  double sum = 0;
  for (const auto& entry : shares) {
    EXPECT_GE(entry["node"], 0);
    sum += entry["share"].get<double>();
  }
  EXPECT_DOUBLE_EQ(sum, 1);
}

TEST(RunCommand, RefusesHostMemoryThatTheDeviceDoesNotHave) {
  const ScratchDirectory scratch;
  const fs::path out = scratch.path() / "r";
  for (const std::string kind : {"managed", "system"}) {
    expect_one_line(lbm_program(small_run(out, "--set host.memory=" + kind)), 2,
                    "host.memory: found " + kind);
    if (cuda_device_count() > 0) continue;
    // Without a GPU the case is valid, since it may be meant for another machine, but does not run.
    const std::string automatic = " --set device.backend=auto --set host.memory=" + kind;
    expect_one_line(lbm_program(small_run(out, automatic)), 2, "host.memory: found " + kind);
    const Outcome check = lbm_program("check " + test::shipped_path("taylor_green") + automatic);
    EXPECT_EQ(check.exit_code, 0) << check.err;
    EXPECT_TRUE(has(check.out, "host.memory: found " + kind)) << check.out;
  }
  EXPECT_FALSE(fs::exists(out));
}

// The program has PTX for GPUs that its machine code does not serve: the driver compiles it.
TEST(RunCommand, cudaCodeThatTheDriverCompilesGivesTheSameBits) {
  if (cuda_device_count() == 0) GTEST_SKIP() << "no GPU";
  const ScratchDirectory scratch;
  const auto fields = [&](const std::string& name, const std::string& sets) {
    const fs::path out = scratch.path() / name;
    const Outcome outcome =
        lbm_program(small_run(out, "--set device.backend=cuda --set run.steps=40 " + sets));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return file_text((out / "fields_000000040.hdf").string());
  };
  const std::string ball = "--set 'bodies={ball: {shape: sphere, center: [9, 6, 15], radius: 3}}' ";
  const std::array kinds{ball, ball + "--set tiling.scheme=wavefront --set lattice.storage=fp16",
                         std::string("--set lattice.collision=regularised_filtered "
                                     "--set lattice.representation=moments")};
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const std::string machine_code = fields(fmt::format("machine_{}", i), kinds[i]);
    setenv("CUDA_FORCE_PTX_JIT", "1", 1);
    const std::string compiled = fields(fmt::format("compiled_{}", i), kinds[i]);
    unsetenv("CUDA_FORCE_PTX_JIT");
    EXPECT_FALSE(machine_code.empty());
    EXPECT_TRUE(machine_code == compiled) << kinds[i];
  }
}

TEST(RunCommand, ADivergedFlowEndsWithThreeAndAReport) {
  const ScratchDirectory scratch;
  const Outcome outcome =
      lbm_program(small_run(scratch.path() / "r",
                            "--set fluid.reynolds=1e7 --set fluid.lattice_velocity=0.17 "
                            "--set run.steps=20000 --set output.at_end=false --quiet"));
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_TRUE(has(outcome.err, "diverged")) << outcome.err;
  EXPECT_TRUE(has(file_text((scratch.path() / "r" / "report.json").string()), "diverged"));
}

TEST(RunCommand, AFlowThatBecomesFastIsWarnedOfOnce) {
  const ScratchDirectory scratch;
  const std::string pushed =
      "--set 'boundaries={z_max: wall, y_min: periodic, y_max: periodic}' --set "
      "force.acceleration=[0,3,0] "
      "--set run.steps=200 --set output.monitor=10 --quiet";
  const Outcome outcome = lbm_program(small_run(scratch.path() / "r", pushed));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string part = ": the fastest cell is at Mach 0.4";
  EXPECT_TRUE(has(outcome.err, part)) << outcome.err;
  EXPECT_EQ(outcome.err.find(part), outcome.err.rfind(part)) << outcome.err;
  const Outcome faster =
      lbm_program(small_run(scratch.path() / "f", pushed + " --set run.steps=400"));
  EXPECT_EQ(faster.exit_code, 3) << faster.err;
  EXPECT_TRUE(has(faster.err, "; force.acceleration: it may drive the flow up to Mach 1.04"))
      << faster.err;
}

// A viscous cavity: the pressure in the corners under the lid grows with viscosity and speed.
TEST(RunCommand, ADensityFarFromTheReferenceIsWarnedOfOnce) {
  const ScratchDirectory scratch;
  const std::string viscous =
      "--set fluid.reynolds=5 --set run.steps=600 --set output.monitor=100 --quiet";
  const auto warned = [&](const std::string& name, const std::string& settings) {
    const Outcome outcome = lbm_program(small_run(scratch.path() / name, viscous + settings));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const std::string part = "of the reference density, beyond 1 +- 0.15";
    EXPECT_EQ(outcome.err.find(part), outcome.err.rfind(part)) << outcome.err;
    return has(outcome.err, part);
  };
  EXPECT_TRUE(warned("fast", " --set fluid.lattice_velocity=0.1"));
  EXPECT_FALSE(warned("slow", " --set fluid.lattice_velocity=0.02"));
}

// The message names the place, what helps, and a step until which the flow was whole.
TEST(RunCommand, ADivergedFlowSaysWhatHelps) {
  const ScratchDirectory scratch;
  const std::string cavity =
      "--set grid.cells=[24,2,24] --set fluid.reynolds=1200 --set boundaries.y_min=periodic "
      "--set boundaries.y_max=periodic --set run.steps=30000 --set output.monitor=20 --quiet ";
  const auto run = [&](const std::string& name, const std::string& settings) {
    return lbm_program(small_run(scratch.path() / name, cavity + settings));
  };
  const std::string error = run("bgk", "--set lattice.collision=bgk").err;
  EXPECT_TRUE(has(error, "is 50; flows along moving walls are stable up to 12.5")) << error;
  EXPECT_TRUE(has(error, ": take lattice.collision: regularised_filtered, or a grid 4 times"))
      << error;
  std::smatch whole;
  ASSERT_TRUE(std::regex_search(error, whole, std::regex("; run.steps: (\\d+) ends before it")))
      << error;
  const Outcome before =
      run("before", "--set lattice.collision=bgk --set run.steps=" + whole[1].str());
  EXPECT_EQ(before.exit_code, 0) << before.err;
  const auto same_fields = [&](const std::string& a, const std::string& b) {
    const std::string file = fmt::format("fields_{:09d}.hdf", std::stol(whole[1].str()));
    return testing::read_text(scratch.path() / a / file) ==
           testing::read_text(scratch.path() / b / file);
  };
  // The run has left them, too.
  EXPECT_TRUE(has(error, "before_divergence: the fields of step " + whole[1].str())) << error;
  EXPECT_TRUE(same_fields("before", "bgk/before_divergence"));
  EXPECT_EQ(run("filtered", "--set lattice.collision=regularised_filtered").exit_code, 0);
}

TEST(RunCommand, AFullDiskEndsWithFourAndLeavesOlderFilesAlone) {
  const TinyDisk disk("size=100k");
  if (!disk.mounted()) GTEST_SKIP() << "may not mount a tmpfs here";
  testing::write_text(disk.path() / "older.csv.txt", "kept");
  const Outcome outcome = lbm_program(small_run(disk.path(), "--quiet"));
  EXPECT_EQ(outcome.exit_code, 4) << outcome.err;
  EXPECT_EQ(testing::read_text(disk.path() / "older.csv.txt"), "kept");
  for (const auto& name : names_in(disk.path())) EXPECT_FALSE(name.ends_with(".partial")) << name;
}

// The error occurs in the writer's thread.
TEST(RunCommand, ADiskThatFillsUpDuringTheRunEndsItWithFour) {
  const TinyDisk disk("size=4m");
  if (!disk.mounted()) GTEST_SKIP() << "may not mount a tmpfs here";
  const fs::path out = disk.path() / "r", first = out / "fields_000003000.hdf";
  std::thread filler([&] {
    for (int i = 0; i < 3000 && !fs::exists(first); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    const auto free = fs::space(disk.path()).available;
    testing::write_text(disk.path() / "filler", std::string(free - 100'000, 'x'));
  });
  const Outcome outcome =
      lbm_program(small_run(out, "--set run.steps=60000 --set output.every_steps=3000 --quiet"));
  filler.join();
  expect_one_line(outcome, 4, "No space left on device");
  std::vector<std::string> fields;
  for (const auto& name : names_in(out)) {
    EXPECT_FALSE(name.ends_with(".partial")) << name;
    if (name.ends_with(".hdf")) fields.push_back(name);
  }
  const std::string report = file_text((out / "report.json").string());
  const std::string index = file_text((out / "fields.hdf.series").string());
  EXPECT_TRUE(has(report, "\"exit_reason\": \"" + out.string())) << report;
  EXPECT_GE(fields.size(), 1U);
  EXPECT_LT(fields.size(), 20U);
  for (const auto& name : fields) {
    EXPECT_TRUE(has(report, name)) << name;
    EXPECT_TRUE(has(index, name)) << name;
  }
}

// After a signal during writing, the files of complete sweeps are complete and listed.
TEST(RunCommand, ASignalLosesNoOutput) {
  const ScratchDirectory scratch;
  const fs::path out = scratch.path() / "r";
  const std::string run =
      small_run(out,
                "--set run.steps=10000 --set output.every_steps=7 --set output.at_end=false "
                "--set tiling.scheme=wavefront --set tiling.steps_per_visit=7 --quiet");
  EXPECT_EQ(
      test::stopped_program(run, out / "fields.hdf.series", SIGTERM, std::chrono::milliseconds(50)),
      128 + SIGTERM);
  const std::string index = file_text((out / "fields.hdf.series").string());
  int count = 0;
  for (const auto& name : names_in(out)) {
    EXPECT_FALSE(name.ends_with(".partial")) << name;
    if (!name.ends_with(".hdf")) continue;
    ++count;
    EXPECT_TRUE(has(index, name)) << name;
  }
  EXPECT_GE(count, 1);
}

TEST(RunCommand, StopsCleanlyAtASignal) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const ScratchDirectory scratch;
    const fs::path out = scratch.path() / "r";
    const std::string run =
        small_run(out, "--set run.steps=100000000 --set output.every_steps=1000000 --quiet");
    EXPECT_EQ(test::stopped_program(run, out / "effective_case.yaml", signal,
                                    std::chrono::milliseconds(300)),
              128 + signal);
    EXPECT_TRUE(has(file_text((out / "report.json").string()), "interrupted by SIG"));
  }
}

}  // namespace
}  // namespace lbm::cases
