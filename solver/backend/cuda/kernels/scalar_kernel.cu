// SPDX-License-Identifier: Apache-2.0

// The last kernel of a step: the scalars of all cells (solver/update/scalar_cells.hpp).
#include "solver/backend/cuda/kernels/launch_shape.hpp"
#include "solver/update/scalar_cells.hpp"

namespace lbm::cuda {
namespace {

template <class Storage>
struct ScalarArguments {
  ScalarCells<Storage> cells;
  UpdateLaunch launch;
  std::byte* slots;

  LBM_HD typename Storage::Value* slot(int index) const {
    return reinterpret_cast<typename Storage::Value*>(slots + index * cells.layout.bytes);
  }
};

template <class Storage>
__global__ void __launch_bounds__(threads_per_block)
    scalar_kernel(const __grid_constant__ ScalarArguments<Storage> args) {
  wait_for_launch_before();
  const PlaneLayout& layout = args.cells.layout;
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int plane = static_cast<int>(blockIdx.z);
  if (x >= layout.nx || y >= layout.ny) return;
  const UpdateLaunch& launch = args.launch;
  const InputPlanes<Storage> in{{args.slot(launch.in[plane]), args.slot(launch.in[plane + 1]),
                                 args.slot(launch.in[plane + 2])}};
  update_scalars<Storage>(args.cells, in, x, y, launch.z_of(plane, args.cells.nz),
                          args.slot(launch.out[plane]) + layout.index(0, y, x));
}

}  // namespace

void launch_scalars(const DeviceLattice& device, const UpdateLaunch& launch,
                    const LaunchQueue& queue) {
  const Lattice& lattice = device.lattice;
  if (lattice.scalars.empty()) return;
  const dim3 block = block_of(static_cast<unsigned>(lattice.layout.nx));
  const dim3 grid((lattice.layout.nx + block.x - 1) / block.x,
                  (lattice.layout.ny + block.y - 1) / block.y, static_cast<unsigned>(launch.count));
  visit_storage(lattice, [&]<class Storage>(Storage) {
    launch_kernel("kernel of scalars", scalar_kernel<Storage>, {grid, block}, queue,
                  ScalarArguments<Storage>{
                      make_scalar_cells<Storage>(lattice, device.boundaries, launch.step), launch,
                      device.slots});
  });
}

}  // namespace lbm::cuda
