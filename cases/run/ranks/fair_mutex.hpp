// SPDX-License-Identifier: Apache-2.0

// A ticket lock: threads lock it in the order in which they asked for it.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace lbm::cases {

// With std::mutex a thread that unlocks and locks in a loop can shut out another thread for as long
// as the loop lasts. Works with std::scoped_lock, std::unique_lock, std::condition_variable_any.
class FairMutex {
 public:
  void lock() {
    std::unique_lock lock(mutex_);
    const std::uint64_t own = next_++;
    changed_.wait(lock, [&] { return serving_ == own; });
  }
  void unlock() {
    {
      const std::scoped_lock lock(mutex_);
      ++serving_;
    }
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t next_ = 0, serving_ = 0;
};

}  // namespace lbm::cases
