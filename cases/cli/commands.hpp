// SPDX-License-Identifier: Apache-2.0

// The subcommands of the program `lbm`. Each prints its result to stdout, returns the exit code and
// throws lbm::Error for what the user can do something about.
#pragma once

#include <cstdint>
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

struct BenchOptions {
  std::string json;  // results file; "-": stdout, with the tables on stderr
  bool json_given = false;
  bool overwrite = false;
  bool quick = false;
  std::string backend = "auto";  // cpu, cuda, auto
  int device = 0;
  std::string memory, device_memory;  // sizes as in cases; empty: what is free
  std::int64_t steps = 0;             // of each measurement; 0: limited by time
  std::vector<std::string> only;      // groups; empty: all
};

int bench_command(const BenchOptions& options);
int run_command(const RunCommandOptions& options);
int check_command(const CheckCommandOptions& options);
int plan_command(const PlanCommandOptions& options);
int info_command(bool json);
int doctor_command(bool json);
int cases_command(const CasesOptions& options);
// Becomes a command of the Python package; returns never. module: that a package with this command
// has. Throws UsageError where the package is not found.
int python_command(const std::string& name, const std::string& module,
                   const std::vector<std::string>& arguments);

}  // namespace lbm::cases
