// SPDX-License-Identifier: Apache-2.0

// Launches of the CUDA kernels.
#pragma once

#include <cuda_runtime_api.h>

#include "solver/backend/backend.hpp"

namespace lbm::cuda {

// overlap: the launch may be prepared while the one before it in the stream still runs
// (programmatic dependent launch; devices of compute capability 9.0 and newer).
void launch_update(const DeviceLattice& device, const UpdateLaunch& launch, bool overlap,
                   cudaStream_t stream);
// The same where only fluid cells are stored.
void launch_fluid_update(const DeviceLattice& device, const UpdateLaunch& launch, bool overlap,
                         cudaStream_t stream);
// Cells at shifted plain walls, after launch_update(); launches nothing where there are none. done:
// faces with such walls that need it no more.
void launch_wall_cells(const DeviceLattice& device, const UpdateLaunch& launch, unsigned done,
                       bool overlap, cudaStream_t stream);
// The second pass, after launch_wall_cells(); launches nothing where there are no boundary cells.
template <StorageType number>
void launch_boundary_cells_of(const DeviceLattice& device, const UpdateLaunch& launch, bool overlap,
                              cudaStream_t stream);
template <>
void launch_boundary_cells_of<StorageType::fp16>(const DeviceLattice&, const UpdateLaunch&, bool,
                                                 cudaStream_t);
template <>
void launch_boundary_cells_of<StorageType::fp32>(const DeviceLattice&, const UpdateLaunch&, bool,
                                                 cudaStream_t);
template <>
void launch_boundary_cells_of<StorageType::fp64>(const DeviceLattice&, const UpdateLaunch&, bool,
                                                 cudaStream_t);
inline void launch_boundary_cells(const DeviceLattice& device, const UpdateLaunch& launch,
                                  bool overlap, cudaStream_t stream) {
  switch (device.lattice.storage) {
    case StorageType::fp16:
      return launch_boundary_cells_of<StorageType::fp16>(device, launch, overlap, stream);
    case StorageType::fp64:
      return launch_boundary_cells_of<StorageType::fp64>(device, launch, overlap, stream);
    case StorageType::fp32:
      return launch_boundary_cells_of<StorageType::fp32>(device, launch, overlap, stream);
  }
}
// Cells under a force that depends on the place; launches nothing where there is none.
void launch_forced_cells(const DeviceLattice& device, const UpdateLaunch& launch, bool overlap,
                         cudaStream_t stream);
// Cells in sponges (solver/lattice/sponge.hpp), after launch_forced_cells(); launches nothing
// where there are none.
void launch_sponge_cells(const DeviceLattice& device, const UpdateLaunch& launch, bool overlap,
                         cudaStream_t stream);
// One step of all cells: these five. No shifted walls, forces that depend on the place or sponges
// go with fluid cells alone.
inline void launch_step(const DeviceLattice& device, const UpdateLaunch& launch, bool overlap,
                        cudaStream_t stream) {
  if (device.lattice.layout.fluid_only) {
    launch_fluid_update(device, launch, overlap, stream);
    return launch_boundary_cells(device, launch, overlap, stream);
  }
  launch_update(device, launch, overlap, stream);
  launch_wall_cells(device, launch, 0, overlap, stream);
  launch_boundary_cells(device, launch, overlap, stream);
  launch_forced_cells(device, launch, overlap, stream);
  launch_sponge_cells(device, launch, overlap, stream);
}
void launch_moments(const DeviceLattice& device, const PlaneState& plane, const CellRectangle& r,
                    float* drho, float* velocity, cudaStream_t stream);
void launch_probe(const DeviceLattice& device, const UpdateLaunch& launch, cudaStream_t stream);
void launch_sample_flow(const DeviceLattice& device, const PlaneState& plane, std::int64_t* record,
                        cudaStream_t stream);

}  // namespace lbm::cuda
