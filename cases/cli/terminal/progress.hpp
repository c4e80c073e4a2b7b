// SPDX-License-Identifier: Apache-2.0

// Shows how far a run is: a bar that redraws itself on a terminal, a line now and then elsewhere.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <functional>
#include <string>

namespace lbm::cases {

class Progress {
 public:
  // stream: stdout or stderr. quiet: shows nothing, but logs. steps: of the case, those before a
  // restart included. to_do: steps of this run. cells: of the grid. flow: what else to show; log:
  // takes a line now and then. Both may be null, and are called by update() and finish().
  Progress(std::FILE* stream, bool quiet, std::int64_t steps, std::int64_t to_do,
           std::int64_t cells, std::function<std::string()> flow = {},
           std::function<void(const std::string&)> log = {});

  // Steps of this run so far; fractions are parts of a sweep.
  void update(double steps_done);
  // Ends the bar's line.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;
  struct Sample {
    Clock::time_point at;
    double steps = 0;
  };
  void take(Clock::time_point now);
  std::string numbers() const;
  void draw(const std::string& text);

  std::FILE* stream_;
  bool quiet_, terminal_;
  std::int64_t steps_;
  double to_do_, cells_;
  double done_ = 0;
  std::function<std::string()> flow_;
  std::function<void(const std::string&)> log_;
  Clock::time_point next_, next_log_;
  std::deque<Sample> samples_;  // of the last seconds; speeds are those since the oldest one
  bool drawn_ = false;
};

}  // namespace lbm::cases
