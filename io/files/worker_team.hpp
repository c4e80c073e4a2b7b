// SPDX-License-Identifier: Apache-2.0

// A few threads that share the jobs of a call.
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
  // job: 0 .. count - 1; worker: 0 .. size() - 1, one job at a time for each worker. Returns 0 or
  // an errno; must not throw.
  using Job = std::function<int(std::size_t job, std::size_t worker)>;

  // threads: at least 1, including the caller; fewer if the system is out of threads.
  explicit WorkerTeam(int threads);
  ~WorkerTeam();
  WorkerTeam(const WorkerTeam&) = delete;
  WorkerTeam& operator=(const WorkerTeam&) = delete;

  // Returns 0 when all jobs are done, or the first error, after which no job starts. Helpers are
  // woken for at least `shared` jobs: waking them for fewer short ones takes longer than the jobs.
  int run(std::size_t count, const Job& job, std::size_t shared = 2);
  std::size_t size() const { return helpers_.size() + 1; }

 private:
  void help(std::size_t worker);
  void work(std::unique_lock<std::mutex>& lock, std::size_t worker);

  std::mutex mutex_;
  std::condition_variable ready_, done_;
  const Job* job_ = nullptr;          // of the current call
  std::size_t count_ = 0, next_ = 0;  // next_: first job not taken
  std::size_t left_ = 0;              // unfinished jobs
  int error_ = 0;
  bool stopping_ = false;
  std::vector<std::jthread> helpers_;  // last member: the threads use the others
};

// Suitable number of threads to write one file on this machine.
int writer_threads();

}  // namespace lbm::io
