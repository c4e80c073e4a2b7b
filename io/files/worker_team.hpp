// A few threads that share the jobs of one call.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace lbm::io {

// The caller of run() and the helpers take one job at a time. Helpers sleep between calls.
class WorkerTeam {
 public:
  // job: 0 .. count - 1; worker: 0 .. size() - 1, never two jobs of one worker at a time. Returns 0
  // or an errno; must not throw.
  using Job = std::function<int(std::size_t job, std::size_t worker)>;

  // threads: with the caller, at least 1; fewer where the system gives no more.
  explicit WorkerTeam(int threads);
  ~WorkerTeam();
  WorkerTeam(const WorkerTeam&) = delete;
  WorkerTeam& operator=(const WorkerTeam&) = delete;

  // Returns when all is done: 0, or the first error, after which no job begins. The helpers are
  // woken for `shared` jobs or more: fewer short ones are done before a helper is awake.
  int run(std::size_t count, const Job& job, std::size_t shared = 2);
  std::size_t size() const { return helpers_.size() + 1; }

 private:
  void help(std::size_t worker);
  void work(std::unique_lock<std::mutex>& lock, std::size_t worker);

  std::mutex mutex_;
  std::condition_variable ready_, done_;
  const Job* job_ = nullptr;          // of the call under way
  std::size_t count_ = 0, next_ = 0;  // next_: job that nobody has taken
  std::size_t left_ = 0;              // jobs not done yet
  int error_ = 0;
  bool stopping_ = false;
  std::vector<std::jthread> helpers_;  // last: they use all above
};

// Threads that are worth having for one file on this machine.
int writer_threads();

}  // namespace lbm::io
