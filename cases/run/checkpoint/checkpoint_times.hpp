// SPDX-License-Identifier: Apache-2.0

// Decides when a checkpoint is due and when a run must stop for its walltime.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>

#include "cases/case/case.hpp"

namespace lbm::cases {

inline double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

class CheckpointTimes {
 public:
  using Clock = std::chrono::steady_clock;

  // begin: start of the program. checkpoint_bytes: size, to estimate the duration of the first one.
  CheckpointTimes(const Case& lbm_case, Clock::time_point begin, std::uint64_t checkpoint_bytes);

  // The next later step at which a checkpoint is due; empty: none.
  std::optional<std::int64_t> next_step_after(std::int64_t step) const;
  bool is_due_at(std::int64_t step) const;
  // Due by wall-clock time at `step`: never twice at the same step, however short the interval is.
  bool is_due(std::int64_t step) const;
  // True once the sweeps in flight, a checkpoint and the end of the program need the whole
  // remaining walltime.
  bool must_stop() const;

  // A sweep to `step` was requested; all steps up to `step` are complete. The time between the two
  // calls is that needed to stop.
  void asked(std::int64_t step);
  void completed(std::int64_t step);
  // Time from the last requested sweep until everything was complete, outputs included.
  void drained(double seconds);
  // A checkpoint of `step` was written in this time, or failed.
  void saved(std::int64_t step, double seconds);
  void failed(std::int64_t step);

 private:
  struct Asked {
    std::int64_t step;
    Clock::time_point when;
  };

  const Case& case_;
  Clock::time_point begin_, last_save_;
  std::optional<std::int64_t> last_step_;  // of the last checkpoint, or attempt
  std::deque<Asked> asked_;
  double save_seconds_, sweep_seconds_ = 0;
  bool measured_ = false;
};

}  // namespace lbm::cases
