// SPDX-License-Identifier: Apache-2.0

// Devices that do not exist, for tests of predictions and choices.
#pragma once

#include "solver/backend/speeds.hpp"
#include "solver/lattice/lattice.hpp"

namespace lbm::tiling::test {

inline Lattice lattice_of(int nx, int ny, int nz, StorageType storage = StorageType::fp32,
                          bool periodic = false) {
  std::array<WallFace, 6> faces;
  for (WallFace& face : faces) face.wall = !periodic;
  return make_lattice(nx, ny, nz, storage, 0.6, faces);
}

inline constexpr double fast = 1e18;  // bytes per second that take no time

inline double bytes_of(const Lattice& lattice) {
  return static_cast<double>(lattice.layout.bytes) * lattice.nz;
}

// Bytes per second; no time for launches.
inline DeviceSpeeds device_of(double copy, double update, double link) {
  DeviceSpeeds speeds;
  speeds.device = "made up";
  speeds.copy = copy;
  speeds.link_in = speeds.link_out = speeds.link_in_both = speeds.link_out_both = link;
  speeds.fp16 = speeds.fp32 = speeds.fp64 = {update, 0, 0};
  return speeds;
}

// About an H100 with PCIe 5.
inline DeviceSpeeds large_gpu() {
  DeviceSpeeds speeds = device_of(2.9e12, 2.7e12, 55e9);
  speeds.link_in_both = speeds.link_out_both = 48e9;
  speeds.fp16.launch_seconds = speeds.fp32.launch_seconds = speeds.fp64.launch_seconds = 3e-6;
  return speeds;
}

// Seconds that the update of one plane takes without launches.
inline double plane_seconds(const Lattice& lattice, const DeviceSpeeds& speeds) {
  return 2.0 * static_cast<double>(lattice.layout.cells()) * lattice.layout.values_per_cell *
         static_cast<double>(bytes_per_value(lattice.storage)) /
         speeds.update(lattice).bytes_per_second;
}

}  // namespace lbm::tiling::test
