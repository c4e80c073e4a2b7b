// SPDX-License-Identifier: Apache-2.0

// A thread that does jobs in the order in which they were added.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace lbm::tiling {

// When a job throws, the jobs behind it are dropped, and every later call except is_done throws
// that error. All calls come from one thread. add() never blocks: callers bound the number of jobs
// with wait_for().
class WorkThread {
 public:
  WorkThread();
  ~WorkThread();  // does all jobs that were added; their errors are lost
  WorkThread(const WorkThread&) = delete;
  WorkThread& operator=(const WorkThread&) = delete;

  // Returns the job's ticket: 1, 2, ...
  std::uint64_t add(std::function<void()> job);
  // True if the job of that ticket, and so all before it, have returned. Always true for ticket 0.
  bool is_done(std::uint64_t ticket) const;
  // Waits for that job. Throws its error, or the error of a job before it.
  void wait_for(std::uint64_t ticket);
  // Throws the error if a job has failed.
  void rethrow_error() const;

 private:
  void work();
  void rethrow_locked() const;

  mutable std::mutex mutex_;
  std::condition_variable added_, finished_;
  std::deque<std::function<void()>> jobs_;
  std::uint64_t tickets_ = 0, done_ = 0;
  bool stopping_ = false;
  std::exception_ptr error_;
  std::thread thread_;  // last: it uses all above
};

}  // namespace lbm::tiling
