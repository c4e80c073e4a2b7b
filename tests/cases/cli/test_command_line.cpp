// SPDX-License-Identifier: Apache-2.0

// The program itself: exit codes, one line on stderr, output on stdout.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "cases/case/schema/keys.hpp"
#include "tests/cases/case_support.hpp"
#include "tests/cases/program.hpp"
#include "tests/io/scratch.hpp"

namespace lbm::cases {
namespace {

using test::lbm_program;
using test::Outcome;

void expect_usage_error(const std::string& arguments, const std::string& part) {
  const Outcome result = lbm_program(arguments);
  EXPECT_EQ(result.exit_code, 2) << arguments;
  EXPECT_EQ(result.out, "") << arguments;
  EXPECT_TRUE(result.err.starts_with("lbm: ")) << result.err;
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
}

std::string cavity() { return fmt::format("'{}'", test::shipped_path("lid_driven_cavity")); }

TEST(CommandLine, WrongUseExitsWithTwoAndOneLine) {
  expect_usage_error("", "no command given");
  expect_usage_error("rnu", "rnu");
  expect_usage_error("check", "case");
  expect_usage_error("check " + cavity() + " --bogus", "--bogus");
  expect_usage_error("check /none.yaml", "/none.yaml: cannot read");
  expect_usage_error("check " + cavity() + " --set fluid.reynolds=-1", "--set fluid.reynolds=-1: ");
  expect_usage_error("check " + cavity() + " --set grid.cells", "KEY=VALUE");
  expect_usage_error("run " + cavity() + " --set run.steps=1 --out ''",
                     "--out: found an empty name");
}

// The program alone, without the Python package of its build.
TEST(CommandLine, CommandsOfPythonAreFoundOrSayHow) {
  namespace fs = std::filesystem;
  const lbm::testing::ScratchDirectory scratch;
  const fs::path python = scratch.path() / "bin/python3", program = scratch.path() / "lbm";
  fs::create_directory(scratch.path() / "bin");
  fs::copy_file(LBM_PROGRAM_FILE, program);
  const auto start = [&](const std::string& arguments) {
    return test::run_line(fmt::format("LBM_PYTHON= PATH='{}' '{}' {}",
                                      python.parent_path().string(), program.string(), arguments));
  };
  for (const std::string name : {"film", "report", "scale", "watch"}) {
    const Outcome none = start(name + " out");
    EXPECT_EQ(none.exit_code, 2) << none.out;
    EXPECT_EQ(none.err.find("lbm: lbm " + name + ": it is a command of the Python package"), 0U)
        << none.err;
    EXPECT_NE(none.err.find("`make report`"), std::string::npos) << none.err;
    EXPECT_EQ(std::count(none.err.begin(), none.err.end(), '\n'), 1) << none.err;
  }
  // Stands for a Python that has the package; -c asks for the module.
  std::ofstream(python) << "#!/bin/sh\n[ \"$1\" = -c ] || echo \"$@\"\n";
  fs::permissions(python, fs::perms::owner_all);
  EXPECT_EQ(start("watch out --port 0").out, "-m lbm watch out --port 0\n");
  EXPECT_EQ(start("report --help").out, "-m lbm report --help\n");
}

// Only Python and restarts have such a flow: random_changes.py found that check took it without a
// word.
TEST(CommandLine, CheckWarnsOfAFlowThatRunRefuses) {
  const std::string arguments = cavity() + " --set device.backend=cpu --set initial.flow=arrays";
  const Outcome checked = lbm_program("check " + arguments);
  EXPECT_EQ(checked.exit_code, 0) << checked.err;
  EXPECT_NE(checked.out.find("warning: --set initial.flow: found arrays, which only Python gives"),
            std::string::npos)
      << checked.out;
  expect_usage_error("run " + arguments, "found arrays, which only Python gives");
}

// A program that waits for a writer is killed; SIGTERM would let it wait on.
TEST(CommandLine, FifosAreRefusedAtOnce) {
  const lbm::testing::ScratchDirectory scratch;
  const std::string fifo = scratch.path() / "f";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  const auto refused = [&](const std::string& arguments) {
    const Outcome outcome =
        test::run_line(fmt::format("timeout -s KILL 20 '{}' {}", LBM_PROGRAM, arguments));
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    return outcome.err;
  };
  EXPECT_EQ(refused("check '" + fifo + "'"), "lbm: " + fifo + ": is a FIFO, must be a case file\n");
  EXPECT_EQ(refused("run " + cavity() + " --restart '" + fifo + "'"),
            "lbm: " + fifo + ": is no regular file, must be a checkpoint\n");
}

TEST(CommandLine, MoreThreadsThanCoresAreWarnedOf) {
  const std::string check = "check " + cavity() + " --set device.backend=cpu --set device.threads=";
  EXPECT_NE(lbm_program(check + "4096").out.find("4096 threads share"), std::string::npos);
  EXPECT_EQ(lbm_program(check + "1").out.find("threads share"), std::string::npos);
}

TEST(CommandLine, HelpAndVersionExitWithZero) {
  EXPECT_EQ(lbm_program("--version").out, "lbm " LBM_VERSION "\n");
  for (const std::string command : {"", "run ", "check ", "info ", "doctor ", "keys "}) {
    const Outcome result = lbm_program(command + "--help");
    EXPECT_EQ(result.exit_code, 0) << command;
    EXPECT_NE(result.out.find("Usage: lbm"), std::string::npos) << result.out;
    EXPECT_EQ(result.err, "");
  }
}

// Finding the cells of this sphere would take minutes.
TEST(CommandLine, AGridThatNoMachineHoldsIsRefusedBeforeItsBodiesAreFound) {
  const Outcome outcome = test::run_line(fmt::format(
      "timeout -s KILL 20 '{}' check {} --set device.backend=cpu --set "
      "grid.cells=[4000,4000,100000] "
      "--set 'bodies={{b: {{shape: sphere, center: [2000, 2000, 2000], radius: 1900}}}}'",
      LBM_PROGRAM, cavity()));
  EXPECT_EQ(outcome.exit_code, 4);
  EXPECT_NE(outcome.err.find("grid.cells: found [4000, 4000, 100000], which needs"),
            std::string::npos)
      << outcome.err;
}

TEST(CommandLine, CheckPrintsDerivedNumbers) {
  const Outcome text =
      lbm_program("check --set grid.cells=[32,32,48] --set fluid.length=64 " + cavity());
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_NE(text.out.find("32 x 32 x 48 = 49152 cells"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("12800 steps"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("warning: "), std::string::npos) << "length 64 > grid: " << text.out;
  const Outcome json = lbm_program("check --json " + cavity());
  EXPECT_EQ(json.exit_code, 0) << json.err;
  EXPECT_NE(json.out.find("\"steps\": 12800"), std::string::npos) << json.out;
  EXPECT_TRUE(json.out.starts_with("{\n") && json.out.ends_with("}\n")) << json.out;
}

TEST(CommandLine, CheckAndRunSayWhatIsOpen) {
  const std::string arguments = fmt::format("--set device.backend=cpu --set run.time=0.01 '{}'",
                                            test::shipped_path("pipe_from_obj"));
  const std::string what =
      "192 open edges in 2 holes, 0.06599 m around, 0.0001732 m^2: a shell 0.0005 m thick\n";
  // --full: without it check gives up after a second, which a busy machine may need.
  const Outcome check = lbm_program("check --full " + arguments);
  EXPECT_NE(check.out.find("bodies.pipe.open: the surface is not closed: " + what),
            std::string::npos)
      << check.out << check.err;
  const lbm::testing::ScratchDirectory scratch;
  const auto out = scratch.path() / "run";
  const Outcome run = lbm_program(fmt::format("run --out '{}' {}", out.string(), arguments));
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE((run.out + run.err).find("\nsurface pipe: " + what), std::string::npos)
      << run.out << run.err;
  const std::string report = test::file_text((out / "report.json").string());
  EXPECT_NE(report.find("\"open_edges\": 192"), std::string::npos) << report;
  EXPECT_NE(report.find("\"thickness\": 5e-04"), std::string::npos) << report;
}

TEST(CommandLine, KeysPrintsTheReferencePage) {
  const Outcome result = lbm_program("keys");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, case_reference_markdown());
}

// The variables of process managers that MPI does not find, and of srun alone.
TEST(CommandLine, ProcessesThatMpiDoesNotSeeAreRefused) {
  const lbm::testing::ScratchDirectory scratch;
  const std::string run =
      fmt::format("'{}' run {} --set grid.cells=[8,8,8] --set run.steps=2 --out '{}'", LBM_PROGRAM,
                  cavity(), (scratch.path() / "r").string());
  for (const std::string variables :
       {"PMI_SIZE=4 PMI_RANK=1", "MPI_LOCALNRANKS=4", "OMPI_COMM_WORLD_SIZE=4",
        "PMIX_RANK=1 SLURM_STEP_NUM_TASKS=4", "SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=1"}) {
    const Outcome result = test::run_line("env " + variables + " " + run);
    EXPECT_EQ(result.exit_code, 2) << variables;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_TRUE(lbm::testing::contains(result.err, "4 processes")) << result.err;
    EXPECT_FALSE(std::filesystem::exists(scratch.path() / "r"));
  }
  // A batch script of Slurm, and one process of mpirun in a job of several.
  for (const std::string variables : {"SLURM_JOB_ID=1 SLURM_NTASKS=4 SLURM_PROCID=0",
                                      "OMPI_COMM_WORLD_SIZE=1 SLURM_STEP_NUM_TASKS=4"}) {
    EXPECT_EQ(test::run_line("env " + variables + " " + run + " --overwrite").exit_code, 0);
  }
}

TEST(CommandLine, ASmallStackIsRefused) {
  const Outcome result = test::run_line(fmt::format("(ulimit -s 64; '{}' info)", LBM_PROGRAM));
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_TRUE(lbm::testing::contains(result.err, "ulimit -s")) << result.err;
}

TEST(CommandLine, ADeletedDirectoryIsNoInternalError) {
  const lbm::testing::ScratchDirectory scratch;
  const std::string cube = LBM_SOURCE_DIR "/cases/data/spheroid.stl";
  const Outcome result = test::run_line(fmt::format(
      "mkdir '{0}/gone'; cd '{0}/gone'; rmdir '{0}/gone'; '{1}' init wind_tunnel --stl '{2}' "
      "--length 1 --speed 1",
      scratch.path().string(), LBM_PROGRAM, cube));
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_TRUE(lbm::testing::contains(result.err, "wind_tunnel.yaml: No such file")) << result.err;
}

}  // namespace
}  // namespace lbm::cases
