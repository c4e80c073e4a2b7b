// SPDX-License-Identifier: Apache-2.0

// Halo planes on their way from a slab to the slab below it (schedule.hpp). At the start of each
// sweep a slab sends the first two planes of every level. They wait in a ring until the slab below
// needs them, at the end of its own sweep.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "tiling/schedule/exchange_kind.hpp"

namespace lbm::tiling {

struct ScheduleOptions;

// The sending end, towards the slab below. Planes have the bytes of the plane store and the order
// of Visit::halo_out. Called by the pipeline's thread. Waits throw ResourceError after stop() or if
// the connection has failed.
class PlaneSender {
 public:
  PlaneSender() = default;
  PlaneSender(const PlaneSender&) = delete;
  PlaneSender& operator=(const PlaneSender&) = delete;
  virtual ~PlaneSender() = default;

  // can_fill: the ring has room for `planes` more. wait_to_fill: waits for room for one.
  virtual bool can_fill(int planes) = 0;
  virtual void wait_to_fill() = 0;
  // Memory for the next plane, a valid target of Backend::copy_out; the ring owns it. send() hands
  // over the oldest `planes` planes, which must not be written any more.
  virtual std::byte* fill_next() = 0;
  virtual void send(int planes) = 0;

  // Ends all waits, now and later, with a ResourceError that says why. Any thread may call it.
  virtual void stop(const std::string& why) = 0;

  virtual std::size_t host_bytes() const = 0;
  virtual std::size_t device_bytes() const { return 0; }
};

// The receiving end, from the slab above.
class PlaneReceiver {
 public:
  PlaneReceiver() = default;
  PlaneReceiver(const PlaneReceiver&) = delete;
  PlaneReceiver& operator=(const PlaneReceiver&) = delete;
  virtual ~PlaneReceiver() = default;

  // has_arrived: `planes` more planes can be read. wait_to_arrive: waits for one.
  virtual bool has_arrived(int planes) = 0;
  virtual void wait_to_arrive() = 0;
  // The next plane, a valid source of Backend::copy_in. release() returns the oldest `planes`
  // planes to the ring; they must not be read any more.
  virtual const std::byte* read_next() = 0;
  virtual void release(int planes) = 0;

  virtual void stop(const std::string& why) = 0;

  virtual std::size_t host_bytes() const = 0;
  virtual std::size_t device_bytes() const { return 0; }
};

// Both ends of a rank.
struct PlaneExchange {
  std::unique_ptr<PlaneSender> down;
  std::unique_ptr<PlaneReceiver> up;

  void stop(const std::string& why) {
    down->stop(why);
    up->stop(why);
  }
  std::size_t host_bytes() const { return down->host_bytes() + up->host_bytes(); }
  std::size_t device_bytes() const { return down->device_bytes() + up->device_bytes(); }
};

// Planes of a ring in which a schedule need not wait for room: all halo planes of a sweep (sent at
// its start, needed at its end) and those that visits under way fill and read. slab_planes, here
// and below: of the thickest slab; slabs of less than half of it may have to wait.
int planes_in_ring(const ScheduleOptions& options, int slab_planes);
// Planes in the sender's own ring, where each end has one: messages, and links between devices.
int planes_to_send(const ScheduleOptions& options, int slab_planes);
// Planes of all rings of a rank in device memory, and in host memory. Thicker slabs need no more.
int ring_planes_on_device(ExchangeKind kind, const ScheduleOptions& options, int slab_planes);
int ring_planes_on_host(ExchangeKind kind, const ScheduleOptions& options, int slab_planes);

}  // namespace lbm::tiling
