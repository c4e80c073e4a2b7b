// SPDX-License-Identifier: Apache-2.0

// Cells at shifted plain walls (CollisionKind::regularised_filtered): the main update has given
// them what any wall reflects; here they are updated again, with the shift of the wall
// (solver/boundary/conditions/wall_shift.hpp).
#include "solver/backend/cuda/kernels/launch_shape.hpp"
#include "solver/backend/cuda/kernels/launches.hpp"
#include "solver/backend/cuda/kernels/wall_cell.hpp"
#include "solver/collision/collisions.hpp"

namespace lbm::cuda {
namespace {

constexpr unsigned wall_threads = 128;

// Does all cells of planes at walls of z, and the cells at walls of x and y of the others. faces:
// of these walls.
template <class Storage>
__global__ void __launch_bounds__(wall_threads)
    wall_kernel(const __grid_constant__ UpdateArguments<Storage, AnyCollision<Storage>> args,
                const __grid_constant__ PlaneBlocks blocks, const unsigned faces) {
  wait_for_launch_before();
  const int plane = blocks.plane_of(blockIdx.x), z = args.z_of(plane);
  const auto& params = args.params;
  const int i = static_cast<int>((blockIdx.x - blocks.first[plane]) * wall_threads + threadIdx.x);
  const PlaneCells cells = cells_of(faces, params.layout, z, params.nz, 0);
  if (i >= cells.count()) return;
  const auto [x, y] = place_of(i, cells, faces, params.layout);
  update_wall_cell(args, plane, x, y, z);
}

}  // namespace

void launch_wall_cells(const DeviceLattice& device, const UpdateLaunch& launch, unsigned done,
                       const LaunchQueue& queue) {
  const unsigned faces = device.boundaries.shifted_faces & ~done;
  if (device.host == nullptr || faces == 0) return;
  const Lattice& lattice = device.lattice;
  const PlaneBlocks blocks = make_plane_blocks(launch, lattice.nz, wall_threads, [&](int, int z) {
    return cells_of(faces, lattice.layout, z, lattice.nz, 0).count();
  });
  visit_storage(lattice, [&]<class Storage>(Storage) {
    launch_kernel("kernel of wall cells", wall_kernel<Storage>, {blocks.count(), wall_threads},
                  queue, make_arguments<Storage, AnyCollision<Storage>>(device, launch), blocks,
                  faces);
  });
}

}  // namespace lbm::cuda
