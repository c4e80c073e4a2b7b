// SPDX-License-Identifier: Apache-2.0

// Halo planes through a PlaneLink: between hosts, and between ranks of one host that cannot share
// memory.
#pragma once

#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "solver/core/host_memory.hpp"
#include "tiling/exchange/exchange.hpp"
#include "tiling/exchange/plane_link.hpp"

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
  std::size_t host_bytes() const { return on_device ? 0 : memory.size(); }
  std::size_t device_bytes() const { return on_device ? memory.size() : 0; }
};

// A ring, and a thread that calls the link, so that the pipeline's thread need not wait for it.
class LinkedEnd {
 public:
  LinkedEnd(const LinkedEnd&) = delete;
  LinkedEnd& operator=(const LinkedEnd&) = delete;

 protected:
  LinkedEnd(LinkRing ring, std::unique_ptr<PlaneLink> link)
      : ring_(std::move(ring)), link_(std::move(link)) {}
  ~LinkedEnd() = default;

  void start();
  void finish();  // ends the thread; derived destructors call it first

  void stop_waiting(const std::string& why);
  void add(long long& counter, int planes);  // locks, and wakes the thread
  template <class Condition>
  bool holds(const Condition& condition);
  template <class Condition>
  void wait(const Condition& condition);
  long long read(const long long& counter);       // locks
  void set(long long& counter, long long value);  // locks; wakes wait()

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
  void work();
  bool is_over() const;  // with the lock held

  std::mutex mutex_;
  std::condition_variable changed_, wanted_;
  bool stopping_ = false;
  std::exception_ptr error_;
  std::jthread thread_;
};

class LinkSender final : public PlaneSender, private LinkedEnd {
 public:
  LinkSender(LinkRing ring, std::unique_ptr<PlaneLink> link);
  // Waits until all planes of send() are transferred, unless it was stopped or has failed.
  ~LinkSender() override { finish(); }

  bool can_fill(int planes) override;
  void wait_to_fill() override;
  std::byte* fill_next() override { return ring_.plane(filled_++); }
  void send(int planes) override { add(full_, planes); }
  void stop(const std::string& why) override { stop_waiting(why); }
  std::size_t host_bytes() const override { return ring_.host_bytes(); }
  std::size_t device_bytes() const override { return ring_.device_bytes(); }

 private:
  bool move() override;
  bool is_busy() const override { return sent_ > done_ && link_->needs_polling(); }
  bool has_work() const override { return full_ > sent_; }
  bool must_go_on() const override { return gone_ < full_; }

  long long filled_ = 0;           // the pipeline's thread only
  long long full_ = 0, gone_ = 0;  // with the lock; gone_: transferred, room for new planes
  long long sent_ = 0, done_ = 0;  // the end's own thread only
};

class LinkReceiver final : public PlaneReceiver, private LinkedEnd {
 public:
  LinkReceiver(LinkRing ring, std::unique_ptr<PlaneLink> link);
  ~LinkReceiver() override { finish(); }

  bool has_arrived(int planes) override;
  void wait_to_arrive() override;
  const std::byte* read_next() override { return ring_.plane(read_++); }
  void release(int planes) override { add(released_, planes); }
  void stop(const std::string& why) override { stop_waiting(why); }
  std::size_t host_bytes() const override { return ring_.host_bytes(); }
  std::size_t device_bytes() const override { return ring_.device_bytes(); }

 private:
  bool move() override;
  bool is_busy() const override { return announced_ > done_ && link_->needs_polling(); }
  bool has_work() const override;
  bool must_go_on() const override { return false; }
  long long may_begin(long long released) const;

  long long read_ = 0;                    // the pipeline's thread only
  long long arrived_ = 0, released_ = 0;  // with the lock
  // The end's own thread only: planes whose receive has begun, has completed; that were announced.
  long long begun_ = 0, done_ = 0, announced_ = 0;
};

}  // namespace lbm::tiling
