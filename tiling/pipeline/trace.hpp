// SPDX-License-Identifier: Apache-2.0

// A timeline of a pipeline: slices of time of its three queues and of the host. Plain data; no
// files here.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "solver/backend/backend.hpp"

namespace lbm::tiling {

enum class Activity {
  load,         // Queue::load: planes to the device
  update,       // Queue::update: one launch
  check,        // Queue::update: samples the flow in a plane
  fields,       // Queue::update: density and velocity of a plane
  store,        // Queue::store: planes to the host
  copy_fields,  // Queue::store: density and velocity of a plane to the host
  open,         // the sink's thread: FieldSink::on_sweep
  write,        // the sink's thread: FieldSink::on_plane
  wait,         // the host waits for the device
  wait_writer,  // the host waits for the sink's thread
};

// `count` consecutive planes from first_plane on, modulo nz; waits and `open` have none.
struct Slice {
  Activity activity = Activity::load;
  int visit = 0;
  int sweep = -1;  // running number; -1: before the first one, or none
  int level = 0;   // reached by an update
  int first_plane = 0, count = 0;
  std::uint64_t bytes = 0;    // moved; by an update: read and written on the device; 0: unknown
  double begin = 0, end = 0;  // seconds since the trace began
};

// Takes slices as they become known: in order within one activity, not across activities. Calls
// come from several threads, but never two at once.
class TraceSink {
 public:
  virtual ~TraceSink() = default;
  // Called once, before any slice. alignment: the seconds by which host times may be early against
  // device times. zero: when the trace began, in seconds since 1970 by the clock of the host.
  virtual void on_start(double alignment, double zero) = 0;
  virtual void on_slice(const Slice& slice) = 0;
  // True if the sink wants no further slices. The tracer then measures no more.
  virtual bool full() const = 0;
};

// Turns events and host times into seconds since one reference event, and gives slices to the sink.
// Any thread may call full, now and report_host; only the thread that uses the backend the others.
class Tracer {
 public:
  // Both must outlive the tracer. Waits for the reference event on Queue::load.
  Tracer(Backend& backend, TraceSink& sink);

  Backend& backend() const { return backend_; }
  bool full() const;
  // Host time in seconds since the reference event.
  double now() const;
  // Reports work of a queue from begin to end; both events must have happened.
  void report(Slice slice, Event& begin, Event& end);
  // Reports work of the host from `begin`, a result of now(), until now.
  void report_host(Slice slice, double begin);
  // Exchanges the event that times are measured from for `recent`, which must have happened, when
  // it is long past: backends measure the time between two events in single precision, which does
  // for a second but not for an hour.
  void move_on(std::unique_ptr<Event>& recent);

 private:
  double seconds_of(Event& event);
  void give(const Slice& slice);

  Backend& backend_;
  TraceSink& sink_;
  mutable std::mutex sink_mutex_;
  std::unique_ptr<Event> from_;  // times are measured from here
  double from_seconds_ = 0;      // time of that event
  double host_zero_ = 0;         // host clock at the reference event
};

// The slices of one visit, which the device may still be busy with. Does nothing without a tracer.
// Keeps its events for the next visit.
class PendingSlices {
 public:
  // tracer: may be null, otherwise must outlive it. Planes are counted modulo nz.
  PendingSlices(Tracer* tracer, int nz) : tracer_(tracer), nz_(nz) {}

  // A visit begins: the calls below have an effect if the sink wants slices.
  void start() { active_ = tracer_ != nullptr && !tracer_->full(); }
  bool active() const { return active_; }
  // Work given to the queue from here on is `slice`, until end() or the next begin().
  void begin(Queue queue, const Slice& slice);
  // As begin(), but a slice whose planes follow those of the last one makes that one longer.
  void add(Queue queue, const Slice& slice);
  void end();
  // Reports all slices to the tracer; their work must be done.
  void report();

 private:
  struct Entry {
    Slice slice;
    Queue queue = Queue::load;
    std::unique_ptr<Event> begin, end;
  };
  bool continues(const Entry& last, const Slice& slice) const;

  Tracer* tracer_;
  int nz_;
  std::vector<Entry> entries_;
  std::size_t used_ = 0;
  bool active_ = false;
  bool open_ = false;  // the last one used has no end yet
};

}  // namespace lbm::tiling
