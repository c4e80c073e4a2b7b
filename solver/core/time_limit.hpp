// SPDX-License-Identifier: Apache-2.0

// A limit on the time that a piece of work may take, for work whose result is worth having only if
// it comes soon.
#pragma once

#include <chrono>
#include <exception>
#include <optional>

namespace lbm {

struct TimeLimitReached : std::exception {
  const char* what() const noexcept override { return "the time limit of this work is reached"; }
};

class TimeLimit {
 public:
  using Clock = std::chrono::steady_clock;

  TimeLimit() = default;  // none
  explicit TimeLimit(std::chrono::duration<double> from_now)
      : end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(from_now)) {}

  bool is_set() const { return end_.has_value(); }
  // Safe to call from many threads.
  bool reached() const { return end_ && Clock::now() >= *end_; }
  // Throws TimeLimitReached. Not for loops of OpenMP, which no exception may leave.
  void check() const {
    if (reached()) throw TimeLimitReached();
  }

 private:
  std::optional<Clock::time_point> end_;
};

}  // namespace lbm
