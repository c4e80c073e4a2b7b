// A few threads that share a loop.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace lbm::fields {

// Sleeps between loops: on the CPU backend the cores belong to the solver. Loops must not throw.
class ThreadTeam {
 public:
  // threads: those that work, with the caller; at least 1.
  explicit ThreadTeam(int threads);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  // Calls piece(0) ... piece(count - 1), each once, on any of the threads; returns when all are
  // done. One call at a time.
  void run(int count, const std::function<void(int)>& piece);

 private:
  void help();
  void work();

  std::mutex mutex_;
  std::condition_variable begin_, end_;
  const std::function<void(int)>* piece_ = nullptr;
  int count_ = 0, round_ = 0, busy_ = 0;
  std::atomic<int> next_ = 0;
  bool stopping_ = false;
  std::vector<std::jthread> helpers_;  // last: they use all above
};

// Threads that are worth having for sums over planes on this machine: half of the cores, 8 at most.
int team_size();

}  // namespace lbm::fields
