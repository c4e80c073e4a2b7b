// SPDX-License-Identifier: Apache-2.0

// One step of the special fluid cells (special_cells.hpp) by the main update, with the shift of the
// walls that the pass itself shifts. Solid cells become zero.
#include "solver/backend/cuda/kernels/launch_shape.hpp"
#include "solver/backend/cuda/kernels/launches.hpp"
#include "solver/backend/cuda/kernels/wall_cell.hpp"
#include "solver/backend/cuda/passes/pair_arguments.hpp"
#include "solver/update/update_cells.hpp"

namespace lbm::cuda {
namespace {

constexpr unsigned special_threads = 128;
constexpr unsigned cells_per_word = 32;  // a warp

// Threads for the solid cells of a plane: whole blocks, so that no block does both kinds.
LBM_HD unsigned threads_for_solids(const SpecialRange& range) {
  return (cells_per_word * range.solid.count + special_threads - 1) / special_threads *
         special_threads;
}

template <class Storage, class Collision>
__global__ void __launch_bounds__(special_threads)
    special_kernel(const __grid_constant__ UpdateArguments<Storage, Collision> args,
                   const SpecialView special, const __grid_constant__ PlaneBlocks blocks) {
  wait_for_launch_before();
  const int plane = blocks.plane_of(blockIdx.x);
  const auto& params = args.params;
  const PlaneLayout& layout = params.layout;
  const int z = args.z_of(plane);
  const SpecialRange range = special.range_of[z];
  unsigned i = (blockIdx.x - blocks.first[plane]) * special_threads + threadIdx.x;
  typename Storage::Value* const out = args.slot(args.launch.out[plane]);
  const unsigned before = threads_for_solids(range);
  if (i < before) {
    if (i / cells_per_word >= range.solid.count) return;
    const std::uint32_t word = special.words_with_solids[range.solid.first + i / cells_per_word];
    const int y = static_cast<int>(word) / params.boundaries.words_per_row;
    const int x = (static_cast<int>(word) - y * params.boundaries.words_per_row) *
                      static_cast<int>(cells_per_word) +
                  static_cast<int>(i % cells_per_word);
    if (!params.boundaries.is_set(params.boundaries.solid_plane(z), x, y)) return;
    typename Storage::Value* const cell = out + y * layout.row + x;
    LBM_UNROLL
    for (int v = 0; v < Storage::values; ++v) cell[v * layout.pitch] = typename Storage::Value{};
    return;
  }
  i -= before;
  if (i >= range.fluid.count) return;
  const std::uint32_t cell = special.cells[range.fluid.first + i];
  const int x = static_cast<int>(cell % static_cast<unsigned>(layout.nx));
  const int y = static_cast<int>(cell / static_cast<unsigned>(layout.nx));
  const unsigned touched[1] = {
      touched_faces(params.walls.faces, x, y, z, layout.nx, layout.ny, params.nz)};
  const bool solid[1] = {false};
  if constexpr (FiltersStress<Collision>) {
    if ((touched[0] & special.walls) != 0) return update_wall_cell(args, plane, x, y, z);
  }
  update_linked<Storage, 1>(params, args.input(plane), out, x, y, touched, solid);
}

}  // namespace

void launch_special_cells(const DeviceLattice& device, const UpdateLaunch& launch,
                          const SpecialView& special, const SpecialCells& cells,
                          std::uint64_t chosen, const LaunchQueue& queue) {
  const PlaneBlocks blocks =
      make_plane_blocks(launch, device.lattice.nz, special_threads, [&](int i, int z) {
        const SpecialRange& range = cells.range_of[static_cast<std::size_t>(z)];
        return (chosen >> i & 1U) == 0 ? 0U : threads_for_solids(range) + range.fluid.count;
      });
  visit_update(
      device.lattice, [&]<class Storage, class Collision>(Storage, std::type_identity<Collision>) {
        if constexpr (has_passes(Storage::type) && Storage::Set::has_pair_pass &&
                      Collision::has_pair_pass) {
          launch_kernel("kernel of special cells", special_kernel<Storage, Collision>,
                        {blocks.count(), special_threads}, queue,
                        make_arguments<Storage, Collision>(device, launch), special, blocks);
        }
      });
}

}  // namespace lbm::cuda
