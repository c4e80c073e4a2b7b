// Runs with several ranks.
#pragma once

#include <sys/types.h>
#include <yaml-cpp/yaml.h>

#include "tests/cases/run/restart_support.hpp"

namespace lbm::cases::test {

// mpirun as root, with more ranks than cores, without binding, since tests share the machine.
inline std::string mpirun() {
  for (const char* name : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"}) {
    setenv(name, "1", 1);
  }
  return "mpirun --oversubscribe --bind-to none ";
}

// Ends a command that hangs, by force if need be: mpirun itself may hang in its own end, deaf to
// SIGTERM (github.com/openpmix/openpmix/issues/1244). Sanitizers make runs of several ranks ten
// times as long.
inline std::string ended_in_time() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return "timeout -k 20 1200 ";
#else
  return "timeout -k 20 120 ";
#endif
}

inline Outcome several(int processes, const std::string& arguments) {
  return run_line(fmt::format("{}{} -n {} '{}' {}", ended_in_time(), mpirun(), processes,
                              LBM_PROGRAM, arguments));
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
  return run_line(ended_in_time() + mpirun() + process(first) + " : " + process(second));
}

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
