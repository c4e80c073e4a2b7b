// What a pipeline did when: slices of time of its three queues and of the host, for whoever wants
// to draw them. Plain data; no files here.
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
  check,        // Queue::update: looks for non-finite values in a plane
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
  std::uint64_t bytes = 0;    // moved; of an update: read and written on the device; 0: not told
  double begin = 0, end = 0;  // seconds since the trace began
};

// Takes slices as they become known: in order within a queue's activity, not across them. Never
// called by two threads at once, but not always by the same one.
class TraceSink {
 public:
  virtual ~TraceSink() = default;
  // Once, before any slice. alignment: host times may be this many seconds early against the
  // device's.
  virtual void on_start(double alignment) = 0;
  virtual void on_slice(const Slice& slice) = 0;
  // Whether further slices are of no use; then none are measured any more.
  virtual bool full() const = 0;
};

// Turns events and host times into seconds since one reference event, and gives slices to the sink.
// Any thread may call full, now and report_host; all else only the one that uses the backend.
class Tracer {
 public:
  // Both must outlive the tracer. Waits for the reference event on Queue::load.
  Tracer(Backend& backend, TraceSink& sink);

  Backend& backend() const { return backend_; }
  bool full() const;
  // The host's clock.
  double now() const;
  // Of the queue from begin to end; both must have happened.
  void report(Slice slice, Event& begin, Event& end);
  // Of the host, from `begin` (of now()) to now.
  void report_host(Slice slice, double begin);
  // Backends tell the time between two events in single precision: fine for a second, not for an
  // hour. So the event that times are measured from moves on: where the last one is long past,
  // `recent`, which must have happened, is exchanged for it.
  void move_on(std::unique_ptr<Event>& recent);

 private:
  double seconds_of(Event& event);
  void give(const Slice& slice);

  Backend& backend_;
  TraceSink& sink_;
  mutable std::mutex sink_mutex_;
  std::unique_ptr<Event> from_;  // times are measured from here
  double from_seconds_ = 0;      // its time
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
