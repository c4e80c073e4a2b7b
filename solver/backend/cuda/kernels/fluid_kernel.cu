// SPDX-License-Identifier: Apache-2.0

// The update of a launch where only fluid cells are stored: a thread for each fluid cell.
#include "solver/backend/cuda/kernels/fluid_cell.hpp"
#include "solver/collision/collisions.hpp"
#include "solver/update/fluid_cells.hpp"

namespace lbm::cuda {
namespace {

// Blocks on a multiprocessor at a time: 48 registers a thread. Without the bound single precision
// takes 64 to 72, and half precision is 6 % slower (H100).
template <class Storage>
constexpr unsigned fluid_blocks = sizeof(typename Storage::Real) == 8 ? 1 : 10;

// A collision chosen at run time costs 3 to 8 % (H100), so only double precision has it. Cells at
// faces that the main update does not do, and those at faces and solid cells, get values here that
// the second pass overwrites.
template <class Storage, class Collision, bool free_slip>
__global__ void __launch_bounds__(fluid_threads, fluid_blocks<Storage>)
    fluid_kernel(const __grid_constant__ UpdateArguments<Storage, Collision, free_slip> args,
                 const __grid_constant__ PlaneBlocks blocks) {
  using Real = typename Storage::Real;
  wait_for_launch_before();
  const auto& params = args.params;
  const PlaneLayout& layout = params.layout;
  const int plane = blocks.plane_of(blockIdx.x), z = args.z_of(plane);
  const int number = fluid_number(blocks, plane);
  const FluidPlanesAround planes(params.boundaries, z, params.nz);
  if (number >= planes.plane[1].words[params.boundaries.mask_words].first()) return;
  const auto [x, y] = find_cell(planes.plane[1], number);
  const InputPlanes<Storage> in = args.input(plane);
  const unsigned touched =
      touched_faces(params.walls.faces, x, y, z, layout.nx, layout.ny, params.nz);
  const int place = layout.fluid_offset(number);
  Real g[Storage::Set::directions];
  if (touched == 0) {
    gather_between_solids<Storage>(layout, planes, in, x, y, place, g);
  } else {
    // An array of its own. Indices that are known only at run time would put g into local memory:
    // that took a third of the speed of all cells (H100).
    Real at_faces[Storage::Set::directions];
    gather_at_faces<Storage>(params, FluidOffsets(planes, layout, x, y), in, touched, at_faces);
    LBM_UNROLL
    for (int q = 0; q < Storage::Set::directions; ++q) g[q] = at_faces[q];
  }
  collide_cell(params.collision, g,
               [&](int v) { return Storage::load_scaled(in.plane[1][v * layout.pitch + place]); });
  store_cell<Storage>(params, g, args.slot(args.launch.out[plane]) + place);
}

template <class Storage, class Collision, bool free_slip>
void launch_for(const DeviceLattice& device, const UpdateLaunch& launch, const LaunchQueue& queue) {
  const PlaneBlocks blocks = make_fluid_blocks(device, launch);
  launch_kernel("update kernel of fluid cells", fluid_kernel<Storage, Collision, free_slip>,
                {blocks.count(), fluid_threads}, queue,
                make_arguments<Storage, Collision, free_slip>(device, launch), blocks);
}

// By 2 % in half precision, by less than 1 % else (H100).
template <class Storage>
constexpr bool faster_without_slip = sizeof(typename Storage::Value) == 2 &&
                                     !holds_moments<Storage>;

}  // namespace

void launch_fluid_update(const DeviceLattice& device, const UpdateLaunch& launch,
                         const LaunchQueue& queue) {
  visit_update_with_slip(
      device.lattice, [&]<class Storage, class Collision, bool free_slip>(
                          Storage, std::type_identity<Collision>, std::bool_constant<free_slip>) {
        if constexpr (!Storage::Set::has_fluid_planes) {
          throw std::logic_error("launch_fluid_update: not with this velocity set");
        } else if constexpr (sizeof(typename Storage::Real) == 8) {
          launch_for<Storage, AnyCollision<Storage>, true>(device, launch, queue);
        } else {
          launch_for<Storage, Collision, free_slip || !faster_without_slip<Storage>>(device, launch,
                                                                                     queue);
        }
      });
}

}  // namespace lbm::cuda
