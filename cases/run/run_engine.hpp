// The parts of a run and the order of its life: begin, advance, finish, give up.
#pragma once

#include <memory>
#include <optional>

#include "cases/run/prepared_run.hpp"
#include "cases/run/run_results.hpp"
#include "cases/run/time_loop.hpp"
#include "cases/run/trace_writer.hpp"

namespace lbm::cases {

// Each member refers only to members above it.
struct RunEngine {
  RunEngine(Case lbm_case, const RunOptions& options, RunCallbacks callbacks, tiling::Ranks* ranks);

  // Begins the run where it has not begun. Throws RunEnded after an error.
  TimeLoop& running();
  // False: interrupted.
  bool advance_to(std::int64_t step);
  void finish_trace();
  // Frees the lattice, and completes what can be completed of the files and the report.
  void give_up(const std::string& exit_reason);

  RunCallbacks callbacks;
  Notices notices;
  std::unique_ptr<TraceWriter> trace;  // null: none is wanted
  PreparedRun prepared;
  RunResults results;
  std::optional<TimeLoop> loop;
  bool lost = false;  // an error has ended the run

 private:
  void begin();
  void make_loop();
  void finish_if_over();
};

}  // namespace lbm::cases
