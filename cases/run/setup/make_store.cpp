// SPDX-License-Identifier: Apache-2.0
#include "cases/run/setup/make_store.hpp"

namespace lbm::cases {

std::unique_ptr<tiling::PlaneStore> make_store(const Setup& setup, Backend& backend,
                                               const Restart* restart) {
  const bool in_core = setup.plan.options.scheme == tiling::Scheme::in_core;
  const HostMemory memory = setup.host_memory.value_or(HostMemory::pinned);
  const Lattice part = tiling::lattice_of(setup.lattice, setup.share);
  if (restart == nullptr) {
    const InitialState flow = tiling::state_of(setup.initial, setup.lattice, setup.share);
    const FluidPlaneOf fluid =
        tiling::fluid_of(tiling::fluid_planes_of(setup.boundaries), setup.lattice, setup.share);
    return in_core ? tiling::make_initial_planes(backend, part, flow, fluid)
                   : tiling::make_host_lattice(backend, part, flow, memory, fluid);
  }
  const tiling::PlaneFill fill = tiling::fill_of(restart->fill(), setup.lattice, setup.share);
  return in_core ? tiling::restore_planes(backend, part, fill)
                 : tiling::restore_host_lattice(backend, part, fill, memory);
}

}  // namespace lbm::cases
