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

// True if plane z lies at a wall of z. faces: bits of the shifted walls.
LBM_HD bool is_wall_plane(unsigned faces, int z, int nz) {
  return (z == 0 && (faces & z_min) != 0) || (z == nz - 1 && (faces & z_max) != 0);
}

// Does all cells of planes at walls of z, and the cells at walls of x and y of the others. faces:
// of these walls.
template <class Storage>
__global__ void __launch_bounds__(wall_threads)
    wall_kernel(const __grid_constant__ UpdateArguments<Storage, AnyCollision<Storage>> args,
                const __grid_constant__ PlaneBlocks blocks, const unsigned faces) {
  wait_for_launch_before();
  const int plane = blocks.plane_of(blockIdx.x), z = args.z_of(plane);
  const auto& params = args.params;
  const PlaneLayout& layout = params.layout;
  int i = static_cast<int>((blockIdx.x - blocks.first[plane]) * wall_threads + threadIdx.x);
  int x = 0, y = 0;
  if (is_wall_plane(faces, z, params.nz)) {
    x = i % layout.nx;
    y = i / layout.nx;
    if (y >= layout.ny) return;
  } else {  // rows at both ends of y, then columns at both ends of x
    const auto has = [&](unsigned face) { return (faces & face) != 0 ? 1 : 0; };
    const int rows = layout.nx * (has(y_min) + has(y_max));
    if (i < rows) {
      x = i % layout.nx;
      y = has(y_min) != 0 && i < layout.nx ? 0 : layout.ny - 1;
    } else {
      i -= rows;
      if (i >= layout.ny * (has(x_min) + has(x_max))) return;
      x = has(x_min) != 0 && i < layout.ny ? 0 : layout.nx - 1;
      y = i % layout.ny;
    }
  }
  update_wall_cell(args, plane, x, y, z);
}

}  // namespace

void launch_wall_cells(const DeviceLattice& device, const UpdateLaunch& launch, unsigned done,
                       const LaunchQueue& queue) {
  const unsigned faces = device.boundaries.shifted_faces & ~done;
  if (device.host == nullptr || faces == 0) return;
  const PlaneLayout& layout = device.lattice.layout;
  const int nz = device.lattice.nz;
  const auto has = [&](unsigned face) { return (faces & face) != 0 ? 1 : 0; };
  const std::int64_t at_sides = std::int64_t{layout.nx} * (has(y_min) + has(y_max)) +
                                std::int64_t{layout.ny} * (has(x_min) + has(x_max));
  const PlaneBlocks blocks = make_plane_blocks(launch, nz, wall_threads, [&](int, int z) {
    return is_wall_plane(faces, z, nz) ? layout.cells() : at_sides;
  });
  visit_storage(device.lattice, [&]<class Storage>(Storage) {
    launch_kernel("kernel of wall cells", wall_kernel<Storage>, {blocks.count(), wall_threads},
                  queue, make_arguments<Storage, AnyCollision<Storage>>(device, launch), blocks,
                  faces);
  });
}

}  // namespace lbm::cuda
