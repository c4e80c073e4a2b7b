// The lattices of `lbm bench`: a few planes of a flow, repeated as often as needed, so that a
// lattice of 80 GB is there in no time; and one piece of pinned host memory for all of them, since
// pinning takes longer than measuring.
#pragma once

#include "tiling/store/plane_store.hpp"

namespace lbm::cases {

// The repeated planes. As a store it is for pipelines in core: there is nothing to store to.
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

// Pinned host memory for lattices of any kind up to `bytes`, one at a time.
class BenchArena final : public tiling::PlaneStore {
 public:
  // Throws ResourceError; the backend must outlive it.
  BenchArena(Backend& backend, std::size_t bytes);

  // Makes it hold planes 0 ... nz - 1 of the pattern; those that already hold a state of the same
  // layout and storage keep it, which is a flow as good as the first one.
  void hold(const Lattice& lattice, BenchPattern& pattern);

  const std::byte* load_from(int plane) override { return store_to(plane); }
  void loaded(int) override {}
  std::byte* store_to(int plane) override;
  // Of the lattice that it holds.
  std::size_t host_bytes() const override {
    return lattice_.layout.bytes * static_cast<std::size_t>(lattice_.nz);
  }

 private:
  Lattice lattice_;
  int filled_ = 0;  // planes
  Buffer memory_;
  Buffer attached_;  // released before the memory
};

}  // namespace lbm::cases
