// SPDX-License-Identifier: Apache-2.0
#include "tiling/pipeline/work_thread.hpp"

#include <utility>

namespace lbm::tiling {

WorkThread::WorkThread() : thread_([this] { work(); }) {}

WorkThread::~WorkThread() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  added_.notify_one();
  thread_.join();
}

void WorkThread::rethrow_locked() const {
  if (error_) std::rethrow_exception(error_);
}

std::uint64_t WorkThread::add(std::function<void()> job) {
  std::uint64_t ticket = 0;
  {
    const std::scoped_lock lock(mutex_);
    rethrow_locked();
    jobs_.push_back(std::move(job));
    ticket = ++tickets_;
  }
  added_.notify_one();
  return ticket;
}

bool WorkThread::is_done(std::uint64_t ticket) const {
  const std::scoped_lock lock(mutex_);
  return done_ >= ticket;
}

void WorkThread::wait_for(std::uint64_t ticket) {
  std::unique_lock lock(mutex_);
  finished_.wait(lock, [&] { return done_ >= ticket || error_; });
  rethrow_locked();
}

void WorkThread::rethrow_error() const {
  const std::scoped_lock lock(mutex_);
  rethrow_locked();
}

void WorkThread::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    added_.wait(lock, [this] { return stopping_ || !jobs_.empty(); });
    if (jobs_.empty()) return;
    auto job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    std::exception_ptr error;
    try {
      job();
    } catch (...) {
      error = std::current_exception();
    }
    job = nullptr;  // frees its captures before others learn that it is done
    lock.lock();
    if (error) {
      error_ = std::move(error);
      jobs_.clear();
      finished_.notify_all();
      return;
    }
    ++done_;
    finished_.notify_all();
  }
}

}  // namespace lbm::tiling
