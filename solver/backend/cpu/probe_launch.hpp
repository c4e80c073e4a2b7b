// SPDX-License-Identifier: Apache-2.0

// Records the probes in the planes of a launch.
#pragma once

#include "solver/backend/backend.hpp"
#include "solver/lattice/storage.hpp"
#include "solver/update/fluid_cells.hpp"

namespace lbm::cpu {

// Few cells: not worth a vector, or a second thread.
template <class Storage>
void probe_launch(const DeviceLattice& device, const UpdateLaunch& launch) {
  const PlaneLayout& layout = device.lattice.layout;
  const ProbeView& probes = device.probes;
  for (int i = 0; i < launch.count; ++i) {
    if ((launch.counted >> i & 1U) == 0) continue;
    const int z = (launch.first_plane + i) % device.lattice.nz;
    const PlaneState plane = plane_state(device, launch.out[i], z, launch.step + 1);
    const auto* values = reinterpret_cast<const typename Storage::Value*>(
        device.slots + static_cast<std::size_t>(plane.slot) * layout.bytes);
    for (int p = probes.first[z]; p < probes.first[z + 1]; ++p) {
      const auto [x, y] = probes.cells[p];
      const auto* cell = values + stored_place(layout, device.boundaries, static_cast<int>(x),
                                               static_cast<int>(y), z);
      const auto sums =
          Storage::density_momentum([&](int v) { return Storage::load(cell[v * layout.pitch]); });
      const auto force =
          plane.force_at(device.boundaries, static_cast<int>(x), static_cast<int>(y));
      put_probe(device.record(launch.step + 1) + probes.first_value + probe_values * p,
                stored_moments(sums, force));
    }
  }
}

}  // namespace lbm::cpu
