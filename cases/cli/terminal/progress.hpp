// Shows how far a run is: a bar that redraws itself on a terminal, a line now and then elsewhere.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>

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
  void draw(double seconds);

  std::FILE* stream_;
  bool quiet_, terminal_;
  std::int64_t steps_;
  double to_do_, cells_;
  double done_ = 0;
  std::chrono::steady_clock::time_point begin_, next_;
  bool drawn_ = false;
};

}  // namespace lbm::cases
