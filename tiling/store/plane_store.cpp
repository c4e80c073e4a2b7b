// SPDX-License-Identifier: Apache-2.0
#include "tiling/store/plane_store.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <stdexcept>

#include "solver/core/host_memory.hpp"
#include "solver/core/in_parts.hpp"

namespace lbm::tiling {
namespace {

class HostLattice final : public PlaneStore {
 public:
  // fill: null for a lattice of zeros.
  HostLattice(Backend& backend, const Lattice& lattice, const PlaneFill& fill, HostMemory kind)
      : lattice_(lattice),
        memory_(
            backend.allocate_host(static_cast<std::size_t>(lattice.bytes()), kind, "the lattice")) {
    // All threads touch the pages before they are pinned: the pages spread over the NUMA nodes, and
    // pinning takes less time.
    if (!fill) {
      touch_host_memory(memory_.data(), memory_.size());
    } else {
      fill_all(fill);
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
  std::byte* store_to(int plane) override { return memory_.data() + lattice_.bytes_before(plane); }
  std::size_t host_bytes() const override { return memory_.size(); }
  double pin_seconds() const override { return pin_seconds_; }
  std::vector<NodeShare> node_shares() const override {
    return lbm::node_shares(memory_.data(), memory_.size());
  }

 private:
  void fill_all(const PlaneFill& fill) {
    FirstError error;
#pragma omp parallel
    {
      // `fill` writes as much as the largest plane has.
      std::vector<std::byte> whole(lattice_.fluid_planes != nullptr ? lattice_.layout.bytes : 0);
#pragma omp for schedule(dynamic)
      for (int z = 0; z < lattice_.nz; ++z) {
        error.guard([&] {
          if (whole.empty()) return fill(z, store_to(z));
          fill(z, whole.data());
          std::memcpy(store_to(z), whole.data(), lattice_.plane_bytes(z));
        });
      }
    }
    error.rethrow();
  }

  Lattice lattice_;
  Buffer memory_;
  Buffer attached_;  // released before the memory
  double pin_seconds_ = 0;
};

// Double buffering: while one staging area is copied to the device the other one is filled.
class PassingPlanes final : public PlaneStore {
 public:
  // threads_inside: `fill` uses all threads by itself.
  PassingPlanes(Backend& backend, const Lattice& lattice, PlaneFill fill, bool threads_inside)
      : backend_(backend),
        lattice_(lattice),
        fill_(std::move(fill)),
        threads_inside_(threads_inside) {
    for (Area& area : areas_) {
      area.memory = backend.allocate_staging(lattice.layout.bytes * planes_, "staging planes");
      area.copied = backend.make_event();
      backend.record(Queue::load, *area.copied);
    }
  }

  const std::byte* load_from(int plane) override {
    Area& area = areas_[plane / planes_ % 2];
    if (area.first != plane / planes_) fill(area, plane / planes_);
    return area.memory.data() + lattice_.layout.bytes * static_cast<std::size_t>(plane % planes_);
  }
  void loaded(int plane) override {
    backend_.record(Queue::load, *areas_[plane / planes_ % 2].copied);
  }
  std::byte* store_to(int) override {
    throw std::logic_error("PassingPlanes: there is no lattice on the host to store to");
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
    const int first = group * planes_;
    const int count = std::min(planes_, lattice_.nz - first);
    FirstError error;
#pragma omp parallel for schedule(dynamic) if (!threads_inside_)
    for (int i = 0; i < count; ++i) {
      error.guard([&] {
        fill_(first + i, area.memory.data() + lattice_.layout.bytes * static_cast<std::size_t>(i));
      });
    }
    error.rethrow();
    area.first = group;
  }

  Backend& backend_;
  Lattice lattice_;
  PlaneFill fill_;
  bool threads_inside_;
  Area areas_[2];
};

PlaneFill initial_planes(const Lattice& lattice, const InitialState& state,
                         const FluidPlaneOf& fluid) {
  return [lattice, state, fluid](int z, std::byte* to) {
    if (!fluid) return write_initial_plane(lattice, state, z, to);
    const FluidPlane cells = fluid(z);
    write_initial_plane(lattice, state, z, to, &cells);
  };
}

}  // namespace

std::unique_ptr<PlaneStore> make_host_lattice(Backend& backend, const Lattice& lattice,
                                              const InitialState& state, HostMemory kind,
                                              const FluidPlaneOf& fluid) {
  // At rest all values are zero, as those of new pages are.
  const bool zero = !state && kind != HostMemory::managed;
  return std::make_unique<HostLattice>(
      backend, lattice, zero ? PlaneFill() : initial_planes(lattice, state, fluid), kind);
}

std::unique_ptr<PlaneStore> make_initial_planes(Backend& backend, const Lattice& lattice,
                                                const InitialState& state,
                                                const FluidPlaneOf& fluid) {
  return std::make_unique<PassingPlanes>(backend, lattice, initial_planes(lattice, state, fluid),
                                         true);
}

std::unique_ptr<PlaneStore> restore_host_lattice(Backend& backend, const Lattice& lattice,
                                                 const PlaneFill& fill, HostMemory kind) {
  return std::make_unique<HostLattice>(backend, lattice, fill, kind);
}

std::unique_ptr<PlaneStore> restore_planes(Backend& backend, const Lattice& lattice,
                                           const PlaneFill& fill) {
  return std::make_unique<PassingPlanes>(backend, lattice, fill, false);
}

Lattice lattice_of(const Lattice& lattice, const SlabShare& share) {
  if (share.planes == 0) return lattice;
  Lattice part = with_planes(lattice, share.planes);
  part.fluid_planes = nullptr;
  return part;
}

InitialState state_of(const InitialState& state, const Lattice& lattice, const SlabShare& share) {
  if (share.planes == 0 || !state) return state;
  const auto fill = [state, first = share.first, nz = lattice.nz](
                        int y, int i, const StateRow& row) { state(y, (first + i) % nz, row); };
  return {fill, state.has_strain()};
}

PlaneFill fill_of(const PlaneFill& fill, const Lattice& lattice, const SlabShare& share) {
  if (share.planes == 0) return fill;
  return [fill, first = share.first, nz = lattice.nz](int i, std::byte* to) {
    fill((first + i) % nz, to);
  };
}

FluidPlaneOf fluid_of(const FluidPlaneOf& fluid, const Lattice& lattice, const SlabShare& share) {
  if (share.planes == 0 || !fluid) return fluid;
  return [fluid, first = share.first, nz = lattice.nz](int i) { return fluid((first + i) % nz); };
}

FluidPlaneOf fluid_planes_of(const Boundaries& boundaries) {
  if (boundaries.fluid_cells().empty()) return {};
  return [view = boundaries.view()](int z) { return view.fluid_plane(z); };
}

}  // namespace lbm::tiling
