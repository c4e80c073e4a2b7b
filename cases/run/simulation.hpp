// A run for programs that embed the solver: it goes on when it is told to, and its state can be
// read in between.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/run/run_results.hpp"

namespace lbm::cases {

struct SimulationOptions {
  std::string out;         // directory for the results; empty: the run leaves no files
  bool overwrite = false;  // earlier results there may be moved aside
  std::string restart;     // a checkpoint, or a run's directory; empty: from the initial state
};

// What a caller is asked and told while a session computes, on the thread that called.
struct SimulationHooks {
  std::function<bool()> is_interrupted;  // null: never. True: sweeps under way are completed
  std::function<void(double)> progress;  // null: nobody. Steps since the session began, so far
};

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

// One process, one device. Not for two threads at a time. After an exception of a computing
// advance(), the state is gone: only step(), report() and the destructor may be called.
class Simulation {
 public:
  // Judges the case, takes the device and makes the lattice. Without a directory the case's
  // outputs, statistics, probes and checkpoints are left away. Throws as `lbm run` fails.
  Simulation(Case lbm_case, const SimulationOptions& options);
  ~Simulation();  // an unfinished run's report says so
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  // Runs `steps` further, less where the flow becomes steady or the walltime comes near. False:
  // interrupted. At the end the last files and the report are written. Throws UsageError for more
  // steps than the case has, and then the state is as it was; DivergedError, ResourceError, and
  // what the hooks throw.
  bool advance(std::int64_t steps, const SimulationHooks& hooks);

  std::int64_t step() const;
  double time() const;                                           // in the unit of the case
  std::int64_t end() const { return run_.setup.derived.steps; }  // of the case; steady ends earlier
  // At the end, steady, or stopped before its walltime: advance() is refused.
  bool is_over() const;
  bool is_lost() const { return !simulation_; }  // after an error
  const Case& lbm_case() const { return run_.lbm_case; }
  const Setup& setup() const { return run_.setup; }
  std::vector<std::string> warnings() const;
  std::string directory() const;  // empty: none
  // As report.json; while the run is on its way exit_reason is "running".
  io::Json report() const;
  // Of the last step, in the order of setup().bodies.
  const std::vector<BodyForces>& forces() const;

  // Throws UsageError for a box that is not in the grid.
  void check(const CellBox& box) const;

  // A field of the cells of a box, plane by plane as they lie in z: [ny][nx][components] at `to`,
  // which has room for all. Values and units are those of an output of that name. Takes host memory
  // for up to six planes of the box besides. units: as of a FileStyle. Throws as check().
  void read(fields::Kind kind, const CellBox& box, std::optional<FieldUnits> units,
            std::span<float> to);
  // Places in the units of the case, from the corner of the box; values are interpolated as for
  // probes. Throws UsageError for one outside the box or inside a body.
  PointValues probe(const std::vector<Vec3>& places);

  // Saves the state to a file that is not there yet; empty: among the checkpoints of the run, which
  // needs a directory. Gives the file. Throws UsageError, ResourceError.
  std::string save(const std::string& file);

 private:
  void begin();
  void finish();
  void try_report() noexcept;
  RunRecord record() const;

  std::chrono::steady_clock::time_point begin_;
  Prepared run_;
  std::optional<RunResults> outputs_;
  SimulationHooks hooks_;  // of the advance() under way
  std::string exit_reason_ = "running";
  std::vector<ExpectationResult> expectations_;
  std::optional<TimeLoop> simulation_;  // before all above
};

}  // namespace lbm::cases
