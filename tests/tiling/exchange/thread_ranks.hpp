// SPDX-License-Identifier: Apache-2.0

// Processes of a run as threads of one.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "solver/core/error.hpp"
#include "tests/tiling/exchange/local_exchange.hpp"
#include "tiling/exchange/ranks.hpp"

namespace lbm::tiling::test {

// Where they meet. Whoever waits for one that does not come gets a std::logic_error.
class Meeting {
 public:
  explicit Meeting(int size) : size_(static_cast<std::size_t>(size)) {}

  std::vector<std::byte> allgather(int rank, std::span<const std::byte> own) {
    std::unique_lock lock(mutex_);
    coming_.resize(size_ * own.size());
    std::copy(own.begin(), own.end(), coming_.begin() + rank * std::ssize(own));
    const long long round = round_;
    if (++arrived_ == size_) {
      arrived_ = 0;
      all_ = coming_;
      ++round_;
      changed_.notify_all();
    }
    if (!changed_.wait_for(lock, std::chrono::seconds(10), [&] { return round_ > round; })) {
      throw std::logic_error("a process did not come");
    }
    return all_;
  }

  // From the slab above `rank`; made by whoever asks first.
  PlaneQueue& queue_into(int rank, int planes, std::size_t bytes) {
    const std::scoped_lock lock(mutex_);
    queues_.resize(size_);
    auto& queue = queues_[static_cast<std::size_t>(rank)];
    if (!queue) queue = std::make_unique<PlaneQueue>(planes, bytes);
    return *queue;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::byte> coming_, all_;
  std::size_t size_, arrived_ = 0;
  long long round_ = 0;
  std::vector<std::unique_ptr<PlaneQueue>> queues_;
};

// One of them. Messages have no use yet.
class ThreadRanks : public Ranks {
 public:
  ThreadRanks(Meeting& meeting, int rank, int size) : meeting_(meeting), rank_(rank), size_(size) {}

  // What the ends of messages throw.
  std::string sender_error, receiver_error;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int local_rank() const override { return rank_; }
  int local_size() const override { return size_; }
  void send(int, int, std::span<const std::byte>) override { abort(1); }
  std::optional<Message> receive() override { return std::nullopt; }
  std::unique_ptr<PlaneSender> make_sender(Backend&, int to, std::size_t plane_bytes,
                                           int planes) override {
    if (!sender_error.empty()) throw ResourceError(sender_error);
    return std::make_unique<LocalSender>(meeting_.queue_into(to, planes, plane_bytes));
  }
  std::unique_ptr<PlaneReceiver> make_receiver(Backend&, int, std::size_t plane_bytes,
                                               int planes) override {
    if (!receiver_error.empty()) throw ResourceError(receiver_error);
    return std::make_unique<LocalReceiver>(meeting_.queue_into(rank_, planes, plane_bytes));
  }
  [[noreturn]] void abort(int) override { throw std::logic_error("not for tests"); }

 private:
  void allgather_bytes(std::span<const std::byte> own, std::span<std::byte> all) override {
    const auto gathered = meeting_.allgather(rank_, own);
    ASSERT_EQ(gathered.size(), all.size()) << "ranks call different collectives";
    std::copy(gathered.begin(), gathered.end(), all.begin());
  }

  Meeting& meeting_;
  int rank_, size_;
};

// Each does `work`, at the same time. What they threw, by rank; empty for nothing.
inline std::vector<std::string> in_threads(int size,
                                           const std::function<void(ThreadRanks& ranks)>& work) {
  Meeting meeting(size);
  std::vector<std::string> errors(static_cast<std::size_t>(size));
  std::vector<std::jthread> threads;
  threads.reserve(errors.size());
  for (int r = 0; r < size; ++r) {
    threads.emplace_back([&, r] {
      ThreadRanks ranks(meeting, r, size);
      try {
        work(ranks);
      } catch (const std::exception& error) {
        errors[static_cast<std::size_t>(r)] = error.what();
      }
    });
  }
  threads.clear();
  return errors;
}

}  // namespace lbm::tiling::test
