// One thread that does jobs in the order given, beside whoever gives them.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace lbm::tiling {

// Where a job throws, the jobs behind it are dropped, and every later call but is_done throws that
// error. All calls come from one thread. Adding never blocks: whoever adds bounds what is under
// way, with wait_for.
class WorkThread {
 public:
  WorkThread();
  ~WorkThread();  // does what was added; errors of that are lost
  WorkThread(const WorkThread&) = delete;
  WorkThread& operator=(const WorkThread&) = delete;

  // Returns the job's ticket: 1, 2, ...
  std::uint64_t add(std::function<void()> job);
  // Whether the job of that ticket, and so all before it, has returned. Ticket 0 always has.
  bool is_done(std::uint64_t ticket) const;
  // Waits for it. Throws the error of that job or of one before it.
  void wait_for(std::uint64_t ticket);
  // Throws where a job has failed so far.
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
