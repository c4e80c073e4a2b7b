// SPDX-License-Identifier: Apache-2.0
#include "io/files/worker_team.hpp"

#include <algorithm>
#include <system_error>

namespace lbm::io {

// The other half of the cores computes.
int writer_threads() {
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()) / 2, 1, 16);
}

WorkerTeam::WorkerTeam(int threads) {
  try {
    for (std::size_t i = 1; i < static_cast<std::size_t>(std::max(threads, 1)); ++i)
      helpers_.emplace_back([this, i] { help(i); });
  } catch (const std::system_error&) {  // out of threads: continue with fewer
  }
}

WorkerTeam::~WorkerTeam() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  ready_.notify_all();
}

int WorkerTeam::run(std::size_t count, const Job& job, std::size_t shared) {
  std::unique_lock lock(mutex_);
  job_ = &job;
  count_ = left_ = count;
  next_ = 0;
  error_ = 0;
  if (count >= shared) ready_.notify_all();
  work(lock, 0);
  done_.wait(lock, [this] { return left_ == 0; });
  return error_;
}

void WorkerTeam::help(std::size_t worker) {
  std::unique_lock lock(mutex_);
  while (true) {
    ready_.wait(lock, [this] { return stopping_ || next_ < count_; });
    if (stopping_) return;
    work(lock, worker);
  }
}

void WorkerTeam::work(std::unique_lock<std::mutex>& lock, std::size_t worker) {
  while (next_ < count_) {
    const std::size_t taken = next_++;
    const Job& job = *job_;
    lock.unlock();
    const int error = job(taken, worker);
    lock.lock();
    --left_;
    if (error != 0) {  // skips the remaining jobs
      if (error_ == 0) error_ = error;
      left_ -= count_ - next_;
      next_ = count_;
    }
    if (left_ == 0) done_.notify_one();
  }
}

}  // namespace lbm::io
