// SPDX-License-Identifier: Apache-2.0

// The update of all cells of a launch, and the launches that make one step.
#include "solver/backend/cuda/kernels/launch_shape.hpp"
#include "solver/backend/cuda/kernels/launches.hpp"
#include "solver/update/update_cells.hpp"

namespace lbm::cuda {
namespace {

// Neighbours in x that one thread updates: two for populations in half precision. With one,
// instructions would limit the kernel, not the memory.
template <class Storage>
constexpr int cells_per_thread = sizeof(typename Storage::Value) == 2 && !holds_moments<Storage>
                                     ? 2
                                     : 1;

// A block keeps its registers until its slowest warp is done. With two cells a thread, warps at the
// ends of rows are slow; so blocks are small.
template <class Storage>
constexpr unsigned update_threads = cells_per_thread<Storage> == 1 ? threads_per_block : 64;

// The same where a long collision follows: with walls and a lid blocks of 64 threads are 5 to 12 %
// faster (docs/lab/performance.md).
template <class Storage, class Collision>
constexpr bool has_small_blocks = sizeof(typename Storage::Value) == 4 &&
                                  !FiltersStress<Collision> &&
                                  (Storage::Set::directions == 27
                                       ? !std::is_same_v<Collision, Bgk<Storage>>
                                       : !Collision::has_pair_pass);

// x is fastest; blockIdx.z is the plane of the launch. A warp without solid cells and cells at y or
// z faces takes the fast path update_fluid, also at the ends of rows: the code of a third path
// would not stay in the instruction cache. The choice is uniform in the warp.
template <class Storage, class Collision, bool free_slip>
__global__ void __launch_bounds__(update_threads<Storage>)
    update_kernel(const __grid_constant__ UpdateArguments<Storage, Collision, free_slip> args) {
  wait_for_launch_before();
  constexpr int cells = cells_per_thread<Storage>;
  const PlaneLayout& layout = args.params.layout;
  const int x = cells * static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int plane = static_cast<int>(blockIdx.z);
  if (x >= layout.nx || y >= layout.ny) return;
  const int z = args.z_of(plane);
  const InputPlanes<Storage> in = args.input(plane);
  typename Storage::Value* out = args.slot(args.launch.out[plane]);

  const std::uint32_t* solids = args.params.boundaries.solid_plane(z);
  constexpr unsigned solid_bit = z_max << 1;  // beside the bits of the faces
  unsigned touched[cells], other = 0;         // other: reasons against update_fluid
  bool solid[cells];
  LBM_UNROLL
  for (int i = 0; i < cells; ++i) {
    touched[i] = 0;
    solid[i] = false;
    if (x + i >= layout.nx) continue;
    touched[i] =
        touched_faces(args.params.walls.faces, x + i, y, z, layout.nx, layout.ny, args.params.nz);
    if (solids != nullptr) solid[i] = args.params.boundaries.is_set(solids, x + i, y);
    other |= (touched[i] & ~(x_min | x_max)) | (solid[i] ? solid_bit : 0U);
  }
  const bool row_end = x == 0 || x + cells >= layout.nx;
  const unsigned active = __activemask();
  if constexpr (holds_moments<Storage>) {
    // Without walls and solids the same gather is free of branches.
    if (!__any_sync(active, other != 0 || touched[0] != 0)) touched[0] = 0, solid[0] = false;
  } else {
    if (layout.nx > cells && !__any_sync(active, other != 0)) {
      const bool at_end = __any_sync(active, row_end);
      return update_fluid<Storage, cells>(args.params, in, out, x, y, at_end);
    }
  }
  update_linked<Storage, cells>(args.params, in, out, x, y, touched, solid);
}

template <class Storage, class Collision, bool free_slip>
void launch_for(const DeviceLattice& device, const UpdateLaunch& launch, const LaunchQueue& queue) {
  const unsigned columns =
      (device.lattice.layout.nx + cells_per_thread<Storage> - 1) / cells_per_thread<Storage>;
  const dim3 block =
      block_of(columns, has_small_blocks<Storage, Collision> ? 64 : update_threads<Storage>);
  const dim3 grid((columns + block.x - 1) / block.x,
                  (device.lattice.layout.ny + block.y - 1) / block.y,
                  static_cast<unsigned>(launch.count));
  launch_kernel("update kernel", update_kernel<Storage, Collision, free_slip>, {grid, block}, queue,
                make_arguments<Storage, Collision, free_slip>(device, launch));
}

}  // namespace

void launch_update(const DeviceLattice& device, const UpdateLaunch& launch,
                   const LaunchQueue& queue) {
  visit_update_with_slip(
      device.lattice, [&]<class Storage, class Collision, bool free_slip>(
                          Storage, std::type_identity<Collision>, std::bool_constant<free_slip>) {
        launch_for<Storage, Collision, free_slip>(device, launch, queue);
      });
}

void launch_boundary_cells(const DeviceLattice& device, const UpdateLaunch& launch,
                           const LaunchQueue& queue) {
  visit_number(device.lattice.storage, [&](auto number) {
    launch_boundary_cells_of<decltype(number)>(device, launch, queue);
  });
}

void launch_scalars(const DeviceLattice& device, const UpdateLaunch& launch,
                    const LaunchQueue& queue) {
  if (device.lattice.scalars.empty()) return;
  visit_number(device.lattice.storage,
               [&](auto number) { launch_scalars_of<decltype(number)>(device, launch, queue); });
}

bool launch_step_with_scalars(const DeviceLattice& device, const UpdateLaunch& launch,
                              const LaunchQueue& queue) {
  if (device.lattice.scalars.empty()) return false;
  return visit_number(device.lattice.storage, [&](auto number) {
    return launch_step_with_scalars_of<decltype(number)>(device, launch, queue);
  });
}

void launch_step(const DeviceLattice& device, const UpdateLaunch& launch,
                 const LaunchQueue& queue) {
  if (device.lattice.layout.fluid_only) {
    launch_fluid_update(device, launch, queue);
    launch_boundary_cells(device, launch, queue);
    return launch_scalars(device, launch, queue);
  }
  if (launch_step_with_scalars(device, launch, queue)) return;
  launch_update(device, launch, queue);
  launch_wall_cells(device, launch, 0, queue);
  launch_boundary_cells(device, launch, queue);
  launch_immersed_cells(device, launch, queue);
  launch_forced_cells(device, launch, queue);
  launch_sponge_cells(device, launch, queue);
  launch_scalars(device, launch, queue);
}

}  // namespace lbm::cuda
