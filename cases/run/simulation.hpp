// SPDX-License-Identifier: Apache-2.0

// A run of a case, for the command line, the Python package and C++ programs that embed the solver
// (docs/embedding.md). Prints nothing.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/run/records/step_logs.hpp"
#include "cases/run/run_options.hpp"
#include "io/text/json.hpp"

namespace lbm::tiling {
class Ranks;
}

namespace lbm::cases {

struct PreparedRun;
struct RunResults;
class TimeLoop;

// Cells of the box, stride cells apart: [begin, end) along x, y, z.
struct CellBox {
  std::array<int, 3> begin{}, end{};
  int stride = 1;

  std::array<int, 3> count() const;
};

// Pressure and velocity at places, in the units of the case.
struct PointValues {
  std::vector<double> pressure, velocity;  // n, 3 n
};

// The run of one process, or of the root rank of several. Not for two threads at a time.
class Simulation {
 public:
  // Checks the case, takes the device, chooses the schedule and opens the directory. Throws
  // UsageError, ResourceError. ranks: null for one process; the other ranks of several call
  // compute_for_root().
  explicit Simulation(Case lbm_case, const RunOptions& options = {}, RunCallbacks callbacks = {},
                      tiling::Ranks* ranks = nullptr);
  // The report of an unfinished run says so. The other ranks end; after an error all processes do,
  // at once and with its exit code, so print it before.
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  // Allocates the lattice and sets the initial state, or that of the checkpoint. Other functions do
  // so first where they need it. Throws UsageError where the run cannot begin, ResourceError.
  void begin();

  // Computes `steps` more steps; fewer where the flow becomes steady, a callback stops the run or
  // the walltime is near. False: interrupted. At the end of the run its last files and the report
  // are written. Throws RunEnded, UsageError for more steps than the case has left, and then the
  // state is as before; DivergedError, ResourceError, and exceptions of the callbacks. After these
  // the state is lost, and only step(), report() and the destructor may be called.
  bool advance(std::int64_t steps);
  // Computes all steps that are left. Returns and throws as advance().
  bool advance_to_end();

  std::int64_t step() const;
  double time() const;       // in the unit of the case
  std::int64_t end() const;  // steps of the case; a steady flow ends earlier
  bool is_over() const;      // at the end, steady or stopped
  bool is_lost() const;      // after an error
  const Case& lbm_case() const;
  std::string directory() const;  // of the results; empty: none
  std::vector<std::string> warnings() const;
  // As report.json; exit_reason is "running" until the run has ended.
  io::Json report() const;
  // Names of the bodies, and their forces at the last step in the same order.
  const std::vector<std::string>& bodies() const;
  const std::vector<BodyForces>& forces() const;

  // Throws UsageError for a box that is not in the grid.
  void check(const CellBox& box) const;

  // A field of the cells of a box, plane by plane as they lie in z: [ny][nx][components] at `to`,
  // which has room for all. Values and units are those of an output of that name. Takes host memory
  // for up to six planes of the box. units: as in FileStyle. Throws as check().
  void read(fields::Kind kind, const CellBox& box, std::optional<FieldUnits> units,
            std::span<float> to);
  // The same, with room of its own.
  std::vector<float> read(fields::Kind kind, const CellBox& box);
  // Places in the units of the case, from the corner of the box; values are interpolated as for
  // probes. Throws UsageError for a place outside the box or inside a body.
  PointValues probe(const std::vector<Vec3>& places);

  // Saves the state to a file that must not exist; empty: among the checkpoints of the run, which
  // needs a directory. Returns the file. Throws UsageError, ResourceError.
  std::string save(const std::string& file);

  // For reports of other forms.
  const PreparedRun& prepared() const;
  const RunResults& results() const;

 private:
  struct Run;
  TimeLoop& running();

  std::unique_ptr<Run> run_;
};

// A rank other than the root: computes its slab, by the sweeps that the root asks for, until the
// run is over. The root is told of errors and ends the run. Returns the exit code. Throws
// SharedError where the run cannot begin.
int compute_for_root(Case lbm_case, const RunOptions& options, tiling::Ranks& ranks,
                     WorkerCallbacks callbacks = {});

}  // namespace lbm::cases
