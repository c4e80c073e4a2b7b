// Shows how far a run is: a bar that redraws itself on a terminal, a line now and then elsewhere.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <deque>

namespace lbm::cases {

class Progress {
 public:
  // stream: stdout or stderr. quiet: shows nothing. steps: of the case, those before a restart
  // included. to_do: steps of this run. cells: of the grid.
  Progress(std::FILE* stream, bool quiet, std::int64_t steps, std::int64_t to_do,
           std::int64_t cells);

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
  void draw();

  std::FILE* stream_;
  bool quiet_, terminal_;
  std::int64_t steps_;
  double to_do_, cells_;
  double done_ = 0;
  Clock::time_point next_;
  std::deque<Sample> samples_;  // of the last seconds; speeds are those since the oldest one
  bool drawn_ = false;
};

}  // namespace lbm::cases
