// SPDX-License-Identifier: Apache-2.0

// Cells of bodies that move (solver/update/immersed_cells.hpp): a launch for each body.
#include "solver/backend/cuda/kernels/launch_shape.hpp"
#include "solver/update/immersed_cells.hpp"

namespace lbm::cuda {
namespace {

constexpr unsigned immersed_threads = 128;

template <class Storage>
using Arguments = UpdateArguments<Storage, AnyCollision<Storage>>;

template <class Storage>
__device__ void update_cell_of_body(const Arguments<Storage>& args, const ImmersedBody& body,
                                    int plane, int i, bool counts, BodyLoad& load) {
  if (i >= body.count[0] * body.count[1]) return;
  const auto& params = args.params;
  const PlaneLayout& layout = params.layout;
  const int z = args.z_of(plane), row = i / body.count[0];
  const int d[3] = {body.low[0] + i - row * body.count[0], body.low[1] + row, body.distance(2, z)};
  const int x = body.at(0, d[0]), y = body.at(1, d[1]);
  if (params.boundaries.is_solid(x, y, z)) return;
  const CellOffsets at(layout, x, y);
  const InputPlanes<Storage> in = args.input(plane);
  const unsigned touched =
      touched_faces(params.walls.faces, x, y, z, layout.nx, layout.ny, params.nz);
  const LinkGather gather{params, in, at, touched};
  immerse_cell<Storage>(params, body, d, gather, args.slot(args.launch.out[plane]) + at.of(0, 0, 0),
                        counts, load);
}

// record: of the step, or null.
template <class Storage>
__global__ void __launch_bounds__(immersed_threads)
    immersed_kernel(const __grid_constant__ Arguments<Storage> args,
                    const __grid_constant__ ImmersedBody body,
                    const __grid_constant__ PlaneBlocks blocks, std::int64_t* record) {
  wait_for_launch_before();
  const int plane = blocks.plane_of(blockIdx.x);
  const int i =
      static_cast<int>((blockIdx.x - blocks.first[plane]) * immersed_threads + threadIdx.x);
  const bool counts = record != nullptr && (args.launch.counted >> plane & 1U) != 0;
  BodyLoad load;
  update_cell_of_body(args, body, plane, i, counts, load);
  if (counts) add_of_warp(load, record + flow_values);
}

}  // namespace

void launch_immersed_cells(const DeviceLattice& device, const UpdateLaunch& launch,
                           const LaunchQueue& queue) {
  if (!device.lattice.has_moving_bodies) return;
  std::int64_t* const record =
      device.boundaries.body_count > 0 ? device.record(launch.step + 1) : nullptr;
  for (const ImmersedBody& body : immersed_bodies(device.lattice, device.host, launch.step)) {
    const PlaneBlocks blocks = make_plane_blocks(
        launch, device.lattice.nz, immersed_threads,
        [&](int, int z) { return body.has(2, z) ? body.count[0] * body.count[1] : 0; });
    visit_storage(device.lattice, [&]<class Storage>(Storage) {
      launch_kernel("kernel of bodies that move", immersed_kernel<Storage>,
                    {blocks.count(), immersed_threads}, queue,
                    make_arguments<Storage, AnyCollision<Storage>>(device, launch), body, blocks,
                    record);
    });
  }
}

}  // namespace lbm::cuda
