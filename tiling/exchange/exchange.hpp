// Planes on their way from a slab to the one below it (plan.hpp): at the start of each sweep the
// first two planes of every level, which that one needs at the end of its own. They wait in a ring
// of planes between the two.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace lbm::tiling {

struct ScheduleOptions;

// The way down. Planes as they are stored, in the order of Visit::halo_out. Called by the thread
// that runs the pipeline; calls throw ResourceError where the neighbour is gone.
class PlaneSender {
 public:
  PlaneSender() = default;
  PlaneSender(const PlaneSender&) = delete;
  PlaneSender& operator=(const PlaneSender&) = delete;
  virtual ~PlaneSender() = default;

  // Whether `planes` more can be filled at once; and waits until one more can be.
  virtual bool can_fill(int planes) = 0;
  virtual void wait_to_fill() = 0;
  // Memory for the next plane, fit for Backend::copy_out: may be filled until send() says that the
  // oldest `planes` of these are full.
  virtual std::byte* fill_next() = 0;
  virtual void send(int planes) = 0;

  // Any thread: whoever waits, now or later, gets a ResourceError that says why.
  virtual void stop(const std::string& why) = 0;

  virtual std::size_t host_bytes() const = 0;
  virtual std::size_t device_bytes() const { return 0; }
};

// And from above, likewise.
class PlaneReceiver {
 public:
  PlaneReceiver() = default;
  PlaneReceiver(const PlaneReceiver&) = delete;
  PlaneReceiver& operator=(const PlaneReceiver&) = delete;
  virtual ~PlaneReceiver() = default;

  // Whether `planes` more are there to be read; and waits until one more is.
  virtual bool has_arrived(int planes) = 0;
  virtual void wait_to_arrive() = 0;
  // The next plane, fit for Backend::copy_in: valid until release() says that the oldest `planes`
  // of these are not needed any more.
  virtual const std::byte* read_next() = 0;
  virtual void release(int planes) = 0;

  virtual void stop(const std::string& why) = 0;

  virtual std::size_t host_bytes() const = 0;
};

// Both of a process.
struct PlaneExchange {
  std::unique_ptr<PlaneSender> down;
  std::unique_ptr<PlaneReceiver> up;

  void stop(const std::string& why) {
    down->stop(why);
    up->stop(why);
  }
  std::size_t host_bytes() const { return down->host_bytes() + up->host_bytes(); }
  std::size_t device_bytes() const { return down->device_bytes(); }
};

// Planes of a ring that let slabs run apart as far as schedules can make use of: all halo planes of
// a sweep, which are made at its start and needed at its end, and what visits under way fill and
// read.
int planes_in_ring(const ScheduleOptions& options);
// And of a first one, from which they are sent on.
int planes_to_send(const ScheduleOptions& options);

}  // namespace lbm::tiling
