// The subcommands of the program `lbm`. Each writes its result to stdout, returns the exit code and
// throws lbm::Error for what the user can do something about.
#pragma once

#include <string>
#include <vector>

namespace lbm::app {

struct RunOptions {
  std::string case_file;
  std::vector<std::string> overrides;  // "key.path=value", in the order given
  std::string out;                     // results go here; empty: what the case says
  std::string trace;                   // a trace of the run goes to this file
  bool trace_given = false;
  bool overwrite = false;  // an existing result may be replaced
  bool json = false;       // one JSON object on stdout instead of text
  bool quiet = false;      // no progress
  bool measure = false;    // the device's speeds are measured anew
};

int run_command(const RunOptions& options);
int check_command(const RunOptions& options);
int plan_command(const RunOptions& options);
int info_command(bool json);
int keys_command();

}  // namespace lbm::app
