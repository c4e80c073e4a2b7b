// Ctrl-C and kill as a request to stop in an orderly way.
#pragma once

namespace lbm::cases {

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

// While it lives, SIGUSR1 asks for a checkpoint instead of ending the program. One at a time.
class SaveSignal {
 public:
  SaveSignal();
  ~SaveSignal();
  SaveSignal(const SaveSignal&) = delete;
  SaveSignal& operator=(const SaveSignal&) = delete;

  // Whether one arrived since the last call.
  static bool take();
};

}  // namespace lbm::cases
