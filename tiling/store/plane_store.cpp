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
  // fill: null where new pages, which are zero, do.
  HostLattice(Backend& backend, const Lattice& lattice, const PlaneFill& fill, HostMemory kind)
      : lattice_(lattice),
        memory_(
            backend.allocate_host(static_cast<std::size_t>(lattice.bytes()), kind, "the lattice")) {
    // All threads touch the pages before they are pinned: the pages spread over the NUMA nodes, and
    // pinning takes less time.
    if (fill) {
      fill_all(fill);
    } else {
      touch_host_memory(memory_.data(), memory_.size());
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
  PassingPlanes(Backend& backend, const Lattice& lattice, FirstPlanes planes)
      : backend_(backend), lattice_(lattice), first_(std::move(planes)) {
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
#pragma omp parallel for schedule(dynamic) if (!first_.threads_inside)
    for (int i = 0; i < count; ++i) {
      error.guard([&] {
        std::byte* const to =
            area.memory.data() + lattice_.layout.bytes * static_cast<std::size_t>(i);
        first_.fill(first + i, to);
      });
    }
    error.rethrow();
    area.first = group;
  }

  Backend& backend_;
  Lattice lattice_;
  FirstPlanes first_;
  Area areas_[2];
};

Lattice with_share(const Lattice& grid, const SlabShare& share) {
  if (share.planes == 0) return grid;
  Lattice part = with_planes(grid, share.planes);
  part.fluid_planes = nullptr;
  return part;
}

}  // namespace

// At rest all values are zero.
FirstPlanes initial_planes(const Lattice& grid, const InitialState& state,
                           const Boundaries* boundaries) {
  if (!state) return {};
  if (boundaries == nullptr || boundaries->fluid_cells().empty()) {
    return {[=](int z, std::byte* to) { write_initial_plane(grid, state, z, to); }, true};
  }
  return {[=, view = boundaries->view()](int z, std::byte* to) {
            const FluidPlane fluid = view.fluid_plane(z);
            write_initial_plane(grid, state, z, to, &fluid);
          },
          true};
}

std::unique_ptr<PlaneStore> make_store(Backend& backend, const Lattice& grid, Scheme scheme,
                                       const FirstPlanes& planes, HostMemory kind,
                                       const SlabShare& share) {
  const Lattice part = with_share(grid, share);
  FirstPlanes own = planes;
  if (share.planes > 0 && planes.fill) {
    own.fill = [fill = planes.fill, first = share.first, nz = grid.nz](int i, std::byte* to) {
      fill((first + i) % nz, to);
    };
  }
  // New pages are zero, but those of managed memory need not be.
  if (!own.fill && (scheme == Scheme::in_core || kind == HostMemory::managed)) {
    own.fill = [bytes = part.layout.bytes](int, std::byte* to) { std::memset(to, 0, bytes); };
  }
  if (scheme == Scheme::in_core) return std::make_unique<PassingPlanes>(backend, part, own);
  return std::make_unique<HostLattice>(backend, part, own.fill, kind);
}

}  // namespace lbm::tiling
