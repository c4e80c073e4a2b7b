// SPDX-License-Identifier: Apache-2.0

// Halo planes on their way from a slab to the one below it (schedule.hpp). At the start of each
// sweep a slab sends the first two planes of every level; the slab below needs them at the end of
// its own sweep. Between the two they wait in a ring of planes.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "tiling/schedule/exchange_kind.hpp"

namespace lbm::tiling {

struct ScheduleOptions;

// The sending end, towards the slab below. Planes are stored as in the plane store and sent in the
// order of Visit::halo_out. The pipeline's thread calls it; calls throw ResourceError when the
// neighbour is gone.
class PlaneSender {
 public:
  PlaneSender() = default;
  PlaneSender(const PlaneSender&) = delete;
  PlaneSender& operator=(const PlaneSender&) = delete;
  virtual ~PlaneSender() = default;

  // can_fill: whether the ring has room for `planes` more. wait_to_fill: waits for room for one.
  virtual bool can_fill(int planes) = 0;
  virtual void wait_to_fill() = 0;
  // Memory for the next plane, a valid target of Backend::copy_out. It must not be written after
  // send(planes), which hands over the oldest `planes` planes.
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

  // has_arrived: whether `planes` more planes can be read. wait_to_arrive: waits for one.
  virtual bool has_arrived(int planes) = 0;
  virtual void wait_to_arrive() = 0;
  // The next plane, a valid source of Backend::copy_in. It must not be read after release(planes),
  // which gives the oldest `planes` planes back to the ring.
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

// Planes in a ring, so many that waiting for room does not slow a schedule: all halo planes of a
// sweep (made at its start, needed at its end), and the planes that visits under way fill and read.
// slab_planes, here and below: of the thickest slab; slabs of less than half of it may wait.
int planes_in_ring(const ScheduleOptions& options, int slab_planes);
// Planes in the sender's own ring, where each end has one: messages, and links between devices.
int planes_to_send(const ScheduleOptions& options, int slab_planes);
// Planes of all rings in the memory of a rank's device, and in that of its host. No fewer than with
// thicker slabs.
int ring_planes_on_device(ExchangeKind kind, const ScheduleOptions& options, int slab_planes);
int ring_planes_on_host(ExchangeKind kind, const ScheduleOptions& options, int slab_planes);

}  // namespace lbm::tiling
