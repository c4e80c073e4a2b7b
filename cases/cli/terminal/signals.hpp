// SPDX-License-Identifier: Apache-2.0

// Signals as requests to stop or to save in an orderly way.
#pragma once

namespace lbm::cases {

// Call it first thing in main(): the signals of StopSignals wait until handlers are installed or
// let_signals_through() is called, also if the program starts itself again. Writing
// beyond the limit on file sizes becomes an error (EFBIG) instead of SIGXFSZ.
void hold_signals();
// For commands that signals end at once.
void let_signals_through();

// While it lives, SIGINT, SIGTERM, SIGHUP, SIGUSR2 and SIGXCPU set a flag instead of ending the
// program. A second SIGINT or SIGTERM ends it at once; further ones of the others do not, since
// terminals and batch systems repeat them, nor SIGTERM in a job of Slurm. SIGHUP stays ignored
// where nohup has ignored it. SIGPIPE is ignored from then on: a reader of the output that has gone
// does not end the run. SIGUSR1 asks for a checkpoint. One at a time.
class StopSignals {
 public:
  // The effect of a signal before set_up_is_over(). flag: the signal sets the flag. end: the signal
  // ends the program at once, with one line on stderr and exit code 128 + its number. Nothing was
  // computed yet that could be saved, and set-up may take minutes or wait for a process that does
  // not answer. end_as_rank: as end, but without the line where the launcher, the parent of this
  // process, sends the signal.
  enum class InSetUp { flag, end, end_as_rank };

  explicit StopSignals(InSetUp in_set_up = InSetUp::flag);
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  // From now on signals set the flag. Any thread may call it, any number of times.
  static void set_up_is_over();

  // The first signal that arrived; 0 for none.
  static int received();
  // True if SIGUSR1 has arrived since the last call.
  static bool take_save();
};

}  // namespace lbm::cases
