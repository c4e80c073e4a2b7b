// SPDX-License-Identifier: Apache-2.0

// Processes of a run as threads of one.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "solver/core/error.hpp"
#include "tests/tiling/exchange/local_link.hpp"
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

  // The channel and the counter from one rank to another. The first call makes them.
  LocalChannel& channel(int from, int to) { return made(channels_, from, to); }
  LocalCount& count(int from, int to) { return made(counts_, from, to); }

 private:
  template <class T>
  T& made(std::map<std::pair<int, int>, T>& all, int from, int to) {
    const std::scoped_lock lock(mutex_);
    return all[{from, to}];
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::byte> coming_, all_;
  std::size_t size_, arrived_ = 0;
  long long round_ = 0;
  std::map<std::pair<int, int>, LocalChannel> channels_;
  std::map<std::pair<int, int>, LocalCount> counts_;
};

// One of them. Messages have no use yet.
class ThreadRanks : public Ranks {
 public:
  ThreadRanks(Meeting& meeting, int rank, int size) : meeting_(meeting), rank_(rank), size_(size) {}

  // Message of the ResourceError that link_to(), link_from() throw (empty: none); time of a plane.
  std::string sender_error, receiver_error;
  std::chrono::microseconds plane_nap{0};

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int local_rank() const override { return rank_; }
  int local_size() const override { return size_; }
  void send(int, int, std::span<const std::byte>) override { abort(1); }
  std::optional<Message> receive() override { return std::nullopt; }
  std::unique_ptr<PlaneLink> link_to(int to, std::size_t plane_bytes) override {
    if (!sender_error.empty()) throw ResourceError(sender_error);
    return std::make_unique<LocalLink>(meeting_.channel(rank_, to), plane_bytes, plane_nap);
  }
  std::unique_ptr<PlaneLink> link_from(int from, std::size_t plane_bytes) override {
    if (!receiver_error.empty()) throw ResourceError(receiver_error);
    return std::make_unique<LocalLink>(meeting_.channel(from, rank_), plane_bytes, plane_nap);
  }
  std::unique_ptr<Announcements> announcements_to(int to) override {
    return std::make_unique<LocalAnnouncements>(meeting_.count(rank_, to));
  }
  std::unique_ptr<Announcements> announcements_from(int from) override {
    return std::make_unique<LocalAnnouncements>(meeting_.count(from, rank_));
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

// Runs `work` for all ranks at the same time. Returns the error message of each; empty: none.
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
