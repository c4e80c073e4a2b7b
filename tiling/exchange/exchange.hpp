// SPDX-License-Identifier: Apache-2.0

// Halo planes on their way from a slab to the slab below it (schedule.hpp). At the start of each
// sweep a slab sends the first two planes of every level. They wait in a ring until the slab below
// needs them, at the end of its own sweep.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "solver/backend/backend.hpp"
#include "tiling/exchange/ranks.hpp"
#include "tiling/schedule/schedule.hpp"

namespace lbm::tiling {

// Planes have the bytes of the plane store and the order of Visit::halo_out. Called by the
// pipeline's thread. Waits throw ResourceError after stop() or if the connection has failed.
class PlaneEnd {
 public:
  PlaneEnd() = default;
  PlaneEnd(const PlaneEnd&) = delete;
  PlaneEnd& operator=(const PlaneEnd&) = delete;
  virtual ~PlaneEnd() = default;

  // Ends all waits, now and later, with a ResourceError that says why. Any thread may call it.
  virtual void stop(const std::string& why) = 0;

  virtual std::size_t host_bytes() const = 0;
  virtual std::size_t device_bytes() const { return 0; }
};

// The sending end, towards the slab below.
class PlaneSender : public PlaneEnd {
 public:
  // can_fill: the ring has room for `planes` more. wait_to_fill: waits for room for one.
  virtual bool can_fill(int planes) = 0;
  virtual void wait_to_fill() = 0;
  // Memory for the next plane, a valid target of Backend::copy_out; the ring owns it. send() hands
  // over the oldest `planes` planes, which must not be written any more.
  virtual std::byte* fill_next() = 0;
  virtual void send(int planes) = 0;
};

// The receiving end, from the slab above.
class PlaneReceiver : public PlaneEnd {
 public:
  // has_arrived: `planes` more planes can be read. wait_to_arrive: waits for one.
  virtual bool has_arrived(int planes) = 0;
  virtual void wait_to_arrive() = 0;
  // The next plane, a valid source of Backend::copy_in. release() returns the oldest `planes`
  // planes to the ring; they must not be read any more.
  virtual const std::byte* read_next() = 0;
  virtual void release(int planes) = 0;
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

// Haloed tiles send all halo planes of a sweep in one visit. A visit of other schemes sends at most
// as many as it loads or makes, of one sweep or two.
inline int most_halo_planes_of_visit(const ScheduleOptions& options) {
  const int of_sweep = 2 * options.steps_per_visit;
  if (options.scheme == Scheme::halo) return of_sweep;
  return std::min(2 * of_sweep, 2 * options.planes_per_visit);
}

// slab_planes, here and below: of the thickest slab; slabs of less than half of it may have to wait
// for room. Planes in the sender's own ring, where each end has one (messages, and links between
// devices): at most the halo planes of the sweeps that visits under way may belong to.
inline int planes_to_send(const ScheduleOptions& options, int slab_planes) {
  const int visits = options.scheme == Scheme::halo ? 2 : store_lag + 3;
  const int visits_of_sweep = std::max(1, slab_planes / 2 / options.planes_per_visit);
  const int sweeps = (visits + visits_of_sweep - 1) / visits_of_sweep + 1;
  return std::min(visits * most_halo_planes_of_visit(options),
                  sweeps * 2 * options.steps_per_visit);
}

// Planes of a ring in which a schedule need not wait for room: all halo planes of a sweep (sent at
// its start, needed at its end) and those that visits under way fill and read.
inline int planes_in_ring(const ScheduleOptions& options, int slab_planes) {
  return 2 * options.steps_per_visit + planes_to_send(options, slab_planes);
}

// Planes of all rings of a rank in device memory, and in host memory. Thicker slabs need no more.
inline int ring_planes_on_device(ExchangeKind kind, const ScheduleOptions& options,
                                 int slab_planes) {
  const int in_ring = planes_in_ring(options, slab_planes);
  if (kind == ExchangeKind::device) return in_ring;
  return kind == ExchangeKind::nccl ? planes_to_send(options, slab_planes) + in_ring : 0;
}

inline int ring_planes_on_host(ExchangeKind kind, const ScheduleOptions& options, int slab_planes) {
  const int in_ring = planes_in_ring(options, slab_planes);
  if (kind == ExchangeKind::host) return in_ring;
  return kind == ExchangeKind::mpi ? planes_to_send(options, slab_planes) + in_ring : 0;
}

struct ExchangeRequest {
  std::size_t plane_bytes = 0;
  ScheduleOptions options;           // the same on all ranks
  int slab_planes = 1;               // of the thickest slab
  std::optional<ExchangeKind> kind;  // empty: for each pair the first kind that works
  bool room_on_device = true;        // true: this rank's device has room for the ring
};

struct Exchange {
  PlaneExchange ends;
  ExchangeKind down = ExchangeKind::mpi;  // to the rank below
  double bytes_per_second = 0;            // from the rank above; 0: not measured
};

// Connects each rank with the rank below it, rank 0 with the last. Collective. The backend and the
// ranks must outlive the result. Throws ResourceError on all ranks if a pair cannot be connected.
Exchange make_exchange(Ranks& ranks, Backend& backend, const ExchangeRequest& request);

}  // namespace lbm::tiling
