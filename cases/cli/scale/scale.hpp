// SPDX-License-Identifier: Apache-2.0

// `lbm scale`: measures weak and strong scaling of a case.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/text/json.hpp"
#include "solver/core/enum_names.hpp"

namespace lbm::cases {

enum class Scaling {
  weak,   // the same number of planes for each process
  strong  // the same number of planes in total
};
constexpr auto enum_names(Scaling) { return std::array{"weak", "strong"}; }

struct ScaleOptions {
  std::string case_file;
  std::vector<std::string> overrides;
  std::vector<int> processes;         // empty: 1, 2, 4 ... up to the number of devices
  std::vector<int> planes;            // weak: per process; strong: in total; empty: the case's nz
  bool weak = false, strong = false;  // neither: both
  // Start of a shell command; {n}: the number of processes. Not used for one process.
  std::string launcher = "mpirun --bind-to none -n {n}";
  std::string out;            // a directory; empty: out/NAME_scaling
  std::int64_t steps = 0;     // of each run; 0: as in the case
  bool with_results = false;  // runs write the results of the case
  bool overwrite = false, json = false;
};

// One run of a study.
struct ScalePoint {
  Scaling scaling = Scaling::weak;
  int processes = 1;
  int planes = 0;  // weak: per process; strong: in total
  bool operator==(const ScalePoint&) const = default;

  int nz() const { return scaling == Scaling::weak ? planes * processes : planes; }
};

// The result of a run, from its report.
struct ScaleRow {
  ScalePoint point;
  std::string failure;  // why the run has no numbers; empty: it succeeded
  std::string device, scheme, exchange;
  std::int64_t cells = 0;
  int steps_per_visit = 0, planes_per_visit = 0;
  double mlups = 0, seconds = 0, setup_seconds = 0;
  double device_bytes = 0, host_bytes = 0;  // of rank 0
  std::optional<double> predicted_mlups;
  // Speed per process, relative to the run with the fewest processes and the same planes.
  std::optional<double> efficiency, predicted_efficiency;
};

// 1, 2, 4 ... up to the number of devices, and at least {1, 2}.
std::vector<int> usual_processes(int devices);

// The runs that the options ask for, by scaling, then planes, then processes. nz: of the case.
// Throws UsageError.
std::vector<ScalePoint> scale_points(const ScaleOptions& options, int nz);

// Fills in the efficiencies of the newest row, rows.back().
void add_efficiency(std::vector<ScaleRow>& rows);

// Runs this program and reads its reports.
class ScaleRunner {
 public:
  ScaleRunner(const ScaleOptions& options, std::array<int, 3> cells);
  // Waits for the run. A run that fails gives a row with `failure`.
  ScaleRow run(const ScalePoint& point) const;
  // The shell command: "mpirun -n 2 '/usr/bin/lbm' run ...".
  std::string command(const ScalePoint& point) const;

 private:
  std::filesystem::path directory(const ScalePoint& point) const;

  const ScaleOptions& options_;
  std::array<int, 3> cells_;
  std::string program_;
};

std::string scale_head_text(const ScalePoint& point, std::array<int, 3> cells);
std::string scale_row_text(const ScaleRow& row);
int scale_command(const ScaleOptions& options);
io::Json scale_json(const std::string& case_file, const std::vector<ScaleRow>& rows);

}  // namespace lbm::cases
