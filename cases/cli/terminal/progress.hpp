// Tells how far a run is: a bar that redraws itself on a terminal, a line now and then elsewhere.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>

namespace lbm::cases {

class Progress {
 public:
  // stream: stdout or stderr. quiet: says nothing. planes: plane updates of the whole run.
  Progress(std::FILE* stream, bool quiet, std::int64_t steps, std::int64_t planes,
           std::int64_t cells_per_plane);

  // useful plane updates so far (redundant ones not counted).
  void update(std::int64_t planes_done);
  // Ends the bar's line.
  void finish();

 private:
  void draw(double fraction, double seconds);

  std::FILE* stream_;
  bool quiet_, terminal_;
  std::int64_t steps_, planes_, cells_per_plane_;
  std::int64_t done_ = 0;
  std::chrono::steady_clock::time_point begin_, next_;
  bool drawn_ = false;
};

}  // namespace lbm::cases
