// SPDX-License-Identifier: Apache-2.0

// The subcommands of the program `lbm`; commands.yaml has their options. Each prints its result to
// stdout, returns the exit code, and throws lbm::Error for what the user can do something about.
#pragma once

#include "cases/case/case.hpp"
#include "cases/cli/terminal/options.hpp"

namespace lbm::cases {

int bench_command(const Options& options);
int cases_command(const Options& options);
int check_command(const Options& options);
int doctor_command(const Options& options);
int info_command(const Options& options);
int plan_command(const Options& options);
int run_command(const Options& options);

// The case file that a command names; "-" is standard input.
std::string case_file(const Options& options);
// The case with all --set.
Case case_of(const Options& options);

// The text of commands.yaml; CMake writes this function.
const char* commands_yaml();

}  // namespace lbm::cases
