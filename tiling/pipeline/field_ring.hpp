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
#include "tiling/pipeline/trace.hpp"
#include "tiling/pipeline/work_thread.hpp"
#include "tiling/store/field_box.hpp"

namespace lbm::tiling {

// Takes the fields of planes that were asked for by Sweep::emit, in the order in which they are
// finished; every plane of a box exactly once. Called by one thread, which is not the one that
// runs the pipeline; done when Pipeline::run returns, or with the pipeline. What a call throws ends
// the run: no further call comes, and Pipeline::run throws it.
class FieldSink {
 public:
  virtual ~FieldSink() = default;
  // The boxes that are wanted after that step, none larger than most_plane_cells(); empty: the
  // whole grid, as one box. Called by the thread that runs the pipeline.
  virtual std::vector<FieldBox> boxes([[maybe_unused]] std::int64_t step) const { return {}; }
  // Cells in a plane of the largest box of any step.
  virtual std::int64_t most_plane_cells(const Lattice& lattice) const {
    return lattice.layout.cells();
  }
  // A sweep begins whose planes will come with this step: time to make room for them. Planes of
  // earlier sweeps may still come after it.
  virtual void on_sweep([[maybe_unused]] std::int64_t step) {}
  // Plane z of the box of that number; step: counted from the pipeline's first one. density
  // [ny][nx], velocity [ny][nx][3] of its cells, lattice units; valid during the call.
  virtual void on_plane(std::int64_t step, int box, int z, std::span<const float> density,
                        std::span<const float> velocity) = 0;
};

class FieldRing {
 public:
  // All must outlive the ring; tracer may be null. cells: of a plane of the largest box.
  // host_planes: of host_planes(). Throws ResourceError.
  FieldRing(Backend& backend, FieldSink& sink, Tracer* tracer, std::int64_t cells,
            std::size_t host_planes);
  // Hands out what was delivered, whatever the reason for the end.
  ~FieldRing();
  FieldRing(const FieldRing&) = delete;
  FieldRing& operator=(const FieldRing&) = delete;

  // All of these throw what the sink threw.
  // What the sink wants after that step.
  std::vector<FieldBox> boxes(std::int64_t step) const { return sink_.boxes(step); }
  // Tells the sink of a sweep.
  void begin(std::int64_t step, int sweep, int visit);
  // Whether so many planes can be pushed without waiting for the sink.
  bool has_room(std::size_t planes);
  // Computes the fields of a plane of a box, of sweep number `sweep`, after all updates given so
  // far, and sends them to the host. Where the host has no free plane, waits for the oldest one to
  // be handed out.
  void push(const DeviceLattice& lattice, const PlaneState& plane, const FieldBox& box,
            int box_number, std::int64_t step, int sweep, int visit);
  // Gives, in order, what came from visits up to `visit` to the sink's thread; waits for the device
  // where it is not there yet, but not for the sink.
  void deliver(int visit);
  // Waits until the sink has all that was delivered.
  void finish();

  std::size_t device_bytes() const { return device_.size(); }
  std::size_t host_bytes() const { return host_.size(); }
  double sink_seconds() const { return sink_seconds_; }  // of its thread, at work
  double wait_seconds() const { return wait_seconds_; }  // of the caller, for that thread

  // What the fields of so many cells send over the link, and what a ring for planes of so many
  // takes on the device.
  static std::size_t plane_bytes(std::int64_t cells);
  static std::size_t device_bytes_needed(std::int64_t cells);
  // Planes on the host, where `limit` bytes are allowed: enough that the device need not wait for a
  // sink that is as fast on average, never more than nz, never fewer than 8.
  static std::size_t host_planes(std::int64_t cells, int nz, int planes_per_visit,
                                 std::uint64_t limit);

 private:
  struct Entry {  // a plane on the host
    std::unique_ptr<Event> computed, copied;
    std::unique_ptr<Event> compute_begin, copy_begin;  // with a tracer
    bool traced = false;
    std::int64_t step = 0;
    int box = 0;
    std::size_t cells = 0;
    int sweep = 0, plane = 0, visit = 0;
    std::uint64_t ticket = 0;  // of the job that hands it out
  };
  Entry& entry(std::uint64_t push) { return entries_[push % entries_.size()]; }
  std::byte* host_plane(std::uint64_t push) const;
  void hand_out_oldest();
  void wait_for_copy(const Entry& entry);
  void wait_for_sink(std::uint64_t ticket, int visit, int sweep);
  void write(const Entry& entry, const float* fields);
  Slice slice_of(const Entry& entry, Activity activity) const;
  bool traces() const { return tracer_ != nullptr && !tracer_->full(); }

  Backend& backend_;
  FieldSink& sink_;
  Tracer* tracer_;
  Buffer device_, host_;
  std::vector<Entry> entries_;
  std::uint64_t pushed_ = 0, delivered_ = 0;  // planes, since the beginning
  std::uint64_t last_ticket_ = 0;
  std::atomic<double> sink_seconds_ = 0;  // written by the sink's thread alone
  double wait_seconds_ = 0;
  WorkThread thread_;  // last: its jobs use all above
};

}  // namespace lbm::tiling
