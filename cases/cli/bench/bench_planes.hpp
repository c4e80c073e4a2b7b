// SPDX-License-Identifier: Apache-2.0

// Lattices of `lbm bench`: a few planes of a flow, repeated to fill 80 GB quickly, in a single
// piece of pinned host memory, since pinning takes longer than measuring.
#pragma once

#include "tiling/store/plane_store.hpp"

namespace lbm::cases {

// The repeated planes. A store for in-core pipelines only: nothing can be stored.
class BenchPattern final : public tiling::PlaneStore {
 public:
  BenchPattern(Backend& backend, const Lattice& lattice);

  bool fits(const Lattice& lattice) const {
    return lattice.layout == layout_ && lattice.storage == storage_;
  }
  const std::byte* load_from(int plane) override;
  void loaded(int) override {}
  std::byte* store_to(int) override;
  std::size_t host_bytes() const override { return memory_.size(); }

 private:
  PlaneLayout layout_;
  StorageType storage_;
  Buffer memory_;
};

// Pinned host memory of `bytes` for lattices of any kind, one at a time.
class BenchArena final : public tiling::PlaneStore {
 public:
  // backend must outlive the object. Throws ResourceError.
  BenchArena(Backend& backend, std::size_t bytes);

  // Fills planes 0 ... nz - 1 with the pattern. Planes that hold a state of the same layout and
  // storage keep it, which is as good a flow.
  void hold(const Lattice& lattice, BenchPattern& pattern);

  const std::byte* load_from(int plane) override { return store_to(plane); }
  void loaded(int) override {}
  std::byte* store_to(int plane) override;
  // Bytes of the current lattice.
  std::size_t host_bytes() const override {
    return lattice_.layout.bytes * static_cast<std::size_t>(lattice_.nz);
  }

 private:
  Lattice lattice_;
  int filled_ = 0;  // number of planes
  Buffer memory_;
  Buffer attached_;  // released before the memory
};

}  // namespace lbm::cases
