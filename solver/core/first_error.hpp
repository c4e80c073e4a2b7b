// SPDX-License-Identifier: Apache-2.0

// Exceptions in parallel loops: none may leave the loop.
#pragma once

#include <atomic>
#include <exception>
#include <mutex>

namespace lbm {

// Keeps the first exception of a parallel loop, which the thread after the loop throws again.
class FirstError {
 public:
  // Called from many threads.
  template <class Work>
  void guard(const Work& work) {
    try {
      work();
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      if (!error_) error_ = std::current_exception();
      found_ = true;
    }
  }
  // True once any thread has failed; callers may skip the remaining work. Thread-safe.
  bool found() const { return found_; }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr error_;
  std::atomic<bool> found_{false};
};

}  // namespace lbm
