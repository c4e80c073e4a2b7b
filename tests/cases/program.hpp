// Runs the program itself, as a user would.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/cases/case_support.hpp"

namespace lbm::app::test {

struct Outcome {
  int exit_code = -1;
  std::string out;
  std::string err;
};

// Exit code, standard output and standard error of `lbm ARGUMENTS`.
inline Outcome lbm_program(const std::string& arguments) {
  setenv("LBM_CACHE_DIR", LBM_BINARY_DIR "/tests/cache", 0);  // not the user's
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  const std::string base = testing::TempDir() + "lbm_" + std::to_string(getpid()) + test->name();
  const std::string command = std::string("'") + LBM_PROGRAM + "' " + arguments + " >'" + base +
                              ".out' 2>'" + base + ".err' </dev/null";
  const int status = std::system(command.c_str());
  Outcome outcome{WIFEXITED(status) ? WEXITSTATUS(status) : -1, file_text(base + ".out"),
                  file_text(base + ".err")};
  std::remove((base + ".out").c_str());
  std::remove((base + ".err").c_str());
  return outcome;
}

}  // namespace lbm::app::test
