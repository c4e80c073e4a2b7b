// SPDX-License-Identifier: Apache-2.0
#include "solver/backend/cpu/fitting_threads.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <latch>
#include <thread>
#include <vector>

namespace lbm::cpu {
namespace {

constexpr double interval = 0.05;  // seconds
// Preemptions a second. Measured on two cores: 25 to 70 on a quiet machine, 400 to 550 beside
// another run of two threads.
constexpr double most_of_thread = 200;
constexpr double first_wait = 0.1, longest_wait = 8;

}  // namespace

int FittingThreads::now() {
  if (most_ == 1) return 1;
  const auto time = std::chrono::steady_clock::now().time_since_epoch();
  const double seconds = std::chrono::duration<double>(time).count();
  if (started_ && seconds < begin_ + interval) return now_;
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return at(seconds, used.ru_nivcsw);
}

int FittingThreads::at(double seconds, std::int64_t preemptions) {
  const double passed = seconds - begin_;
  if (started_ && passed < interval) return now_;
  if (started_) {
    seconds_ += passed;
    thread_seconds_ += passed * now_;
  }
  const auto preempted = static_cast<double>(preemptions - preemptions_);
  const bool crowded = started_ && now_ > 1 && preempted > most_of_thread * now_ * passed;
  if (crowded) {
    wait_ = std::clamp(2 * wait_, first_wait, longest_wait);
    next_trial_ = seconds + wait_;
    now_ = before_ > 0 ? before_ : now_ - std::max(1, now_ / 4);
    before_ = 0;
  } else if (before_ > 0) {
    before_ = 0;  // the trial went well
    wait_ = 0;
  } else if (now_ < most_ && seconds >= next_trial_) {
    before_ = now_;
    now_ = std::min(most_, now_ + std::max(1, now_ / 3));
  }
  started_ = true;
  begin_ = seconds;
  preemptions_ = preemptions;
  return now_;
}

void check_thread_limit(int threads) {
  static std::atomic<int> known{1};
  if (threads <= known) return;
  std::latch done(1);
  std::vector<std::jthread> others;  // all at a time, as those of OpenMP
  try {
    while (static_cast<int>(others.size()) + 1 < threads) {
      others.emplace_back([&done] { done.wait(); });
    }
  } catch (...) {
    done.count_down();
    throw;
  }
  done.count_down();
  known = threads;
}

}  // namespace lbm::cpu
