// SPDX-License-Identifier: Apache-2.0

// The threads of the CPU backend: how many find a core of their own, and their modes. A loop ends
// with its last thread. Where other programs use the cores, too, that thread waits several
// milliseconds for its turn, many times as long as the loop: fewer threads are faster there. The
// number of threads changes no results.
#pragma once

#include <cstdint>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

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

// Starts threads - 1 threads beside the calling one and ends them again, the first time that a
// process calls it with so many. Throws std::system_error where the system refuses one (ulimit -u,
// or ulimit -v, which their stacks count for): OpenMP would end the process there.
void check_thread_limit(int threads);

// Treats subnormal floats as zero on the calling thread while it lives. They cost a hundred cycles
// each on most CPUs, and the quiet fluid ahead of a starting flow is full of them.
class FlushSubnormals {
 public:
#if defined(__x86_64__)
  FlushSubnormals() : saved_(_mm_getcsr()) { _mm_setcsr(saved_ | 0x8040U); }
  ~FlushSubnormals() { _mm_setcsr(saved_); }
#elif defined(__aarch64__)
  FlushSubnormals() {
    __asm__ volatile("mrs %0, fpcr" : "=r"(saved_));
    __asm__ volatile("msr fpcr, %0" : : "r"(saved_ | std::uint64_t{1} << 24));
  }
  ~FlushSubnormals() { __asm__ volatile("msr fpcr, %0" : : "r"(saved_)); }
#endif
  FlushSubnormals(const FlushSubnormals&) = delete;
  FlushSubnormals& operator=(const FlushSubnormals&) = delete;

 private:
#if defined(__x86_64__)
  unsigned saved_;
#elif defined(__aarch64__)
  std::uint64_t saved_;
#endif
};

}  // namespace lbm::cpu
