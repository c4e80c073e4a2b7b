#include "cases/fields/thread_team.hpp"

#include <algorithm>

namespace lbm::fields {

ThreadTeam::ThreadTeam(int threads) {
  for (int i = 1; i < threads; ++i) helpers_.emplace_back([this] { help(); });
}

ThreadTeam::~ThreadTeam() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  begin_.notify_all();
}

void ThreadTeam::work() {
  for (int i = next_++; i < count_; i = next_++) (*piece_)(i);
}

void ThreadTeam::help() {
  int seen = 0;
  std::unique_lock lock(mutex_);
  while (true) {
    begin_.wait(lock, [&] { return stopping_ || round_ != seen; });
    if (stopping_) return;
    seen = round_;
    lock.unlock();
    work();
    lock.lock();
    if (--busy_ == 0) end_.notify_one();
  }
}

void ThreadTeam::run(int count, const std::function<void(int)>& piece) {
  {
    const std::lock_guard lock(mutex_);
    piece_ = &piece;
    count_ = count;
    next_ = 0;
    busy_ = static_cast<int>(helpers_.size());
    ++round_;
  }
  begin_.notify_all();
  work();
  std::unique_lock lock(mutex_);
  end_.wait(lock, [&] { return busy_ == 0; });
}

int team_size() {
  const auto cores = static_cast<int>(std::thread::hardware_concurrency());
  return std::clamp(cores / 2, 1, 8);
}

}  // namespace lbm::fields
