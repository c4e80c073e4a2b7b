// The subcommands of the program `lbm`. Each prints its result to stdout, returns the exit code and
// throws lbm::Error for what the user can do something about.
#pragma once

#include <string>
#include <vector>

#include "cases/run/run_options.hpp"

namespace lbm::cases {

struct CheckOptions {
  std::string case_file;
  std::vector<std::string> overrides;  // as in RunOptions
  bool json = false;
};

struct PlanCommandOptions {
  std::string case_file;
  std::vector<std::string> overrides;  // as in RunOptions
  bool json = false;
  bool measure = false;  // the device's speeds are measured anew
  int processes = 1;     // to plan for
  int per_host = 0;      // of these on a host; 0: all
  double network = 0;    // GB/s of messages between two of them; 0: no limit
};

int run_command(const RunOptions& options);
int check_command(const CheckOptions& options);
int plan_command(const PlanCommandOptions& options);
int info_command(bool json);
int keys_command();

}  // namespace lbm::cases
