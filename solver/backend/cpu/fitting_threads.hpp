// SPDX-License-Identifier: Apache-2.0

// The number of threads that find a core of their own. A loop ends with its last thread. Where
// other programs use the cores, too, that thread waits several milliseconds for its turn, many
// times as long as the loop: fewer threads are faster there. The number of threads changes no
// results.
#pragma once

#include <cstdint>

namespace lbm::cpu {

class FittingThreads {
 public:
  // most: threads on a machine without other work, at least 1.
  explicit FittingThreads(int most) : most_(most), now_(most) {}

  // The mean number over the time between the first call of now() and the last; at most `most`.
  double mean() const { return seconds_ > 0 ? thread_seconds_ / seconds_ : most_; }

  // The number for the next loop. Looks at the clock and the preemptions of this process.
  int now();

  // The same for a time in seconds and a number of preemptions, neither of which ever falls. After
  // an interval with many preemptions there are a quarter fewer threads, at least one fewer; later
  // one interval tries a third more, at least one more. The time to the next trial doubles each
  // time that one fails.
  int at(double seconds, std::int64_t preemptions);

 private:
  int most_, now_, before_ = 0;  // before_: threads before the trial that runs; 0: none does
  bool started_ = false;
  double begin_ = 0, next_trial_ = 0, wait_ = 0;
  double seconds_ = 0, thread_seconds_ = 0;
  std::int64_t preemptions_ = 0;
};

}  // namespace lbm::cpu
