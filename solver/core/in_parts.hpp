// SPDX-License-Identifier: Apache-2.0

// Loops in parts: shared among threads, and their exceptions; ranges in pieces.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>

namespace lbm {

// Calls work(from, to) for parts of 0 ... count - 1, each number once, by so many threads
// (OpenMP's, which stay awake for a while: calls may be short). Returns when all are done. work
// must not throw.
void run_in_parts(int threads, std::size_t count,
                  const std::function<void(std::size_t from, std::size_t to)>& work);

// The same with from and to as the type of count.
template <class Count, class Work>
void in_parts(int threads, Count count, const Work& work) {
  run_in_parts(threads, static_cast<std::size_t>(count), [&](std::size_t from, std::size_t to) {
    work(static_cast<Count>(from), static_cast<Count>(to));
  });
}

// Keeps the first exception of a parallel loop, which none may leave. The thread after the loop
// throws it again.
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

// Calls part(begin, bytes) for the parts of [begin, begin + bytes) between multiples of `piece`,
// in order: copies may not cross from one registered piece of memory to the next.
template <class Part>
void for_parts(std::size_t begin, std::size_t bytes, std::size_t piece, Part part) {
  const std::size_t end = begin + bytes;
  while (begin < end) {
    const std::size_t next = std::min(end, (begin / piece + 1) * piece);
    part(begin, next - begin);
    begin = next;
  }
}

}  // namespace lbm
