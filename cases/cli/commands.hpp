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
  bool predict = false;    // the report says what the model foretells
  int processes = 1;       // to plan for
  int per_host = 0;        // of these on a host; 0: all
  double network = 0;      // GB/s of messages between two of them; 0: no limit
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

struct ScaleOptions {
  std::string case_file;
  std::vector<std::string> overrides;
  std::vector<int> processes;         // empty: 1, 2, 4 ... as many as there are devices
  std::vector<int> planes;            // weak: of each process; strong: in all; empty: the case's nz
  bool weak = false, strong = false;  // neither: both
  // Of a shell command; {n}: the number of processes. One process needs none.
  std::string launcher = "mpirun --bind-to none -n {n}";
  std::string out;            // a directory; empty: out/NAME_scaling
  std::int64_t steps = 0;     // of each run; 0: the case's
  bool with_results = false;  // runs write the files that the case asks for
  bool overwrite = false, json = false;
};

int run_command(const RunOptions& options);
int check_command(const RunOptions& options);
int plan_command(const RunOptions& options);
int info_command(bool json);
int keys_command();
int bench_command(const BenchOptions& options);
int scale_command(const ScaleOptions& options);

}  // namespace lbm::app
