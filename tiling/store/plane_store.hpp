// SPDX-License-Identifier: Apache-2.0

// The source and target of planes that are not on the device: the lattice in host memory, or none.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "solver/backend/backend.hpp"
#include "solver/core/numa.hpp"
#include "solver/lattice/initial_state.hpp"
#include "tiling/schedule/schedule.hpp"

namespace lbm::tiling {

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

// The whole lattice in host memory, filled with the initial state by all threads: plane z has
// lattice.plane_bytes(z). The backend must outlive the store. fluid: fluid cells of each plane if
// only these are stored. Throws as Backend::allocate_host and attach_host.
std::unique_ptr<PlaneStore> make_host_lattice(Backend& backend, const Lattice& lattice,
                                              const InitialState& state,
                                              HostMemory kind = HostMemory::pinned,
                                              const FluidPlaneOf& fluid = {});

// No lattice on the host: planes are made from the initial state when they are loaded, a few at a
// time, with double buffering. store_to() throws std::logic_error.
std::unique_ptr<PlaneStore> make_initial_planes(Backend& backend, const Lattice& lattice,
                                                const InitialState& state,
                                                const FluidPlaneOf& fluid = {});

// Writes plane z in stored form to `to`, layout.bytes bytes; bytes behind a smaller plane are
// arbitrary. Called by many threads; an exception reaches the caller that needs the plane.
using PlaneFill = std::function<void(int z, std::byte* to)>;

// The same two stores for planes that `fill` writes. Exceptions of `fill` leave the first function,
// or load_from() of the second store.
std::unique_ptr<PlaneStore> restore_host_lattice(Backend& backend, const Lattice& lattice,
                                                 const PlaneFill& fill,
                                                 HostMemory kind = HostMemory::pinned);
std::unique_ptr<PlaneStore> restore_planes(Backend& backend, const Lattice& lattice,
                                           const PlaneFill& fill);

// The arguments for the store of a slab: a lattice of the slab's planes, each with room for the
// largest plane, since a slab moves through the grid. Plane i is plane share.first + i of the grid,
// modulo nz. Without a slab each function returns its first argument.
Lattice lattice_of(const Lattice& lattice, const SlabShare& share);
InitialState state_of(const InitialState& state, const Lattice& lattice, const SlabShare& share);
PlaneFill fill_of(const PlaneFill& fill, const Lattice& lattice, const SlabShare& share);
FluidPlaneOf fluid_of(const FluidPlaneOf& fluid, const Lattice& lattice, const SlabShare& share);

// The fluid cells of each plane; empty if all cells are stored. boundaries must outlive the result.
FluidPlaneOf fluid_planes_of(const Boundaries& boundaries);

}  // namespace lbm::tiling
