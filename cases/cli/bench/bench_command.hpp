// SPDX-License-Identifier: Apache-2.0

// `lbm bench`: measures the speed of this machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lbm::cases {

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

// Prints the tables and returns the exit code. Throws UsageError, ResourceError.
int bench_command(const BenchOptions& options);

}  // namespace lbm::cases
