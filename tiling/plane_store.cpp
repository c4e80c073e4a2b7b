#include "tiling/plane_store.hpp"

#include <algorithm>
#include <stdexcept>

#include "solver/core/host_memory.hpp"

namespace lbm::tiling {
namespace {

class HostLattice final : public PlaneStore {
 public:
  HostLattice(Backend& backend, const Lattice& lattice, const InitialState& state)
      : plane_bytes_(lattice.layout.bytes),
        memory_(
            map_host_memory(plane_bytes_ * static_cast<std::size_t>(lattice.nz), "the lattice")) {
    // First touch by all threads, then pinning: pages of many nodes and faster than pinning first.
#pragma omp parallel for schedule(dynamic)
    for (int z = 0; z < lattice.nz; ++z) write_initial_plane(lattice, state, z, store_to(z));
    pin_ = backend.pin(memory_.data(), memory_.size());
  }

  const std::byte* load_from(int plane) override { return store_to(plane); }
  void loaded(int) override {}
  std::byte* store_to(int plane) override {
    return memory_.data() + plane_bytes_ * static_cast<std::size_t>(plane);
  }
  std::size_t host_bytes() const override { return memory_.size(); }

 private:
  std::size_t plane_bytes_;
  Buffer memory_;
  Buffer pin_;  // released before the memory
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
                                              const InitialState& state) {
  return std::make_unique<HostLattice>(backend, lattice, state);
}

std::unique_ptr<PlaneStore> make_initial_planes(Backend& backend, const Lattice& lattice,
                                                const InitialState& state) {
  return std::make_unique<InitialPlanes>(backend, lattice, state);
}

}  // namespace lbm::tiling
