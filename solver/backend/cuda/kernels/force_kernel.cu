// SPDX-License-Identifier: Apache-2.0

// Cells under a force that depends on the place, after the update and the boundary cells of a step
// (solver/update/forced_cells.hpp).
#include "solver/backend/cuda/kernels/check.hpp"
#include "solver/backend/cuda/kernels/launch_shape.hpp"
#include "solver/backend/cuda/kernels/plane_blocks.hpp"
#include "solver/backend/cuda/kernels/update_kernel.hpp"
#include "solver/update/forced_cells.hpp"

namespace lbm::cuda {
namespace {

constexpr unsigned force_threads = 128;

template <class Storage>
struct ForceArguments {
  ForcedCells<Storage> forced;
  PlaneLayout layout;
  int nz;
  BoundaryView boundaries;
  UpdateLaunch launch;
  std::byte* slots;
};

template <class Storage>
__global__ void __launch_bounds__(force_threads)
    force_kernel(const __grid_constant__ ForceArguments<Storage> args,
                 const __grid_constant__ PlaneBlocks blocks) {
  using Real = typename Storage::Real;
  wait_for_launch_before();
  const PlaneLayout& layout = args.layout;
  const int plane = blocks.plane_of(blockIdx.x), z = args.launch.z_of(plane, args.nz);
  const int i = static_cast<int>((blockIdx.x - blocks.first[plane]) * force_threads + threadIdx.x);
  if (i >= layout.nx * layout.ny) return;
  const int y = i / layout.nx, x = i - y * layout.nx;
  const ForceVector<Real> force =
      args.boundaries.with_force(ForceVector<Real>(), x, y, z, args.forced.factor);
  if (force.x == 0 && force.y == 0 && force.z == 0) return;
  if (args.boundaries.is_solid(x, y, z)) return;
  auto* const cell = reinterpret_cast<typename Storage::Value*>(
                         args.slots + args.launch.out[plane] * layout.bytes) +
                     layout.index(0, y, x);
  Real values[Storage::values];
  LBM_UNROLL
  for (int v = 0; v < Storage::values; ++v)
    values[v] = Storage::load_scaled(cell[v * layout.pitch]);
  args.forced.push(values, force);
  const auto rounding = Storage::rounding(args.forced.rounding, values[0]);
  LBM_UNROLL
  for (int v = 0; v < Storage::values; ++v) {
    cell[v * layout.pitch] = Storage::store_rounded(values[v], rounding);
  }
}

}  // namespace

void launch_forced_cells(const DeviceLattice& device, const UpdateLaunch& launch, bool overlap,
                         cudaStream_t stream) {
  if (device.boundaries.forces == nullptr) return;
  const Lattice& lattice = device.lattice;
  visit_storage(lattice, [&](auto storage) {
    using Storage = decltype(storage);
    const auto forced = make_forced_cells<Storage>(lattice, device.host, launch.step);
    const PlaneBlocks blocks =
        make_plane_blocks(launch, lattice.nz, force_threads, [&](int, int z) {
          return device.host->has_force(z) ? lattice.layout.nx * lattice.layout.ny : 0;
        });
    if (blocks.count() == 0) return;
    const LaunchShape shape({blocks.count(), 1, 1}, {force_threads, 1, 1}, overlap, stream);
    const ForceArguments<Storage> arguments{forced, lattice.layout, lattice.nz, device.boundaries,
                                            launch, device.slots};
    check(cudaLaunchKernelEx(shape.config(), force_kernel<Storage>, arguments, blocks),
          "kernel of cells under a force that depends on the place");
  });
}

}  // namespace lbm::cuda
