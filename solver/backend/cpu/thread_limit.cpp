// SPDX-License-Identifier: Apache-2.0
#include "solver/backend/cpu/thread_limit.hpp"

#include <atomic>
#include <latch>
#include <thread>
#include <vector>

namespace lbm::cpu {

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
