// SPDX-License-Identifier: Apache-2.0

// The last kernels of a step, after the update and the boundary cells: cells under a force that
// depends on the place, then cells in sponges (solver/update/late_cells.hpp).
#include <algorithm>

#include "solver/backend/cuda/kernels/launch_shape.hpp"
#include "solver/update/late_cells.hpp"

namespace lbm::cuda {
namespace {

constexpr unsigned late_threads = 128;

template <class Storage, class Cells>
struct LateArguments {
  Cells cells;
  PlaneLayout layout;
  int nz;
  BoundaryView boundaries;
  UpdateLaunch launch;
  std::byte* slots;

  // The first value of a cell in an output plane of the launch.
  LBM_HD typename Storage::Value* cell(int plane, int x, int y) const {
    return reinterpret_cast<typename Storage::Value*>(slots + launch.out[plane] * layout.bytes) +
           layout.index(0, y, x);
  }
};

template <class Storage>
__device__ void push_cell(const LateArguments<Storage, ForcedCells<Storage>>& args, int plane,
                          int i, std::int64_t* bodies, BodyLoad& load) {
  using Real = typename Storage::Real;
  const PlaneLayout& layout = args.layout;
  if (i >= layout.nx * layout.ny) return;
  const int y = i / layout.nx, x = i - y * layout.nx, z = args.launch.z_of(plane, args.nz);
  if (args.boundaries.is_solid(x, y, z)) return;
  auto* const cell = args.cell(plane, x, y);
  const ForceVector<Real> force = args.cells.force_at(
      args.boundaries, x, y, z, [&](int v) { return Storage::load_scaled(cell[v * layout.pitch]); },
      bodies, load);
  if (force.x == 0 && force.y == 0 && force.z == 0) return;
  Real values[Storage::values];
  LBM_UNROLL
  for (int v = 0; v < Storage::values; ++v)
    values[v] = Storage::load_scaled(cell[v * layout.pitch]);
  args.cells.push(values, force);
  const auto rounding = Storage::rounding(args.cells.rounding, values[0]);
  LBM_UNROLL
  for (int v = 0; v < Storage::values; ++v) {
    cell[v * layout.pitch] = Storage::store_rounded(values[v], rounding);
  }
}

// record: of the step, or null.
template <class Storage>
__global__ void __launch_bounds__(late_threads)
    force_kernel(const __grid_constant__ LateArguments<Storage, ForcedCells<Storage>> args,
                 const __grid_constant__ PlaneBlocks blocks, std::int64_t* record) {
  wait_for_launch_before();
  const int plane = blocks.plane_of(blockIdx.x);
  const int i = static_cast<int>((blockIdx.x - blocks.first[plane]) * late_threads + threadIdx.x);
  const bool counts = record != nullptr && (args.launch.counted >> plane & 1U) != 0;
  std::int64_t* const bodies = counts ? record + flow_values : nullptr;
  BodyLoad load;
  push_cell(args, plane, i, bodies, load);
  if (counts) add_of_warp(load, bodies);
}

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
__global__ void __launch_bounds__(late_threads)
    sponge_kernel(const __grid_constant__ LateArguments<Storage, SpongeCells<Storage>> args,
                  const __grid_constant__ PlaneBlocks blocks) {
  using Real = typename Storage::Real;
  wait_for_launch_before();
  const SpongeCells<Storage>& sponge = args.cells;
  const int nx = sponge.n[0], ny = sponge.n[1], nz = sponge.n[2];
  const int plane = blocks.plane_of(blockIdx.x), z = args.launch.z_of(plane, nz);
  const SpongeShape shape(sponge, z);
  int i = static_cast<int>((blockIdx.x - blocks.first[plane]) * late_threads + threadIdx.x);
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
  auto* const cell = args.cell(plane, x, y);
  const auto rounding = Storage::rounding(sponge.rounding, Storage::load_scaled(cell[0]));
  LBM_UNROLL
  for (int v = 0; v < Storage::values; ++v) {
    auto& value = cell[v * args.layout.pitch];
    value = Storage::store_rounded(sponge.relaxed(v, Storage::load_scaled(value), share), rounding);
  }
}

// cells_of(z): how many cells of plane z the kernel does, a thread each.
template <class Storage, class Cells, class CellsOf, class... More>
void launch_late(const char* name,
                 void (*kernel)(LateArguments<Storage, Cells>, PlaneBlocks, More...),
                 const Cells& cells, const DeviceLattice& device, const UpdateLaunch& launch,
                 const LaunchQueue& queue, const CellsOf& cells_of, More... more) {
  const Lattice& lattice = device.lattice;
  const PlaneBlocks blocks =
      make_plane_blocks(launch, lattice.nz, late_threads, [&](int, int z) { return cells_of(z); });
  launch_kernel(name, kernel, {blocks.count(), late_threads}, queue,
                LateArguments<Storage, Cells>{cells, lattice.layout, lattice.nz, device.boundaries,
                                              launch, device.slots},
                blocks, more...);
}

}  // namespace

void launch_forced_cells(const DeviceLattice& device, const UpdateLaunch& launch,
                         const LaunchQueue& queue) {
  if (device.boundaries.forces == nullptr) return;
  std::int64_t* const record =
      device.boundaries.zones == nullptr ? nullptr : device.record(launch.step + 1);
  visit_storage(device.lattice, [&]<class Storage>(Storage) {
    launch_late<Storage>(
        "kernel of cells under a force that depends on the place", force_kernel<Storage>,
        make_forced_cells<Storage>(device.lattice, device.host, launch.step), device, launch, queue,
        [&](int z) { return device.host->has_force(z) ? device.lattice.layout.cells() : 0; },
        record);
  });
}

void launch_sponge_cells(const DeviceLattice& device, const UpdateLaunch& launch,
                         const LaunchQueue& queue) {
  if (!device.lattice.sponge.any()) return;
  visit_storage(device.lattice, [&]<class Storage>(Storage) {
    const auto sponge = make_sponge_cells<Storage>(device.lattice, launch.step);
    launch_late<Storage>(
        "kernel of cells in sponges", sponge_kernel<Storage>, sponge, device, launch, queue,
        [&](int z) { return SpongeShape(sponge, z).count(sponge.n[0], sponge.n[1]); });
  });
}

}  // namespace lbm::cuda
