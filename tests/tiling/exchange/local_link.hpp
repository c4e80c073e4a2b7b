// SPDX-License-Identifier: Apache-2.0

// Connections between threads of one process, in the place of those between ranks.
#pragma once

#include <atomic>
#include <chrono>
#include <cstring>
#include <deque>
#include <mutex>
#include <thread>

#include "solver/backend/backend.hpp"
#include "solver/core/error.hpp"
#include "tiling/exchange/ranks.hpp"

namespace lbm::tiling::test {

// Pairs what one end sends with what the other end receives, in order, and copies it.
class LocalChannel {
 public:
  void send(const std::byte* from) {
    const std::scoped_lock lock(mutex_);
    sent_.push_back(from);
    ++announced_;
  }
  void receive(std::byte* to, std::size_t bytes) {
    const std::scoped_lock lock(mutex_);
    received_.push_back({to, bytes});
    most_waiting_ = std::max(most_waiting_, received_.size());
  }
  // A broken channel copies nothing more, and its ends throw.
  void break_off() {
    const std::scoped_lock lock(mutex_);
    broken_ = true;
  }
  long long copied() {
    const std::scoped_lock lock(mutex_);
    if (broken_) throw ResourceError("the connection is broken");
    for (; !sent_.empty() && !received_.empty(); sent_.pop_front(), received_.pop_front()) {
      std::memcpy(received_.front().to, sent_.front(), received_.front().bytes);
      ++copied_;
    }
    return copied_;
  }
  long long announced() {
    const std::scoped_lock lock(mutex_);
    return announced_;
  }
  // Receives that waited for their plane at the same time.
  std::size_t most_waiting() {
    const std::scoped_lock lock(mutex_);
    return most_waiting_;
  }
  void withdraw() {
    const std::scoped_lock lock(mutex_);
    received_.clear();
  }

 private:
  struct Target {
    std::byte* to;
    std::size_t bytes;
  };
  std::mutex mutex_;
  std::deque<const std::byte*> sent_;
  std::deque<Target> received_;
  std::size_t most_waiting_ = 0;
  long long announced_ = 0, copied_ = 0;
  bool broken_ = false;
};

// As MPI messages do it. nap: the time that each plane takes.
class LocalLink final : public PlaneLink {
 public:
  LocalLink(LocalChannel& channel, std::size_t plane_bytes, std::chrono::microseconds nap = {})
      : channel_(channel), plane_bytes_(plane_bytes), nap_(nap) {}

  void send(const std::byte* plane) override {
    std::this_thread::sleep_for(nap_);
    channel_.send(plane);
  }
  void receive(std::byte* plane) override { channel_.receive(plane, plane_bytes_); }
  long long completed() override { return channel_.copied(); }
  long long announced() override { return channel_.announced(); }
  bool sends_messages() const override { return true; }
  void cancel() override { channel_.withdraw(); }

 private:
  LocalChannel& channel_;
  std::size_t plane_bytes_;
  std::chrono::microseconds nap_;
};

// As a GPU does it.
class LocalDeviceLink final : public DeviceLink {
 public:
  explicit LocalDeviceLink(LocalChannel& channel) : channel_(channel) {}

  void send(const std::byte* device, std::size_t) override { channel_.send(device); }
  void receive(std::byte* device, std::size_t bytes) override { channel_.receive(device, bytes); }
  std::int64_t completed() override { return channel_.copied(); }

 private:
  LocalChannel& channel_;
};

using LocalCount = std::atomic<long long>;

class LocalAnnouncements final : public Announcements {
 public:
  explicit LocalAnnouncements(LocalCount& count) : count_(count) {}
  void announce() override { ++count_; }
  long long heard() override { return count_; }

 private:
  LocalCount& count_;
};

}  // namespace lbm::tiling::test
