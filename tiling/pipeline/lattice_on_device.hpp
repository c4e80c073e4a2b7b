// SPDX-License-Identifier: Apache-2.0

// The memory that a pipeline's kernels work on: slots for planes, the boundaries, the probe cells.
#pragma once

#include <optional>

#include "solver/backend/backend.hpp"
#include "solver/boundary/boundary_window.hpp"
#include "tiling/pipeline/record_ring.hpp"

namespace lbm::tiling {

class LatticeOnDevice {
 public:
  // Backend, boundaries and probes (which may be null) must outlive it. Kernels write to the
  // records where every step has one. planes_in_use: with fewer than all planes a GPU has the
  // boundaries of so many consecutive ones, and fetch_boundaries() brings others; the CPU backend
  // reads those of all planes in place. Pins the boundaries' memory where planes are brought: no
  // two pipelines of a process may have the same object at a time, as the first to end would take
  // the pinning from under the copies of the other. Throws ResourceError.
  LatticeOnDevice(Backend& backend, const Lattice& lattice, const Boundaries& boundaries,
                  const ProbeCells* probes, const RecordRing& records, int slots,
                  int planes_in_use);

  // True if updates need fetch_boundaries().
  bool fetches_boundaries() const { return window_.has_value(); }
  // Gives Queue::load the copies that planes first ... first + count - 1 (modulo nz) lack; their
  // bytes. Updates up to visit `done` are complete when the queue gets there (BoundaryWindow).
  std::size_t fetch_boundaries(int first, int count, int visit, int done);
  // The device memory that boundaries of so many planes need.
  static std::size_t boundary_bytes_needed(const Boundaries& boundaries, int planes);
  // The boundaries' bytes on the device, or of those that are read in place.
  std::size_t boundary_bytes() const { return boundary_bytes_; }

  const DeviceLattice& view() const { return view_; }
  const Lattice& lattice() const { return view_.lattice; }
  // Bytes of plane z. A slot has room for the largest plane.
  std::size_t plane_bytes(int z) const { return view_.lattice.plane_bytes(z); }
  std::byte* slot(int i) const {
    return view_.slots + static_cast<std::size_t>(i) * view_.lattice.layout.bytes;
  }
  std::size_t bytes() const { return slots_.size() + boundary_bytes_ + probes_.size(); }

 private:
  void place_boundaries(const Boundaries& boundaries, int planes_in_use);

  Backend& backend_;
  Buffer slots_, boundaries_, probes_;  // boundaries_: empty where they are read in place
  std::size_t boundary_bytes_ = 0;
  std::optional<BoundaryWindow> window_;
  Buffer attached_;  // the host's boundaries, for asynchronous copies; empty where it failed
  DeviceLattice view_;
};

}  // namespace lbm::tiling
