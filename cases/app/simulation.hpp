// One run of a case: the time loop, which asks for sweeps that end on output times, and the result.
#pragma once

#include <functional>
#include <string>

#include "cases/app/case.hpp"
#include "cases/app/flow_records.hpp"
#include "cases/app/outputs.hpp"
#include "cases/app/setup.hpp"

namespace lbm::app {

struct RunResult {
  std::int64_t steps = 0;                          // done
  double seconds = 0;                              // of the time loop
  double setup_seconds = 0;                        // allocating and filling the lattice
  double pin_seconds = 0;                          // of these: page-locking the lattice on the host
  double fill_seconds = 0;                         // of these: allocating and filling it
  double copy_bytes_per_second = 0;                // device-to-device copy, bytes read + written
  std::uint64_t device_bytes = 0, host_bytes = 0;  // host: lattice and output fields
  tiling::PipelineStats stats;
  int stopped_by = 0;   // signal, 0 for none
  bool steady = false;  // ended early, since the flow had become steady
};

// Runs the case to its end, until it is steady or until stop() gives a signal's number; then the
// sweeps under way are completed. on_progress gets the useful plane updates done. result is kept up
// to date while it runs, so that it tells how far a run came that ends in an exception:
// DivergedError, ResourceError. trace may be null.
void simulate(const Case& lbm_case, const Setup& setup, Backend& backend, FieldOutputs& outputs,
              FlowRecords& records, const std::function<int()>& stop,
              const std::function<void(std::int64_t)>& on_progress, tiling::TraceSink* trace,
              RunResult& result);

}  // namespace lbm::app
