// SPDX-License-Identifier: Apache-2.0
#include "tiling/exchange/link_exchange.hpp"

#include <algorithm>

#include "solver/core/error.hpp"
#include "tiling/exchange/patience.hpp"

namespace lbm::tiling {

void LinkedEnd::start() {
  thread_ = std::jthread([this] { work(); });
}

void LinkedEnd::finish() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  wanted_.notify_all();
  thread_.join();
}

void LinkedEnd::stop_waiting(const std::string& why) {
  {
    const std::scoped_lock lock(mutex_);
    if (!error_) error_ = std::make_exception_ptr(ResourceError(why));
  }
  changed_.notify_all();
  wanted_.notify_all();
}

void LinkedEnd::add(long long& counter, int planes) {
  {
    const std::scoped_lock lock(mutex_);
    counter += planes;
  }
  wanted_.notify_all();
}

long long LinkedEnd::read(const long long& counter) {
  const std::scoped_lock lock(mutex_);
  return counter;
}

void LinkedEnd::set(long long& counter, long long value) {
  {
    const std::scoped_lock lock(mutex_);
    counter = value;
  }
  changed_.notify_all();
}

template <class Condition>
bool LinkedEnd::holds(const Condition& condition) {
  const std::scoped_lock lock(mutex_);
  if (error_) std::rethrow_exception(error_);
  return condition();
}

template <class Condition>
void LinkedEnd::wait(const Condition& condition) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return error_ || condition(); });
  if (error_) std::rethrow_exception(error_);
}

bool LinkedEnd::is_over() const {
  if (error_ && !link_->outlives_errors()) return true;
  return stopping_ && (error_ || !must_go_on());
}

void LinkedEnd::work() {
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

LinkSender::LinkSender(LinkRing ring, std::unique_ptr<PlaneLink> link)
    : LinkedEnd(std::move(ring), std::move(link)) {
  start();
}

bool LinkSender::can_fill(int planes) {
  return holds([&] { return filled_ + planes - gone_ <= ring_.planes; });
}

void LinkSender::wait_to_fill() {
  wait([this] { return filled_ + 1 - gone_ <= ring_.planes; });
}

bool LinkSender::move() {
  const long long full = read(full_);
  bool moved = false;
  for (; sent_ < full; ++sent_, moved = true) link_->send(ring_.plane(sent_));
  const long long done = link_->completed();
  if (done == done_) return moved;
  done_ = done;
  set(gone_, done);
  return true;
}

LinkReceiver::LinkReceiver(LinkRing ring, std::unique_ptr<PlaneLink> link)
    : LinkedEnd(std::move(ring), std::move(link)) {
  start();
}

bool LinkReceiver::has_arrived(int planes) {
  return holds([&] { return read_ + planes <= arrived_; });
}

void LinkReceiver::wait_to_arrive() {
  wait([this] { return read_ + 1 <= arrived_; });
}

// The number of planes that the end may have begun to receive.
long long LinkReceiver::may_begin(long long released) const {
  const long long room = released + ring_.planes;
  return link_->receives_early() ? room : std::min(room, announced_);
}

bool LinkReceiver::has_work() const { return begun_ < may_begin(released_); }

bool LinkReceiver::move() {
  const long long released = read(released_);
  bool moved = false;
  announced_ = link_->announced();
  for (; begun_ < may_begin(released); ++begun_, moved = true) link_->receive(ring_.plane(begun_));
  const long long done = link_->completed();
  if (done == done_) return moved;
  done_ = done;
  set(arrived_, done);
  return true;
}

}  // namespace lbm::tiling
