// SPDX-License-Identifier: Apache-2.0

// Runs with several ranks.
#pragma once

#include <sys/types.h>
#include <yaml-cpp/yaml.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "tests/cases/run/restart_support.hpp"

namespace lbm::cases::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

// mpirun as root, with more ranks than cores, without binding, since tests share the machine.
inline std::string mpirun() {
  for (const char* name : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"}) {
    setenv(name, "1", 1);
  }
  return "mpirun --oversubscribe --bind-to none ";
}

// Runs a line that starts so many ranks; ends it after that time. Sanitizers make runs of several
// ranks ten times as long.
//
// Open MPI's mpirun may hang in its own end after all ranks have ended, deaf to SIGTERM
// (github.com/openpmix/openpmix/issues/1244). So each rank notes its exit code
// (note_exit_codes.cpp). Where mpirun had to be killed and all ranks have noted theirs, the outcome
// has the first one that is not 0, as mpirun would return. Not for the program of a sanitizer:
// its library must be the first one.
inline Outcome outcome_of_ranks(int ranks, const std::string& line,
                                int seconds = sanitized ? 1200 : 120) {
  const lbm::testing::ScratchDirectory noted;
  const std::string environment =
      fmt::format("LD_PRELOAD={};LBM_EXIT_CODES={}", LBM_NOTE_EXIT_CODES, noted.path().string());
  if (!sanitized) setenv("OMPI_MCA_mca_base_env_list", environment.c_str(), 1);
  Outcome outcome = run_line(fmt::format("timeout -k {} {} {}", 1 + seconds / 6, seconds, line));
  unsetenv("OMPI_MCA_mca_base_env_list");
  if (outcome.exit_code != 128 + SIGKILL) return outcome;
  int first = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    int code = 0;
    if (!(std::ifstream(noted.path() / std::to_string(rank)) >> code)) return outcome;
    if (first == 0) first = code;
  }
  outcome.exit_code = first;
  return outcome;
}

inline Outcome several(int processes, const std::string& arguments) {
  return outcome_of_ranks(
      processes, fmt::format("{} -n {} '{}' {}", mpirun(), processes, LBM_PROGRAM, arguments));
}

// Two ranks started by different shell commands.
inline Outcome two(const std::string& first, const std::string& second) {
  const auto process = [](const std::string& line) {
    std::string quoted = line;
    for (std::size_t at = 0; (at = quoted.find('\'', at)) != std::string::npos; at += 4) {
      quoted.replace(at, 1, "'\\''");
    }
    return fmt::format("-n 1 sh -c '{}'", quoted);
  };
  return outcome_of_ranks(2, mpirun() + process(first) + " : " + process(second));
}

// Numbers of ranks, and options with which to try them.
struct Way {
  int processes;
  const char* options;
};

inline const std::vector<Way> ways = {
    {2,
     "--set tiling.scheme=wavefront --set tiling.steps_per_visit=7 --set "
     "tiling.planes_per_visit=3 --set lattice.storage=fp16"},
    {3, "--set tiling.scheme=in_core --set lattice.storage=fp64"},
    {4, "--set tiling.scheme=halo --set tiling.steps_per_visit=2 --set tiling.planes_per_visit=2"},
    {7,
     "--set tiling.scheme=wavefront --set tiling.steps_per_visit=40 --set "
     "tiling.planes_per_visit=8 --set lattice.storage=fp64"},
    {3, "--set tiling.scheme=in_core --set tiling.steps_per_visit=3"}};

class Processes : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::system("command -v mpirun >/dev/null") != 0) GTEST_SKIP() << "no mpirun";
    const YAML::Node info = YAML::Load(lbm_program("info --json").out);
    if (info["mpi"].as<std::string>() == "not built in") GTEST_SKIP() << "built without MPI";
  }
};

// One line of the program itself; mpirun may add others.
inline void expect_one_message(const Outcome& outcome, int exit_code, const std::string& part) {
  EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
  std::size_t count = 0;
  for (auto at = outcome.err.find("lbm: "); at != std::string::npos;
       at = outcome.err.find("lbm: ", at + 1)) {
    ++count;
  }
  EXPECT_EQ(count, 1U) << outcome.err;
  EXPECT_TRUE(has(outcome.err, part)) << outcome.err;
}

}  // namespace lbm::cases::test
