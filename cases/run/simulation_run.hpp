// The parts of a Simulation. Each member refers only to members above it.
#pragma once

#include <memory>
#include <optional>

#include "cases/run/prepared_run.hpp"
#include "cases/run/run_results.hpp"
#include "cases/run/simulation.hpp"
#include "cases/run/time_loop.hpp"
#include "cases/run/trace_writer.hpp"

namespace lbm::cases {

struct Simulation::Run {
  Run(Case lbm_case, const RunOptions& options, RunCallbacks callbacks, tiling::Ranks* ranks);

  void begin();
  void advance_to(std::int64_t step);
  void finish_trace();
  // The loop of a run that has begun, which it does where it has not. Throws UsageError after an
  // error.
  TimeLoop& running();

  RunCallbacks callbacks;
  Notices notices;
  std::unique_ptr<TraceWriter> trace;  // null: none is wanted
  PreparedRun prepared;
  RunResults results;
  std::optional<TimeLoop> loop;
  bool lost = false;  // an error has ended the run

 private:
  void make_loop();
  void finish_if_over();
  void fail(const std::exception& caught);
};

}  // namespace lbm::cases
