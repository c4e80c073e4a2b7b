// SPDX-License-Identifier: Apache-2.0

// How a program that runs a case takes part in the run, beside the case itself.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "cases/case/initial/flow_rows.hpp"
#include "cases/run/records/stateful.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {

struct RunOptions {
  std::string out = {};      // directory of the results; empty: as the case says
  bool writes_files = true;  // false: no directory, and no results of the case that need one
  bool overwrite = false;    // earlier results in `out` may be moved aside
  std::optional<std::string> restart = {};  // a checkpoint, or the directory of a run
  // With `restart`: the physics of the case may differ from that of the checkpoint, as far as the
  // state permits (docs/checkpoints.md); the results must go to another directory.
  bool change = false;
  // The initial flow of a case with initial.flow: arrays.
  std::optional<FlowArrays> initial = {};
  // Where the run starts instead of the initial flow of the case; null: there.
  std::shared_ptr<const FlowRows> start = nullptr;
  bool predict = false;  // the report has the speed that the model predicts
};

// Callbacks from a run to the program around it. Each may be null. The thread that advances the run
// calls them; the thread that writes fields also calls `notice`.
struct RunCallbacks {
  Notices::Tell notice;
  // Steps computed since the run began or restarted; fractions are parts of a sweep.
  std::function<void(double steps)> progress;
  // True: advance() returns when the sweeps under way are complete. The run can go on later.
  std::function<bool()> is_interrupted;
  // A signal's number: the run ends early, with a checkpoint where the case wants one. 0: go on.
  std::function<int()> stop;
  // True once for each checkpoint that is asked for.
  std::function<bool()> save_requested;
};

// Callbacks of a rank other than the root. Each may be null. Another thread than the computing one
// calls them, and not before this rank begins to compute.
struct WorkerCallbacks {
  // A signal that this rank has received and that is to stop the run, else 0; the root is told of
  // it within about a second.
  std::function<int()> stop;
  // One line: the root has fallen silent, or is back. Only rank 1 calls it.
  std::function<void(const std::string&)> warn;
  // One line, before this rank ends all: a signal asks it to stop, and the root does not answer.
  std::function<void(const std::string&)> error;
};

// To go on with a run that has ended.
struct RunEnded : UsageError {
  using UsageError::UsageError;
};

}  // namespace lbm::cases
