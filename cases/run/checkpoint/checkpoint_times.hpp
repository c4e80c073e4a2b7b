// When a checkpoint is due, and when a run must stop for its walltime.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>

#include "cases/case/case.hpp"

namespace lbm::cases {

class CheckpointTimes {
 public:
  using Clock = std::chrono::steady_clock;

  // begin: of the program. checkpoint_bytes: what one takes, to guess how long the first one will.
  CheckpointTimes(const Case& lbm_case, Clock::time_point begin, std::uint64_t checkpoint_bytes);

  // The next step after this one at which one is due; empty: none.
  std::optional<std::int64_t> next_step_after(std::int64_t step) const;
  bool is_due_at(std::int64_t step) const;
  // By the clock.
  bool is_due() const;
  // Whether the sweeps under way, a checkpoint and the end of the program just fit into what is
  // left of the walltime.
  bool must_stop() const;

  // A sweep that ends at that step is asked for; and steps up to that one are complete: between
  // the two lies what it takes to stop.
  void asked(std::int64_t step);
  void completed(std::int64_t step);
  // After the last sweep that was asked for, all was complete, outputs too, so much later.
  void drained(double seconds);
  // One was written, and took so long; or could not be written.
  void saved(double seconds);
  void failed() { last_save_ = Clock::now(); }

 private:
  struct Asked {
    std::int64_t step;
    Clock::time_point when;
  };

  const Case& case_;
  Clock::time_point begin_, last_save_;
  std::deque<Asked> asked_;
  double save_seconds_, sweep_seconds_ = 0;
  bool measured_ = false;
};

}  // namespace lbm::cases
