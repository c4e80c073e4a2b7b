// SPDX-License-Identifier: Apache-2.0

// Cells in sponges, after the other kernels of a step (solver/lattice/sponge.hpp).
#include <algorithm>

#include "solver/backend/cuda/kernels/check.hpp"
#include "solver/backend/cuda/kernels/launch_shape.hpp"
#include "solver/backend/cuda/kernels/plane_blocks.hpp"
#include "solver/backend/cuda/kernels/update_kernel.hpp"
#include "solver/update/sponge_cells.hpp"

namespace lbm::cuda {
namespace {

constexpr unsigned sponge_threads = 128;

// The cells of a plane in sponges: the y_low first and y_high last rows, and of each other row the
// x_low first and x_high last cells.
struct SpongeShape {
  int y_low, y_high, x_low, x_high;

  template <class Storage>
  LBM_HD SpongeShape(const SpongeCells<Storage>& sponge, int z) {
    const bool whole = sponge.reaches(2, z);
    y_low = whole ? sponge.n[1] : reach(sponge, 1, 0, sponge.n[1]);
    y_high = reach(sponge, 1, 1, sponge.n[1] - y_low);
    x_low = reach(sponge, 0, 0, sponge.n[0]);
    x_high = reach(sponge, 0, 1, sponge.n[0] - x_low);
  }
  // Cells in the layer before the lower (side 0) or upper face of an axis, at most `most`.
  template <class Storage>
  static LBM_HD int reach(const SpongeCells<Storage>& sponge, int axis, int side, int most) {
    const bool has = (sponge.faces >> (2 * axis + side) & 1U) != 0;
    return !has ? 0 : (sponge.cells < most ? sponge.cells : most);
  }
  LBM_HD int count(int nx, int ny) const {
    const int rows = y_low + y_high;
    return rows * nx + (ny - rows) * (x_low + x_high);
  }
};

template <class Storage>
struct SpongeArguments {
  SpongeCells<Storage> sponge;
  PlaneLayout layout;
  BoundaryView boundaries;
  UpdateLaunch launch;
  std::byte* slots;
};

template <class Storage>
__global__ void __launch_bounds__(sponge_threads)
    sponge_kernel(const __grid_constant__ SpongeArguments<Storage> args,
                  const __grid_constant__ PlaneBlocks blocks) {
  using Real = typename Storage::Real;
  wait_for_launch_before();
  const SpongeCells<Storage>& sponge = args.sponge;
  const int nx = sponge.n[0], ny = sponge.n[1], nz = sponge.n[2];
  const int plane = blocks.plane_of(blockIdx.x), z = args.launch.z_of(plane, nz);
  const SpongeShape shape(sponge, z);
  int i = static_cast<int>((blockIdx.x - blocks.first[plane]) * sponge_threads + threadIdx.x);
  if (i >= shape.count(nx, ny)) return;
  int x = 0, y = 0;
  const int rows = shape.y_low + shape.y_high;
  if (i < rows * nx) {
    x = i % nx;
    y = i / nx;
    if (y >= shape.y_low) y += ny - rows;
  } else {
    i -= rows * nx;
    const int width = shape.x_low + shape.x_high;
    x = i % width;
    y = shape.y_low + i / width;
    if (x >= shape.x_low) x += nx - width;
  }
  if (args.boundaries.is_solid(x, y, z)) return;
  // In this order on CPUs, too.
  const Real share = (sponge.share(1, y) + sponge.share(2, z)) + sponge.share(0, x);
  auto* const cell = reinterpret_cast<typename Storage::Value*>(
                         args.slots + args.launch.out[plane] * args.layout.bytes) +
                     args.layout.index(0, y, x);
  const auto rounding = Storage::rounding(sponge.rounding, Storage::load_scaled(cell[0]));
  LBM_UNROLL
  for (int v = 0; v < Storage::values; ++v) {
    auto& value = cell[v * args.layout.pitch];
    value = Storage::store_rounded(sponge.relaxed(v, Storage::load_scaled(value), share), rounding);
  }
}

}  // namespace

void launch_sponge_cells(const DeviceLattice& device, const UpdateLaunch& launch, bool overlap,
                         cudaStream_t stream) {
  const Lattice& lattice = device.lattice;
  if (!lattice.sponge.any()) return;
  visit_storage(lattice, [&](auto storage) {
    using Storage = decltype(storage);
    const auto sponge = make_sponge_cells<Storage>(lattice, launch.step);
    const PlaneBlocks blocks = make_plane_blocks(
        launch, lattice.nz, sponge_threads,
        [&](int, int z) { return SpongeShape(sponge, z).count(sponge.n[0], sponge.n[1]); });
    if (blocks.count() == 0) return;
    const LaunchShape shape({blocks.count(), 1, 1}, {sponge_threads, 1, 1}, overlap, stream);
    const SpongeArguments<Storage> arguments{sponge, lattice.layout, device.boundaries, launch,
                                             device.slots};
    check(cudaLaunchKernelEx(shape.config(), sponge_kernel<Storage>, arguments, blocks),
          "kernel of cells in sponges");
  });
}

}  // namespace lbm::cuda
