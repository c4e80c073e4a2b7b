// `lbm bench`: measures the speed of this machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lbm::cases {

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

// Prints the tables, returns the exit code. Throws UsageError, ResourceError.
int bench_command(const BenchOptions& options);

}  // namespace lbm::cases
