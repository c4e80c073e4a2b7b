// SPDX-License-Identifier: Apache-2.0

// How a program that runs a case takes part in the run, beside the case itself.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "cases/case/initial/flow_arrays.hpp"
#include "cases/run/records/notices.hpp"
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
  std::optional<std::string> trace = {};  // file for a timeline of copies and kernels
  bool predict = false;                   // the report has the speed that the model predicts
};

// What a run asks and tells the program around it. Each may be null. Called by the thread that
// advances the run; `notice` also by the thread that writes fields.
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

// The same for a rank other than the root. Each may be null. Called by another thread than the one
// that computes, and not before this rank begins to compute.
struct WorkerCallbacks {
  // A signal that this rank has received and that is to stop the run, else 0; the root is told of
  // it within about a second.
  std::function<int()> stop;
  // One line: the root has fallen silent, or is back. Of the ranks only the first one says so.
  std::function<void(const std::string&)> warn;
  // One line, before this rank ends all: a signal asks it to stop, and the root does not answer.
  std::function<void(const std::string&)> error;
};

// To go on with a run that has ended.
struct RunEnded : UsageError {
  using UsageError::UsageError;
};

}  // namespace lbm::cases
