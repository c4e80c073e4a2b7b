// SPDX-License-Identifier: Apache-2.0

// Launches of the CUDA kernels, and CUDA's return codes as exceptions.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>

#include "solver/backend/backend.hpp"

namespace lbm::cuda {

// Throws std::runtime_error that names the failed call (`what`).
inline void check(cudaError_t code, const char* what) {
  if (code == cudaSuccess) return;
  throw std::runtime_error(std::string("CUDA: ") + what + ": " + cudaGetErrorString(code));
}

// Where kernels are launched.
struct LaunchQueue {
  cudaStream_t stream = nullptr;
  // A launch may be prepared while the one before it in the stream still runs (programmatic
  // dependent launch; devices of compute capability 9.0 and newer).
  bool overlap = false;
};

// The parts of a step, in this order. Each launches nothing where it has no cells.
void launch_update(const DeviceLattice& device, const UpdateLaunch& launch,
                   const LaunchQueue& queue);
// The same where only fluid cells are stored.
void launch_fluid_update(const DeviceLattice& device, const UpdateLaunch& launch,
                         const LaunchQueue& queue);
// Cells at shifted plain walls. done: faces with such walls that need it no more.
void launch_wall_cells(const DeviceLattice& device, const UpdateLaunch& launch, unsigned done,
                       const LaunchQueue& queue);
// The second pass. Functions whose names end in _of are those of a lattice with that number type.
template <class Number>
void launch_boundary_cells_of(const DeviceLattice& device, const UpdateLaunch& launch,
                              const LaunchQueue& queue);
void launch_boundary_cells(const DeviceLattice& device, const UpdateLaunch& launch,
                           const LaunchQueue& queue);
// Cells of bodies that move.
void launch_immersed_cells(const DeviceLattice& device, const UpdateLaunch& launch,
                           const LaunchQueue& queue);
// Cells under a force that depends on the place.
void launch_forced_cells(const DeviceLattice& device, const UpdateLaunch& launch,
                         const LaunchQueue& queue);
void launch_sponge_cells(const DeviceLattice& device, const UpdateLaunch& launch,
                         const LaunchQueue& queue);
// Scalars, after all else of a step.
template <class Number>
void launch_scalars_of(const DeviceLattice& device, const UpdateLaunch& launch,
                       const LaunchQueue& queue);
void launch_scalars(const DeviceLattice& device, const UpdateLaunch& launch,
                    const LaunchQueue& queue);
// The whole step of a lattice with one scalar, the main update and the scalar in one kernel. False:
// not for this lattice, and nothing is launched.
template <class Number>
bool launch_step_with_scalars_of(const DeviceLattice& device, const UpdateLaunch& launch,
                                 const LaunchQueue& queue);
bool launch_step_with_scalars(const DeviceLattice& device, const UpdateLaunch& launch,
                              const LaunchQueue& queue);
// One step of all cells. No shifted walls, forces that depend on the place or sponges go with fluid
// cells alone.
void launch_step(const DeviceLattice& device, const UpdateLaunch& launch, const LaunchQueue& queue);
void launch_moments(const DeviceLattice& device, const PlaneState& plane, const CellRectangle& r,
                    float* fields, cudaStream_t stream);
void launch_probe(const DeviceLattice& device, const UpdateLaunch& launch, cudaStream_t stream);
void launch_sample_flow(const DeviceLattice& device, std::span<const PlaneState> planes,
                        std::int64_t* record, cudaStream_t stream);
void launch_sum_box(const DeviceLattice& device, std::span<const PlaneState> planes,
                    const CellRectangle& r, double scale, std::int64_t* sums, cudaStream_t stream);

// Copies on the stream without blocking the caller; the device must be able to reach both. Pointers
// and bytes are multiples of 16. Takes only a few multiprocessors.
void launch_copy(std::byte* to, const std::byte* from, std::size_t bytes, cudaStream_t stream);

}  // namespace lbm::cuda
