// SPDX-License-Identifier: Apache-2.0

// Slabs of one process: planes go from thread to thread.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "solver/core/error.hpp"
#include "tiling/exchange/exchange.hpp"

namespace lbm::tiling::test {

// A bounded queue of planes between two neighbours.
class PlaneQueue {
 public:
  PlaneQueue(int planes, std::size_t bytes)
      : planes_(planes), bytes_(bytes), memory_(static_cast<std::size_t>(planes) * bytes) {}

  std::byte* at(long long i) {
    return memory_.data() + static_cast<std::size_t>(i % planes_) * bytes_;
  }
  std::size_t bytes() const { return memory_.size(); }
  void send(int planes) {
    change([&] { sent_ += planes; });
  }
  void release(int planes) {
    change([&] { released_ += planes; });
  }
  // The others shall not wait for ever.
  void close() {
    change([&] { closed_ = true; });
  }
  bool has_room(long long upto) {
    const std::scoped_lock lock(mutex_);
    return upto - released_ <= planes_;
  }
  bool has_planes(long long upto) {
    const std::scoped_lock lock(mutex_);
    return upto <= sent_;
  }
  void wait_for_room(long long upto) {
    wait([&] { return upto - released_ <= planes_; });
  }
  void wait_for_planes(long long upto) {
    wait([&] { return upto <= sent_; });
  }

 private:
  template <class Change>
  void change(const Change& change) {
    {
      const std::scoped_lock lock(mutex_);
      change();
    }
    changed_.notify_all();
  }
  template <class Condition>
  void wait(const Condition& condition) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return closed_ || condition(); });
    if (!condition()) throw ResourceError("the neighbour has stopped");
  }

  int planes_;
  std::size_t bytes_;
  std::vector<std::byte> memory_;
  std::mutex mutex_;
  std::condition_variable changed_;
  long long sent_ = 0, released_ = 0;
  bool closed_ = false;
};

class LocalSender final : public PlaneSender {
 public:
  explicit LocalSender(PlaneQueue& below) : below_(below) {}
  ~LocalSender() override { below_.close(); }

  bool can_fill(int planes) override { return below_.has_room(filled_ + planes); }
  void wait_to_fill() override { below_.wait_for_room(filled_ + 1); }
  std::byte* fill_next() override { return below_.at(filled_++); }
  void send(int planes) override { below_.send(planes); }
  void stop(const std::string&) override { below_.close(); }
  std::size_t host_bytes() const override { return below_.bytes(); }

 private:
  PlaneQueue& below_;
  long long filled_ = 0;
};

class LocalReceiver final : public PlaneReceiver {
 public:
  explicit LocalReceiver(PlaneQueue& above) : above_(above) {}
  ~LocalReceiver() override { above_.close(); }

  bool has_arrived(int planes) override { return above_.has_planes(read_ + planes); }
  void wait_to_arrive() override { above_.wait_for_planes(read_ + 1); }
  const std::byte* read_next() override { return above_.at(read_++); }
  void release(int planes) override { above_.release(planes); }
  void stop(const std::string&) override { above_.close(); }
  std::size_t host_bytes() const override { return 0; }

 private:
  PlaneQueue& above_;
  long long read_ = 0;
};

inline PlaneExchange local_exchange(PlaneQueue& above, PlaneQueue& below) {
  return {std::make_unique<LocalSender>(below), std::make_unique<LocalReceiver>(above)};
}

}  // namespace lbm::tiling::test
