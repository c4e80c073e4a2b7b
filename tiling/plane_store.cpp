#include "tiling/plane_store.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "solver/core/host_memory.hpp"

namespace lbm::tiling {
namespace {

class HostLattice final : public PlaneStore {
 public:
  HostLattice(Backend& backend, const Lattice& lattice, const InitialState& state, HostMemory kind)
      : plane_bytes_(lattice.layout.bytes),
        memory_(backend.allocate_host(plane_bytes_ * static_cast<std::size_t>(lattice.nz), kind,
                                      "the lattice")) {
    // First touch by all threads, then pinning: pages of many nodes and faster than pinning first.
    if (!state && kind != HostMemory::managed) {
      touch_host_memory(memory_.data(),
                        memory_.size());  // at rest all values are zero, as new pages
    } else {
#pragma omp parallel for schedule(dynamic)
      for (int z = 0; z < lattice.nz; ++z) write_initial_plane(lattice, state, z, store_to(z));
    }
    const auto begin = std::chrono::steady_clock::now();
    attached_ = backend.attach_host(memory_.data(), memory_.size(), kind);
    if (kind == HostMemory::pinned) {
      const auto end = std::chrono::steady_clock::now();
      pin_seconds_ = std::chrono::duration<double>(end - begin).count();
    }
  }

  const std::byte* load_from(int plane) override { return store_to(plane); }
  void loaded(int) override {}
  std::byte* store_to(int plane) override {
    return memory_.data() + plane_bytes_ * static_cast<std::size_t>(plane);
  }
  std::size_t host_bytes() const override { return memory_.size(); }
  double pin_seconds() const override { return pin_seconds_; }

 private:
  std::size_t plane_bytes_;
  Buffer memory_;
  Buffer attached_;  // released before the memory
  double pin_seconds_ = 0;
};

// Two staging areas: while one is copied to the device the other is filled.
class InitialPlanes final : public PlaneStore {
 public:
  InitialPlanes(Backend& backend, const Lattice& lattice, const InitialState& state)
      : backend_(backend), lattice_(lattice), state_(state) {
    for (Area& area : areas_) {
      area.memory = backend.allocate_staging(lattice.layout.bytes * planes_, "staging planes");
      area.copied = backend.make_event();
      backend.record(Lane::load, *area.copied);
    }
  }

  const std::byte* load_from(int plane) override {
    Area& area = areas_[plane / planes_ % 2];
    if (area.first != plane / planes_) fill(area, plane / planes_);
    return area.memory.data() + lattice_.layout.bytes * static_cast<std::size_t>(plane % planes_);
  }
  void loaded(int plane) override {
    backend_.record(Lane::load, *areas_[plane / planes_ % 2].copied);
  }
  std::byte* store_to(int) override {
    throw std::logic_error("InitialPlanes: there is no lattice on the host to store to");
  }
  std::size_t host_bytes() const override { return 2 * lattice_.layout.bytes * planes_; }

 private:
  static constexpr int planes_ = 4;
  struct Area {
    Buffer memory;
    std::unique_ptr<Event> copied;
    int first = -1;  // group of planes that it holds
  };

  void fill(Area& area, int group) {
    backend_.synchronize(*area.copied);
    area.first = group;
    const int first = group * planes_;
    for (int i = 0; i < std::min(planes_, lattice_.nz - first); ++i) {
      write_initial_plane(lattice_, state_, first + i,
                          area.memory.data() + lattice_.layout.bytes * static_cast<std::size_t>(i));
    }
  }

  Backend& backend_;
  Lattice lattice_;
  InitialState state_;
  Area areas_[2];
};

}  // namespace

std::unique_ptr<PlaneStore> make_host_lattice(Backend& backend, const Lattice& lattice,
                                              const InitialState& state, HostMemory kind) {
  return std::make_unique<HostLattice>(backend, lattice, state, kind);
}

std::unique_ptr<PlaneStore> make_initial_planes(Backend& backend, const Lattice& lattice,
                                                const InitialState& state) {
  return std::make_unique<InitialPlanes>(backend, lattice, state);
}

}  // namespace lbm::tiling
