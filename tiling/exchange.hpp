// Planes on their way from a slab to the one below it (plan.hpp): at the start of each sweep the
// first two planes of every level, which that one needs at the end of its own.
#pragma once

#include <cstddef>
#include <string>

namespace lbm::tiling {

// What of the grid a process has, and its neighbours. Planes as they are stored, in the order of
// Visit::edges_out. Called by the thread that runs the pipeline; calls throw ResourceError where
// the neighbour is gone.
class PlaneExchange {
 public:
  virtual ~PlaneExchange() = default;

  // Whether `planes` more can be filled, or are there to be read, at once; and waits until one more
  // can be or is.
  virtual bool can_fill(int planes) = 0;
  virtual void wait_to_fill() = 0;
  virtual bool has_arrived(int planes) = 0;
  virtual void wait_to_arrive() = 0;

  // Memory for the next plane that goes down, fit for asynchronous copies: may be filled until
  // send() says that the oldest `planes` of these are full.
  virtual std::byte* fill_next() = 0;
  virtual void send(int planes) = 0;

  // The next plane from above, valid until release() says that the oldest `planes` of these are not
  // needed any more.
  virtual const std::byte* read_next() = 0;
  virtual void release(int planes) = 0;

  // Any thread: whoever waits, now or later, gets a ResourceError that says why.
  virtual void stop(const std::string& why) = 0;

  virtual std::size_t host_bytes() const = 0;
};

// Planes of room on each side that let slabs run apart as far as schedules can make use of: on the
// way down, and from above.
int planes_to_fill(int planes_per_visit);
int planes_to_arrive(int steps_per_visit, int planes_per_visit);

// Part of a grid; planes 0: all of it, and no exchange.
struct SlabShare {
  int first = 0, planes = 0;
  PlaneExchange* exchange = nullptr;  // must outlive the pipeline
};

}  // namespace lbm::tiling
