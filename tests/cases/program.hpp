// SPDX-License-Identifier: Apache-2.0

// Runs the program as a user would.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

#include "tests/cases/case_support.hpp"

namespace lbm::cases::test {

struct Outcome {
  int exit_code = -1;
  std::string out;
  std::string err;
};

inline void keep_speeds_here() {  // instead of in the user's cache
  setenv("LBM_CACHE_DIR", LBM_BINARY_DIR "/tests/cache", 0);
}

// Exit code, standard output and standard error of a shell command.
inline Outcome run_line(const std::string& line) {
  keep_speeds_here();
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  std::string name = test->name();
  std::replace(name.begin(), name.end(), '/', '_');  // in names of parameterised tests
  const std::string base = testing::TempDir() + "lbm_" + std::to_string(getpid()) + name;
  const std::string command =
      "{ " + line + "; } >'" + base + ".out' 2>'" + base + ".err' </dev/null";
  const int status = std::system(command.c_str());
  Outcome outcome{WIFEXITED(status) ? WEXITSTATUS(status) : -1, file_text(base + ".out"),
                  file_text(base + ".err")};
  std::remove((base + ".out").c_str());
  std::remove((base + ".err").c_str());
  return outcome;
}

// The same for `lbm ARGUMENTS`.
inline Outcome lbm_program(const std::string& arguments) {
  return run_line(std::string("'") + LBM_PROGRAM + "' " + arguments);
}

// Runs `lbm ARGUMENTS` and sends it the signal so many `times`, `pause` after it has created
// `file`. Returns its exit code; -1 if the signal killed it or no file appeared within `patience`.
inline int stopped_program(const std::string& arguments, const std::filesystem::path& file,
                           int signal, std::chrono::milliseconds pause,
                           std::chrono::milliseconds patience = std::chrono::seconds(10),
                           int times = 1) {
  keep_speeds_here();
  // The shell replaces itself by the program, so that the signal reaches it.
  const std::string command = fmt::format("exec '{}' {} >/dev/null 2>&1", LBM_PROGRAM, arguments);
  const pid_t child = fork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  constexpr std::chrono::milliseconds step(20);
  for (auto waited = step; waited <= patience && !std::filesystem::exists(file); waited += step) {
    std::this_thread::sleep_for(step);
  }
  const bool there = std::filesystem::exists(file);
  std::this_thread::sleep_for(pause);
  for (int i = 0; i < times; ++i) kill(child, signal);
  int status = 0;
  waitpid(child, &status, 0);
  return there && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace lbm::cases::test
