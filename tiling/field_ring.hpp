// Output fields on their way from finished planes to whoever wants them: a few planes on the
// device, more of them in pinned host memory, and a thread that hands them out. The thread that
// feeds the device waits only where the host's planes are all taken.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "solver/backend/backend.hpp"
#include "tiling/trace.hpp"
#include "tiling/work_thread.hpp"

namespace lbm::tiling {

// Takes the fields of planes that were asked for by Sweep::emit, in the order in which they are
// finished; every plane of a sweep exactly once. Called by one thread, which is not the one that
// runs the pipeline; done when Pipeline::run returns, or with the pipeline. What a call throws ends
// the run: no further call comes, and Pipeline::run throws it.
class FieldSink {
 public:
  virtual ~FieldSink() = default;
  // A sweep begins whose planes will come with this step: time to make room for them. Planes of
  // earlier sweeps may still come after it.
  virtual void on_sweep([[maybe_unused]] std::int64_t step) {}
  // step: counted from the pipeline's first one. density [ny][nx], velocity [ny][nx][3], lattice
  // units; valid during the call.
  virtual void on_plane(std::int64_t step, int z, std::span<const float> density,
                        std::span<const float> velocity) = 0;
};

class FieldRing {
 public:
  // All must outlive the ring; tracer may be null. host_planes: of host_planes(). Throws
  // ResourceError.
  FieldRing(Backend& backend, FieldSink& sink, Tracer* tracer, const Lattice& lattice,
            std::size_t host_planes);
  // Hands out what was delivered, whatever the reason for the end.
  ~FieldRing();
  FieldRing(const FieldRing&) = delete;
  FieldRing& operator=(const FieldRing&) = delete;

  // All of these throw what the sink threw.
  // Tells the sink of a sweep.
  void begin(std::int64_t step, int sweep, int visit);
  // Computes the fields of a plane, of sweep number `sweep`, after all updates given so far, and
  // sends them to the host. Where the host has no free plane, waits for the oldest one to
  // be handed out.
  void push(const DeviceLattice& lattice, const PlaneState& plane, std::int64_t step, int sweep,
            int visit);
  // Gives, in order, what came from visits up to `visit` to the sink's thread; waits for the device
  // where it is not there yet, but not for the sink.
  void deliver(int visit);
  // Waits until the sink has all that was delivered.
  void finish();

  std::size_t device_bytes() const { return device_.size(); }
  std::size_t host_bytes() const { return host_.size(); }
  double sink_seconds() const { return sink_seconds_; }  // of its thread, at work
  double wait_seconds() const { return wait_seconds_; }  // of the caller, for that thread

  // What one plane's fields send over the link, and what the ring takes on the device.
  static std::size_t plane_bytes(const Lattice& lattice);
  static std::size_t device_bytes_needed(const Lattice& lattice);
  // Planes on the host, where `limit` bytes are allowed: enough that the device need not wait for a
  // sink that is as fast on average, never more than a whole field, never fewer than 8.
  static std::size_t host_planes(const Lattice& lattice, int planes_per_visit, std::uint64_t limit);

 private:
  struct Entry {  // a plane on the host
    std::unique_ptr<Event> computed, copied;
    std::unique_ptr<Event> compute_begin, copy_begin;  // with a tracer
    bool traced = false;
    std::int64_t step = 0;
    int sweep = 0, plane = 0, visit = 0;
    std::uint64_t ticket = 0;  // of the job that hands it out
  };
  Entry& entry(std::uint64_t push) { return entries_[push % entries_.size()]; }
  std::byte* host_plane(std::uint64_t push) const;
  void hand_out_oldest();
  void wait_for_copy(const Entry& entry);
  void wait_for_sink(std::uint64_t ticket, int visit, int sweep);
  void write(const Slice& slice, std::int64_t step, const float* fields, bool traced);
  Slice slice_of(const Entry& entry, Activity activity) const;
  bool traces() const { return tracer_ != nullptr && !tracer_->full(); }

  Backend& backend_;
  FieldSink& sink_;
  Tracer* tracer_;
  std::size_t cells_;
  Buffer device_, host_;
  std::vector<Entry> entries_;
  std::uint64_t pushed_ = 0, delivered_ = 0;  // planes, since the beginning
  std::uint64_t last_ticket_ = 0;
  std::atomic<double> sink_seconds_ = 0;  // written by the sink's thread alone
  double wait_seconds_ = 0;
  WorkThread thread_;  // last: its jobs use all above
};

}  // namespace lbm::tiling
