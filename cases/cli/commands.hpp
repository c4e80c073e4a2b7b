// SPDX-License-Identifier: Apache-2.0

// The subcommands of the program `lbm`. Each prints its result to stdout, returns the exit code and
// throws lbm::Error for what the user can do something about.
#pragma once

#include <string>
#include <vector>

#include "cases/run/predict/case_plan.hpp"
#include "cases/run/run_options.hpp"

namespace lbm::cases {

struct CaseOptions {
  std::string case_file;
  std::vector<std::string> overrides;  // "key.path=value", in the order given
  bool json = false;                   // one JSON object on stdout instead of text
};

struct CheckCommandOptions : CaseOptions {
  bool full = false;       // bodies cell by cell, however long that takes
  std::string preview{};   // file for a picture of box and bodies; empty: none
  bool overwrite = false;  // replaces that file
};

struct RunCommandOptions : CaseOptions {
  bool quiet = false;   // no progress
  bool expect = false;  // an expectation that is not met is an error
  RunOptions run;
};

struct PlanCommandOptions : CaseOptions {
  PlanOptions plan{.command_line = true};
};

struct CasesOptions {
  std::string name;  // empty: list all
  std::string out;   // directory; empty: the working directory
  bool overwrite = false;
  bool json = false;
};

int run_command(const RunCommandOptions& options);
int check_command(const CheckCommandOptions& options);
int plan_command(const PlanCommandOptions& options);
int info_command(bool json);
int doctor_command(bool json);
int cases_command(const CasesOptions& options);

// A command of the Python package, and the module that a package with this command has.
struct PythonCommand {
  std::string name, module;
};
// Becomes that command; returns never. Throws UsageError where the package is not found.
int python_command(const PythonCommand& command, const std::vector<std::string>& arguments);

}  // namespace lbm::cases
