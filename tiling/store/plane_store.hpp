// SPDX-License-Identifier: Apache-2.0

// The planes that are not on the device: a lattice in host memory, or none (planes are made when
// loaded). And boxes of cells whose macroscopic fields are handed out after a sweep.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "solver/backend/backend.hpp"
#include "solver/boundary/boundaries.hpp"
#include "solver/core/numa.hpp"
#include "solver/lattice/initial_state.hpp"
#include "solver/lattice/lattice.hpp"
#include "tiling/schedule/schedule.hpp"

namespace lbm::tiling {

// count[a] cells along each axis, `stride` cells apart, from begin[a] >= 0 on, counted modulo the
// grid. A box may reach over the faces of x and y and hold a cell twice; it holds each plane of z
// at most once.
struct FieldBox {
  std::array<int, 3> begin{}, count{};
  int stride = 1;

  bool operator==(const FieldBox&) const = default;
  std::int64_t plane_cells() const { return static_cast<std::int64_t>(count[0]) * count[1]; }
  CellRectangle rectangle() const { return {begin[0], begin[1], count[0], count[1], stride}; }
  // True if the box holds plane z. nz: planes of the grid.
  bool has_plane(int z, int nz) const {
    const int distance = (z - begin[2] + nz) % nz;
    return distance % stride == 0 && distance / stride < count[2];
  }
  // The number of plane z, which the box holds, among its planes.
  int index_of(int z, int nz) const { return (z - begin[2] + nz) % nz / stride; }
};

inline FieldBox whole_box(const Lattice& lattice) {
  return {{}, {lattice.layout.nx, lattice.layout.ny, lattice.nz}};
}

class PlaneStore {
 public:
  virtual ~PlaneStore() = default;
  // The plane's bytes, for an asynchronous copy to the device on Queue::load. The caller calls
  // loaded() right after it has submitted this copy.
  virtual const std::byte* load_from(int plane) = 0;
  virtual void loaded(int plane) = 0;
  // The memory to which the plane is copied from the device.
  virtual std::byte* store_to(int plane) = 0;
  virtual std::size_t host_bytes() const = 0;
  // Seconds that the construction spent on page-locking.
  virtual double pin_seconds() const { return 0; }
  // Shares of the lattice on NUMA nodes (solver/core/numa.hpp); empty: no lattice on the host.
  virtual std::vector<NodeShare> node_shares() const { return {}; }
};

// Writes plane z of the grid in stored form to `to`, layout.bytes bytes; bytes behind a smaller
// plane are arbitrary. Called by many threads; an exception reaches the caller that needs the
// plane.
using PlaneFill = std::function<void(int z, std::byte* to)>;

// The planes that a run begins with.
struct FirstPlanes {
  PlaneFill fill;               // null: all values are zero
  bool threads_inside = false;  // `fill` uses all threads by itself
};

// Planes of the initial state. boundaries: with the fluid cells if only these are stored, else may
// be null; they must outlive the result.
FirstPlanes initial_planes(const Lattice& grid, const InitialState& state,
                           const Boundaries* boundaries = nullptr);

// In core: no lattice on the host. Planes are made when they are loaded, a few at a time, with
// double buffering; store_to() throws std::logic_error.
// Out of core: the whole lattice in host memory of that kind, filled by all threads. Plane z has
// grid.plane_bytes(z).
// share: of a slab. Its plane i is plane share.first + i of the grid at first, modulo nz, and has
// room for the largest plane, since a slab moves through the grid. The backend must outlive the
// store. Throws as Backend::allocate_host and attach_host; what `fill` throws leaves this function,
// in core load_from().
std::unique_ptr<PlaneStore> make_store(Backend& backend, const Lattice& grid, Scheme scheme,
                                       const FirstPlanes& planes,
                                       HostMemory kind = HostMemory::pinned,
                                       const SlabShare& share = {});

}  // namespace lbm::tiling
