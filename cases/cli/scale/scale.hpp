// `lbm scale`: how the speed of a case grows with the number of processes.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/text/json.hpp"

namespace lbm::cases {

enum class Scaling {
  weak,   // as many planes for each process
  strong  // as many planes in all
};
const char* to_string(Scaling scaling);

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

// One run of a study.
struct ScalePoint {
  Scaling scaling = Scaling::weak;
  int processes = 1;
  int planes = 0;  // weak: of each process; strong: in all
  bool operator==(const ScalePoint&) const = default;

  int nz() const { return scaling == Scaling::weak ? planes * processes : planes; }
};

// What came of it, as its report says.
struct ScaleRow {
  ScalePoint point;
  std::string failure;  // why there are no numbers; empty: there are
  std::string device, scheme, exchange;
  std::int64_t cells = 0;
  int steps_per_visit = 0, planes_per_visit = 0;
  double mlups = 0, seconds = 0, setup_seconds = 0;
  double device_bytes = 0, host_bytes = 0;  // of the first process
  std::optional<double> predicted_mlups;
  // Speed per process against that of the fewest processes with the same planes.
  std::optional<double> efficiency, predicted_efficiency;
};

// 1, 2, 4 ... up to that many devices; 2 at least, which is the smallest study.
std::vector<int> usual_processes(int devices);

// The runs that the options ask for, in order: processes within planes within scaling. nz: of the
// case. Throws UsageError.
std::vector<ScalePoint> scale_points(const ScaleOptions& options, int nz);

// Of rows[0] ... rows.back(), the newest: fills in its efficiencies.
void add_efficiency(std::vector<ScaleRow>& rows);

// Starts runs of this very program and reads their reports.
class ScaleRunner {
 public:
  ScaleRunner(const ScaleOptions& options, std::array<int, 3> cells);
  // Waits for it. A run that fails gives a row with a failure.
  ScaleRow run(const ScalePoint& point) const;
  // "mpirun -n 2 '/usr/bin/lbm' run ..." for a shell.
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
