// SPDX-License-Identifier: Apache-2.0

// The update of a launch where only fluid cells are stored: a thread for each fluid cell.
#include "solver/backend/cuda/kernels/launch_shape.hpp"
#include "solver/backend/cuda/kernels/launches.hpp"
#include "solver/collision/collisions.hpp"
#include "solver/update/fluid_cells.hpp"

namespace lbm::cuda {
namespace {

constexpr unsigned fluid_threads = 128;

// Blocks on a multiprocessor at a time: 48 registers a thread. Without the bound single precision
// takes 64 to 72, and half precision is 6 % slower (H100).
template <class Storage>
constexpr unsigned fluid_blocks = sizeof(typename Storage::Real) == 8 ? 1 : 10;

struct FluidCell {
  int x, y;
};

// Fluid cell `number` of a plane: the last word with no more fluid cells before it, and the bit of
// that word. The threads of a warp search the few words that their 32 cells lie in.
__device__ FluidCell find_cell(const FluidPlane& plane, int number) {
  int low = static_cast<int>(plane.starts[number / 32]);
  int high = static_cast<int>(plane.starts[number / 32 + 1]);
  while (low < high) {
    const int middle = low + (high - low + 1) / 2;
    if (plane.words[middle].first() <= number) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  const FluidWord word = plane.words[low];
  int left = number - word.first(), bit = 0;
  std::uint32_t fluid = word.fluid;
  LBM_UNROLL
  for (int step = 16; step > 0; step /= 2) {
    const int lower = count_bits(fluid & ((1U << step) - 1));
    if (left < lower) continue;
    left -= lower;
    fluid >>= step;
    bit += step;
  }
  const int y = low / plane.words_per_row;
  return {(low - y * plane.words_per_row) * 32 + bit, y};
}

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
  const int number =
      static_cast<int>((blockIdx.x - blocks.first[plane]) * fluid_threads + threadIdx.x);
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
  const auto& fluid_cells = device.host->fluid_cells();
  const PlaneBlocks blocks =
      make_plane_blocks(launch, device.lattice.nz, fluid_threads,
                        [&](int, int z) { return fluid_cells[static_cast<std::size_t>(z)]; });
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
