// Output fields on their way from finished planes to whoever wants them: a ring of a few planes on
// the device and in pinned host memory, so that outputs need little memory whatever the schedule.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "solver/backend/backend.hpp"
#include "tiling/trace.hpp"

namespace lbm::tiling {

// Takes the fields of planes that were asked for by Sweep::emit, in the order in which they are
// finished; every plane of a sweep exactly once.
class FieldSink {
 public:
  virtual ~FieldSink() = default;
  // step: steps since the pipeline was made. density [ny][nx], velocity [ny][nx][3], lattice units;
  // valid during the call.
  virtual void on_plane(std::int64_t step, int z, std::span<const float> density,
                        std::span<const float> velocity) = 0;
};

class FieldRing {
 public:
  // All must outlive the ring; tracer may be null. Memory is taken at the first push. Throws
  // ResourceError then.
  FieldRing(Backend& backend, FieldSink& sink, Tracer* tracer)
      : backend_(backend), sink_(sink), tracer_(tracer) {}
  ~FieldRing();
  FieldRing(const FieldRing&) = delete;
  FieldRing& operator=(const FieldRing&) = delete;

  // Computes the fields of the plane in `slot`, of sweep number `sweep`, after all updates given so
  // far, and sends them to the host. Where the ring is full, waits for the oldest plane and hands
  // it out first.
  void push(const DeviceLattice& lattice, int slot, std::int64_t step, int sweep, int plane,
            int visit);
  // Hands out, in order, what came from visits up to `visit`; waits for it.
  void deliver(int visit);

  std::size_t device_bytes() const;
  double sink_seconds() const { return sink_seconds_; }

  // What one plane's fields send over the link, and what the ring takes on the device.
  static std::size_t plane_bytes(const Lattice& lattice);
  static std::size_t device_bytes_needed(const Lattice& lattice);

 private:
  struct Entry {
    Buffer device, host;
    std::unique_ptr<Event> computed, copied;
    std::unique_ptr<Event> compute_begin, copy_begin;  // with a tracer
    bool traced = false;
    std::int64_t step = 0;
    int sweep = 0, plane = 0, visit = 0;
    std::size_t cells = 0;
  };
  void hand_out_oldest();
  void wait_for_copy(const Entry& entry);
  static Slice slice_of(const Entry& entry, Activity activity);
  void allocate(const Lattice& lattice);

  Backend& backend_;
  FieldSink& sink_;
  Tracer* tracer_;
  std::vector<Entry> entries_;
  std::size_t first_ = 0, used_ = 0;  // entries under way: first_ ... first_ + used_ - 1, modulo
  double sink_seconds_ = 0;
};

}  // namespace lbm::tiling
