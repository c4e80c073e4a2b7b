// The subcommands of the program `lbm`. Each writes its result to stdout, returns the exit code and
// throws lbm::Error for what the user can do something about.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lbm::app {

struct RunOptions {
  std::string case_file;
  std::vector<std::string> overrides;  // "key.path=value", in the order given
  std::string out;                     // results go here; empty: what the case says
  std::string restart;                 // a checkpoint, or a run's directory, to go on from
  bool restart_given = false;
  std::string trace;  // a trace of the run goes to this file
  bool trace_given = false;
  bool overwrite = false;  // an existing result may be replaced
  bool json = false;       // one JSON object on stdout instead of text
  bool quiet = false;      // no progress
  bool expect = false;     // an expectation that is not met is an error
  bool measure = false;    // the device's speeds are measured anew
};

struct BenchOptions {
  std::string json;  // results go to this file; "-": stdout, and the tables to stderr
  bool json_given = false;
  bool overwrite = false;
  bool quick = false;
  std::string backend = "auto";  // cpu, cuda, auto
  int device = 0;
  std::string memory, device_memory;  // sizes as in cases; empty: what there is
  std::int64_t steps = 0;             // of each measurement; 0: as many as its time allows
  std::vector<std::string> only;      // groups; empty: all
};

int run_command(const RunOptions& options);
int check_command(const RunOptions& options);
int plan_command(const RunOptions& options);
int info_command(bool json);
int keys_command();
int bench_command(const BenchOptions& options);

}  // namespace lbm::app
