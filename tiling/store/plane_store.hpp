// Where planes are when they are not on the device.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "solver/backend/backend.hpp"
#include "solver/lattice/initial_state.hpp"
#include "tiling/schedule/schedule.hpp"

namespace lbm::tiling {

class PlaneStore {
 public:
  virtual ~PlaneStore() = default;
  // The plane's bytes, to be copied to the device by an asynchronous copy on Queue::load; after
  // giving that copy, the caller calls loaded().
  virtual const std::byte* load_from(int plane) = 0;
  virtual void loaded(int plane) = 0;
  // Where to copy the plane to from the device.
  virtual std::byte* store_to(int plane) = 0;
  virtual std::size_t host_bytes() const = 0;
  // Seconds of its construction that went into page-locking.
  virtual double pin_seconds() const { return 0; }
};

// The whole lattice in host memory, filled with the initial state by all threads. Throws as
// Backend::allocate_host and attach_host; the backend must outlive it.
std::unique_ptr<PlaneStore> make_host_lattice(Backend& backend, const Lattice& lattice,
                                              const InitialState& state,
                                              HostMemory kind = HostMemory::pinned);

// No lattice on the host: planes are made from the initial state when they are loaded, a few at a
// time. store_to() is not for it.
std::unique_ptr<PlaneStore> make_initial_planes(Backend& backend, const Lattice& lattice,
                                                const InitialState& state);

// Writes plane z as it is stored, all layout.bytes bytes of it, to `to`. Called from many threads;
// what it throws ends what asked for the plane.
using PlaneFill = std::function<void(int z, std::byte* to)>;

// The same two for a lattice that comes from elsewhere: throw what `fill` throws, the second one
// from load_from().
std::unique_ptr<PlaneStore> restore_host_lattice(Backend& backend, const Lattice& lattice,
                                                 const PlaneFill& fill,
                                                 HostMemory kind = HostMemory::pinned);
std::unique_ptr<PlaneStore> restore_planes(Backend& backend, const Lattice& lattice,
                                           const PlaneFill& fill);

// What the stores of a slab are made from: a lattice of its planes alone, in which plane i is plane
// share.first + i of the grid, modulo nz. Without a slab all stay as they are.
Lattice lattice_of(const Lattice& lattice, const SlabShare& share);
InitialState state_of(const InitialState& state, const Lattice& lattice, const SlabShare& share);
PlaneFill fill_of(const PlaneFill& fill, const Lattice& lattice, const SlabShare& share);

}  // namespace lbm::tiling
