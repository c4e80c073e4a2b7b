// SPDX-License-Identifier: Apache-2.0

// The macroscopic fields (density less 1, velocity) of planes, on their way to a sink: a few planes
// of the largest box, or many of small ones, on the device, more planes in pinned host memory, and
// a thread that hands them out. The thread that feeds the device waits only when all planes on the
// host are taken.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "solver/backend/backend.hpp"
#include "tiling/pipeline/work_thread.hpp"
#include "tiling/store/field_box.hpp"

namespace lbm::tiling {

// Takes the fields of the planes of sweeps with Sweep::emit, in the order in which planes are
// finished, and those of Sweep::early as they are made: of each step every plane of a box exactly
// once. The calls come from one thread of the pipeline, not
// the one that runs it, and have ended when Pipeline::run returns or the pipeline is destroyed. An
// exception ends the run: no further call comes, and Pipeline::run throws it.
class FieldSink {
 public:
  virtual ~FieldSink() = default;
  // The boxes wanted after that step, none larger than most_plane_cells(); empty: the whole grid as
  // one box. Called by the thread that runs the pipeline.
  virtual std::vector<FieldBox> boxes([[maybe_unused]] std::int64_t step) const { return {}; }
  // The cells in a plane of the largest box of any step.
  virtual std::int64_t most_plane_cells(const Lattice& lattice) const {
    return lattice.layout.cells();
  }
  // A sweep begins, and planes will come with this step: time to make room for them. Called once
  // for each step; planes of earlier steps may still come after this call.
  virtual void on_sweep([[maybe_unused]] std::int64_t step) {}
  // Plane z of box number `box`, after `step` steps of the run. density less 1 [ny][nx], velocity
  // [ny][nx][3], lattice units; valid during the call.
  virtual void on_plane(std::int64_t step, int box, int z, std::span<const float> drho,
                        std::span<const float> velocity) = 0;
};

class FieldRing {
 public:
  // Both must outlive the ring. cells: in a plane of the largest box.
  // lattice_plane: bytes of one. host_planes: see host_planes(). Throws ResourceError.
  FieldRing(Backend& backend, FieldSink& sink, std::int64_t cells, std::size_t lattice_plane,
            std::size_t host_planes);
  // Hands out all planes that were delivered, also after an error.
  ~FieldRing();
  FieldRing(const FieldRing&) = delete;
  FieldRing& operator=(const FieldRing&) = delete;

  // The functions below throw what the sink threw.
  // The boxes that the sink wants after that step.
  std::vector<FieldBox> boxes(std::int64_t step) const { return sink_.boxes(step); }
  // Tells the sink that a sweep begins.
  void begin(std::int64_t step);
  // True if `planes` planes can be pushed without waiting for the sink.
  bool has_room(std::size_t planes);
  // Computes the fields of a plane of a box after all updates given so far, and sends them to the
  // host. Waits for the sink if no plane on the host is free.
  void push(const DeviceLattice& lattice, const PlaneState& plane, const FieldBox& box,
            int box_number, std::int64_t step, int visit);
  // Gives the planes of all visits up to `visit` to the sink's thread, in order. Waits for the
  // device, but not for the sink.
  void deliver(int visit);
  // Waits until the sink has taken all delivered planes.
  void finish();

  std::size_t device_bytes() const { return device_.size(); }
  std::size_t host_bytes() const { return host_.size(); }
  double sink_seconds() const { return sink_seconds_; }  // the sink's thread at work
  double wait_seconds() const { return wait_seconds_; }  // the caller waiting for that thread

  // Bytes of the fields of so many cells, and of device memory for a ring of planes of that size.
  static std::size_t plane_bytes(std::int64_t cells);
  static std::size_t device_bytes_needed(std::int64_t cells, std::size_t lattice_plane);
  // Planes on the host within `limit` bytes: enough that the device does not wait for a sink that
  // is as fast on average; at most nz, at least 8.
  static std::size_t host_planes(std::int64_t cells, int nz, int planes_per_visit,
                                 std::uint64_t limit);

 private:
  struct Entry {  // a plane on the host
    std::unique_ptr<Event> computed, copied;
    std::int64_t step = 0;
    int box = 0;
    std::size_t cells = 0;
    int plane = 0, visit = 0;
    std::size_t begin = 0, end = 0;  // bytes of the memory on the device
    std::uint64_t ticket = 0;        // of the job that hands the plane out
  };
  Entry& entry(std::uint64_t push) { return entries_[push % entries_.size()]; }
  std::byte* host_plane(std::uint64_t push) const;
  std::byte* make_room_on_device(Entry& entry);
  void hand_out_oldest();
  void wait_for_sink(std::uint64_t ticket);
  void write(const Entry& entry, const float* fields);

  Backend& backend_;
  FieldSink& sink_;
  Buffer device_, host_;
  std::vector<Entry> entries_;
  std::uint64_t pushed_ = 0, delivered_ = 0;  // planes, since the beginning
  std::uint64_t oldest_on_device_ = 0;  // the oldest plane whose bytes there were not taken yet
  std::size_t next_on_device_ = 0;      // where the next plane is put
  std::uint64_t last_ticket_ = 0;
  std::atomic<double> sink_seconds_ = 0;  // written only by the sink's thread
  double wait_seconds_ = 0;
  WorkThread thread_;  // last: its jobs use all above
};

}  // namespace lbm::tiling
