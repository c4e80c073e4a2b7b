// Ctrl-C and kill as a request to stop in an orderly way.
#pragma once

namespace lbm::app {

// While it lives, SIGINT and SIGTERM set a flag instead of ending the program; a second one ends it
// at once. One at a time.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  // The signal that arrived; 0 for none.
  static int received();
};

}  // namespace lbm::app
