// The main update of some tiles: of those that a pass of two steps leaves out, one step at a time.
#include "solver/backend/cuda/kernels/check.hpp"
#include "solver/backend/cuda/kernels/launch_shape.hpp"
#include "solver/backend/cuda/passes/pair_kernel.hpp"
#include "solver/update/update_cells.hpp"

namespace lbm::cuda {
namespace {

constexpr unsigned tile_threads = 256;

struct TileList {
  const PlaneTile* tiles;  // one for each block
  TileSize size;
  int across;  // tiles in a row of tiles
  int halo;    // cells around a tile
};

// Wraps a coordinate along a periodic axis; false where a wall is in the way.
LBM_HD bool wrapped(int& i, int n, bool periodic) {
  if (i >= 0 && i < n) return true;
  i += i < 0 ? n : -n;
  return periodic && i >= 0 && i < n;
}

template <class Storage, class Collision>
__global__ void __launch_bounds__(tile_threads)
    tile_kernel(const __grid_constant__ UpdateArguments<Storage, Collision> args,
                const TileList list) {
  wait_for_launch_before();
  const auto& params = args.params;
  const PlaneLayout& layout = params.layout;
  const PlaneTile tile = list.tiles[blockIdx.x];
  int plane = tile.z - args.launch.first_plane;
  if (plane < 0) plane += params.nz;
  const InputPlanes<Storage> in = args.input(plane);
  typename Storage::Value* out = args.slot(args.launch.out[plane]);
  const std::uint32_t* solids = params.boundaries.solid_plane(tile.z);

  const int width = list.size.nx + 2 * list.halo, height = list.size.ny + 2 * list.halo;
  // Cells of the halo wrap around, those beyond the last column or row do not exist.
  const int x0 = tile.tile % list.across * list.size.nx,
            y0 = tile.tile / list.across * list.size.ny;
  const int last_x = min(x0 + list.size.nx, layout.nx) - 1 + list.halo;
  const int last_y = min(y0 + list.size.ny, layout.ny) - 1 + list.halo;
  LBM_NO_UNROLL
  for (int i = static_cast<int>(threadIdx.x); i < width * height; i += tile_threads) {
    int x = x0 - list.halo + i % width, y = y0 - list.halo + i / width;
    if (x > last_x || y > last_y) continue;
    if (!wrapped(x, layout.nx, (params.walls.faces & x_min) == 0)) continue;
    if (!wrapped(y, layout.ny, (params.walls.faces & y_min) == 0)) continue;
    const unsigned touched[1] = {
        touched_faces(params.walls.faces, x, y, tile.z, layout.nx, layout.ny, params.nz)};
    const bool solid[1] = {solids != nullptr && params.boundaries.is_set(solids, x, y)};
    update_linked<Storage, 1>(params, in, out, x, y, touched, solid);
  }
}

}  // namespace

void launch_tiles(const DeviceLattice& device, const UpdateLaunch& launch, const PlaneTile* tiles,
                  std::size_t count, int halo, bool overlap, cudaStream_t stream) {
  if (count == 0) return;
  const TileSize size = pass_tile(device.lattice.storage);
  const TileList list{tiles, size, size.across(device.lattice.layout), halo};
  visit_update(device.lattice,
               [&]<class Storage, class Collision>(Storage, std::type_identity<Collision>) {
                 const LaunchShape shape({static_cast<unsigned>(count), 1, 1}, {tile_threads, 1, 1},
                                         overlap, stream);
                 check(cudaLaunchKernelEx(shape.config(), tile_kernel<Storage, Collision>,
                                          make_arguments<Storage, Collision>(device, launch), list),
                       "kernel of tiles");
               });
}

}  // namespace lbm::cuda
