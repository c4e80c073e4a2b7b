// SPDX-License-Identifier: Apache-2.0

// Halo planes through a PlaneLink: between hosts, and between ranks of one host that cannot share
// memory.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "solver/backend/backend.hpp"
#include "solver/core/error.hpp"
#include "solver/core/host_memory.hpp"
#include "tiling/exchange/exchange.hpp"
#include "tiling/exchange/ranks.hpp"

namespace lbm::tiling {

// A ring of planes, which owns its memory. The device copies to or from it; the link reads or
// writes.
struct LinkRing {
  Buffer memory;
  std::size_t plane_bytes = 0;
  int planes = 0;
  bool on_device = false;

  std::byte* plane(long long i) {
    return memory.data() + static_cast<std::size_t>(i % planes) * plane_bytes;
  }
};

// A ring, and a thread that calls the link, so that the pipeline's thread need not wait for it.
// End: PlaneSender or PlaneReceiver.
template <class End>
class LinkedEnd : public End {
 public:
  void stop(const std::string& why) override {
    {
      const std::scoped_lock lock(mutex_);
      if (!error_) error_ = std::make_exception_ptr(ResourceError(why));
    }
    changed_.notify_all();
    wanted_.notify_all();
  }

  std::size_t host_bytes() const override { return ring_.on_device ? 0 : ring_.memory.size(); }
  std::size_t device_bytes() const override { return ring_.on_device ? ring_.memory.size() : 0; }

 protected:
  LinkedEnd(LinkRing ring, std::unique_ptr<PlaneLink> link)
      : ring_(std::move(ring)), link_(std::move(link)) {}

  void start() {
    thread_ = std::jthread([this] { work(); });
  }

  // ends the thread; derived destructors call it first
  void finish() {
    {
      const std::scoped_lock lock(mutex_);
      stopping_ = true;
    }
    wanted_.notify_all();
    thread_.join();
  }

  // locks, and wakes the thread
  void add(long long& counter, int planes) {
    {
      const std::scoped_lock lock(mutex_);
      counter += planes;
    }
    wanted_.notify_all();
  }

  template <class Condition>
  bool holds(const Condition& condition) {
    const std::scoped_lock lock(mutex_);
    if (error_) std::rethrow_exception(error_);
    return condition();
  }

  template <class Condition>
  void wait(const Condition& condition) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return error_ || condition(); });
    if (error_) std::rethrow_exception(error_);
  }

  // locks
  long long read(const long long& counter) {
    const std::scoped_lock lock(mutex_);
    return counter;
  }

  // locks; wakes wait()
  void set(long long& counter, long long value) {
    {
      const std::scoped_lock lock(mutex_);
      counter = value;
    }
    changed_.notify_all();
  }

  // Called by the thread. move(): begins and completes all possible transfers; false: none.
  // is_busy(): the link must be polled without naps. With the lock held: has_work(): transfers can
  // begin; must_go_on(): destruction waits for transfers.
  virtual bool move() = 0;
  virtual bool is_busy() const = 0;
  virtual bool has_work() const = 0;
  virtual bool must_go_on() const = 0;

  LinkRing ring_;
  std::unique_ptr<PlaneLink> link_;  // destroyed before the ring, which it may still use

 private:
  void work() {
    Patience patience;
    try {
      while (true) {
        if (move()) {
          patience.something();
          continue;
        }
        // Where ranks cannot read each other's memory, MPI moves planes in many small pieces, and
        // only while both ranks call it: no naps then.
        if (is_busy()) {
          std::this_thread::yield();
          continue;
        }
        std::unique_lock lock(mutex_);
        if (is_over()) break;
        if (has_work()) continue;
        wanted_.wait_for(lock, patience.nap());
        patience.nothing();
      }
      link_->cancel();
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      if (!error_) error_ = std::current_exception();
    }
    changed_.notify_all();
  }

  // With the lock held.
  bool is_over() const {
    if (error_ && !link_->sends_messages()) return true;
    return stopping_ && (error_ || !must_go_on());
  }

  std::mutex mutex_;
  std::condition_variable changed_, wanted_;
  bool stopping_ = false;
  std::exception_ptr error_;
  std::jthread thread_;
};

class LinkSender final : public LinkedEnd<PlaneSender> {
 public:
  LinkSender(LinkRing ring, std::unique_ptr<PlaneLink> link)
      : LinkedEnd(std::move(ring), std::move(link)) {
    start();
  }

  // Waits until all planes of send() are transferred, unless it was stopped or has failed.
  ~LinkSender() override { finish(); }

  bool can_fill(int planes) override {
    return holds([&] { return filled_ + planes - gone_ <= ring_.planes; });
  }

  void wait_to_fill() override {
    wait([this] { return filled_ + 1 - gone_ <= ring_.planes; });
  }

  std::byte* fill_next() override { return ring_.plane(filled_++); }
  void send(int planes) override { add(full_, planes); }

 private:
  bool move() override {
    const long long full = read(full_);
    bool moved = false;
    for (; sent_ < full; ++sent_, moved = true) link_->send(ring_.plane(sent_));
    const long long done = link_->completed();
    if (done == done_) return moved;
    done_ = done;
    set(gone_, done);
    return true;
  }

  bool is_busy() const override { return sent_ > done_ && link_->sends_messages(); }
  bool has_work() const override { return full_ > sent_; }
  bool must_go_on() const override { return gone_ < full_; }

  long long filled_ = 0;           // the pipeline's thread only
  long long full_ = 0, gone_ = 0;  // with the lock; gone_: transferred, room for new planes
  long long sent_ = 0, done_ = 0;  // the end's own thread only
};

class LinkReceiver final : public LinkedEnd<PlaneReceiver> {
 public:
  LinkReceiver(LinkRing ring, std::unique_ptr<PlaneLink> link)
      : LinkedEnd(std::move(ring), std::move(link)) {
    start();
  }

  ~LinkReceiver() override { finish(); }

  bool has_arrived(int planes) override {
    return holds([&] { return read_ + planes <= arrived_; });
  }

  void wait_to_arrive() override {
    wait([this] { return read_ + 1 <= arrived_; });
  }

  const std::byte* read_next() override { return ring_.plane(read_++); }
  void release(int planes) override { add(released_, planes); }

 private:
  bool move() override {
    const long long released = read(released_);
    bool moved = false;
    announced_ = link_->announced();
    for (; begun_ < may_begin(released); ++begun_, moved = true)
      link_->receive(ring_.plane(begun_));
    const long long done = link_->completed();
    if (done == done_) return moved;
    done_ = done;
    set(arrived_, done);
    return true;
  }

  bool is_busy() const override { return announced_ > done_ && link_->sends_messages(); }
  bool has_work() const override { return begun_ < may_begin(released_); }
  bool must_go_on() const override { return false; }
  // The number of planes that the end may have begun to receive.
  long long may_begin(long long released) const {
    const long long room = released + ring_.planes;
    return link_->sends_messages() ? room : std::min(room, announced_);
  }

  long long read_ = 0;                    // the pipeline's thread only
  long long arrived_ = 0, released_ = 0;  // with the lock
  // The end's own thread only: planes whose receive has begun, has completed; that were announced.
  long long begun_ = 0, done_ = 0, announced_ = 0;
};

// A PlaneLink between the memories of two devices. A receive that waits for its partner occupies
// the device, so receives begin when the plane is announced.
class DevicePlaneLink final : public PlaneLink {
 public:
  DevicePlaneLink(std::unique_ptr<DeviceLink> device, std::unique_ptr<Announcements> announcements,
                  std::size_t plane_bytes)
      : device_(std::move(device)),
        announcements_(std::move(announcements)),
        plane_bytes_(plane_bytes) {}

  // Announced first: the call may wait until the other end receives.
  void send(const std::byte* plane) override {
    announcements_->announce();
    device_->send(plane, plane_bytes_);
  }
  void receive(std::byte* plane) override { device_->receive(plane, plane_bytes_); }
  long long completed() override { return device_->completed(); }
  long long announced() override { return announcements_->heard(); }
  bool sends_messages() const override { return false; }
  void cancel() override {
    announcements_->cancel();
    device_.reset();
  }

 private:
  std::unique_ptr<DeviceLink> device_;
  std::unique_ptr<Announcements> announcements_;
  std::size_t plane_bytes_;
};

}  // namespace lbm::tiling
