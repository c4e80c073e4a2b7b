// SPDX-License-Identifier: Apache-2.0

// The memory that a pipeline's kernels work on: slots for planes, the boundaries, the probe cells.
#pragma once

#include "solver/backend/backend.hpp"
#include "tiling/pipeline/record_ring.hpp"

namespace lbm::tiling {

class LatticeOnDevice {
 public:
  // Backend, boundaries and probes (which may be null) must outlive it. Kernels write to the
  // records where every step has one. Throws ResourceError.
  LatticeOnDevice(Backend& backend, const Lattice& lattice, const Boundaries& boundaries,
                  const ProbeCells* probes, const RecordRing& records, int slots);

  const DeviceLattice& view() const { return view_; }
  const Lattice& lattice() const { return view_.lattice; }
  // Of plane z. A slot has room for the largest one.
  std::size_t plane_bytes(int z) const { return view_.lattice.plane_bytes(z); }
  std::byte* slot(int i) const {
    return view_.slots + static_cast<std::size_t>(i) * view_.lattice.layout.bytes;
  }
  std::size_t bytes() const { return slots_.size() + boundary_bytes_ + probes_.size(); }

 private:
  Buffer slots_, boundaries_, probes_;  // boundaries_: empty where they are used in place
  std::size_t boundary_bytes_ = 0;
  DeviceLattice view_;
};

}  // namespace lbm::tiling
