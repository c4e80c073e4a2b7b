// SPDX-License-Identifier: Apache-2.0

// A mutex whose waiting threads get it in the order in which they asked.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace lbm::cases {

// With std::mutex a thread that unlocks and locks again in a loop can keep another one waiting for
// as long as the loop lasts. For std::scoped_lock, std::unique_lock, std::condition_variable_any.
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
