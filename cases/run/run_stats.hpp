// SPDX-License-Identifier: Apache-2.0

// How far a run came, how long it took and why it ended.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cases/run/checkpoint/checkpoints.hpp"
#include "solver/core/error.hpp"
#include "solver/core/numa.hpp"
#include "tiling/pipeline/pipeline.hpp"

namespace lbm::cases {

struct RunStats {
  std::int64_t steps = 0;                          // reached, those before a restart included
  std::int64_t first_step = 0;                     // where this process began
  double seconds = 0;                              // of the time loop, checkpoints included
  double setup_seconds = 0;                        // allocating and filling the lattice
  double pin_seconds = 0;                          // of these: page-locking the lattice on the host
  double fill_seconds = 0;                         // of these: allocating and filling it
  std::uint64_t device_bytes = 0, host_bytes = 0;  // host: lattice and output fields
  std::uint64_t boundary_bytes = 0;                // in device_bytes
  std::vector<NodeShare> host_nodes;               // where the lattice on the host is
  tiling::PipelineStats pipeline;
  CheckpointStats checkpoints;
  int stopped_by = 0;        // a signal; 0: none
  bool at_walltime = false;  // stopped before run.walltime
  bool steady = false;       // ended early, since the flow had become steady
  bool complete = false;     // came to its end, and all its files are written
  // "running", "completed", "steady", "interrupted by SIGINT", "walltime reached", or the error.
  std::string exit_reason = "running";

  bool stopped() const { return stopped_by != 0 || at_walltime; }
};

}  // namespace lbm::cases
