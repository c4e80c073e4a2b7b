// SPDX-License-Identifier: Apache-2.0

// The scalars of all cells (solver/update/scalar_cells.hpp): in the last kernel of a step, or in
// one kernel with the main update of the flow, where that and the second pass are all that a step
// does.
#include "solver/backend/cuda/kernels/fluid_cell.hpp"
#include "solver/backend/cuda/kernels/launches.hpp"
#include "solver/update/make_scalar_cells.hpp"
#include "solver/update/scalar_cell.hpp"

namespace lbm::cuda {
namespace {

template <class Storage>
struct ScalarArguments {
  ScalarCells<Storage> cells;
  UpdateLaunch launch;
  std::byte* slots;
  std::int64_t* heat;  // of body 0 in the record of the step; null: not counted

  LBM_HD typename Storage::Value* slot(int index) const {
    return reinterpret_cast<typename Storage::Value*>(slots + index * cells.layout.bytes);
  }
};

// Cells at faces and solid cells have a launch of their own: their code takes so many registers
// that it would slow all others.
template <class Storage, bool between_cells>
__global__ void __launch_bounds__(threads_per_block)
    scalar_kernel(const __grid_constant__ ScalarArguments<Storage> args) {
  wait_for_launch_before();
  const PlaneLayout& layout = args.cells.layout;
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int plane = static_cast<int>(blockIdx.z);
  const UpdateLaunch& launch = args.launch;
  const bool counted = args.heat != nullptr && (launch.counted >> plane & 1U) != 0;
  GivenHeat heat{counted ? args.heat : nullptr, args.cells.count, {}};
  if (x < layout.nx && y < layout.ny) {
    const InputPlanes<Storage> in{{args.slot(launch.in[plane]), args.slot(launch.in[plane + 1]),
                                   args.slot(launch.in[plane + 2])}};
    update_scalars<between_cells>(args.cells, in, x, y, launch.z_of(plane, args.cells.nz),
                                  args.slot(launch.out[plane]) + layout.index(0, y, x),
                                  counted ? &heat : nullptr);
  }
  if (!between_cells && counted) add_of_warp(heat.sums, args.heat, args.cells.count);
}

// The same where only fluid cells are stored.
template <class Storage>
__global__ void __launch_bounds__(fluid_threads)
    fluid_scalar_kernel(const __grid_constant__ ScalarArguments<Storage> args,
                        const __grid_constant__ PlaneBlocks blocks) {
  wait_for_launch_before();
  const auto& cells = args.cells;
  const UpdateLaunch& launch = args.launch;
  const int plane = blocks.plane_of(blockIdx.x), z = launch.z_of(plane, cells.nz);
  const int number = fluid_number(blocks, plane);
  const bool counted = args.heat != nullptr && (launch.counted >> plane & 1U) != 0;
  GivenHeat heat{counted ? args.heat : nullptr, cells.count, {}};
  const FluidPlanesAround planes(cells.boundaries, z, cells.nz);
  if (number < planes.plane[1].cells(cells.layout.ny)) {
    const InputPlanes<Storage> in{{args.slot(launch.in[plane]), args.slot(launch.in[plane + 1]),
                                   args.slot(launch.in[plane + 2])}};
    const auto [x, y] = find_cell(planes.plane[1], number);
    const FluidAxisOffsets at(planes, cells.layout, x, y);
    update_fluid_scalars<false>(
        ScalarCell<Storage, FluidAxisOffsets>(cells, in, at, x, y, z, counted ? &heat : nullptr),
        args.slot(launch.out[plane]) + at.of(0, 0, 0));
  }
  if (counted) add_of_warp(heat.sums, args.heat, cells.count);
}

// The same for cells of the second pass, which step_kernel() leaves out.
template <class Storage>
__global__ void __launch_bounds__(fluid_threads)
    boundary_scalar_kernel(const __grid_constant__ ScalarArguments<Storage> args,
                           const __grid_constant__ PlaneBlocks blocks) {
  wait_for_launch_before();
  const auto& cells = args.cells;
  const PlaneLayout& layout = cells.layout;
  const UpdateLaunch& launch = args.launch;
  const int plane = blocks.plane_of(blockIdx.x), z = launch.z_of(plane, cells.nz);
  const int i = static_cast<int>((blockIdx.x - blocks.first[plane]) * blockDim.x + threadIdx.x);
  const bool counted = args.heat != nullptr && (launch.counted >> plane & 1U) != 0;
  GivenHeat heat{counted ? args.heat : nullptr, cells.count, {}};
  const unsigned faces = cells.boundaries.second_pass_faces();
  const BoundaryPlace found = find_boundary_cell(cells.boundaries, faces, layout, cells.nz, z, i);
  const auto [x, y] = found.place;
  if (found.any) {
    const InputPlanes<Storage> in{{args.slot(launch.in[plane]), args.slot(launch.in[plane + 1]),
                                   args.slot(launch.in[plane + 2])}};
    const CellOffsets at(layout, x, y);
    update_fluid_scalars<false>(
        ScalarCell<Storage>(cells, in, at, x, y, z, counted ? &heat : nullptr),
        args.slot(launch.out[plane]) + layout.index(0, y, x));
  }
  if (counted) add_of_warp(heat.sums, args.heat, cells.count);
}

template <class Storage, class Collision>
struct StepArguments {
  UpdateArguments<Storage, Collision> flow;
  ScalarCells<Storage> cells;
};

// Without the way back through memory that scalar_kernel() has: 184 bytes of fp32 a cell with one
// scalar, not 336. Cells of the second pass are left out.
//
// Blocks of a strip of rows do all planes of the launch before those of the next strip: what a cell
// reads of the planes beside its own is then in the L2 cache. blockIdx.y: in the strip; blockIdx.z:
// of the strip and the plane.
template <class Storage, class Collision, bool turbulent>
__global__ void __launch_bounds__(threads_per_block, holds_moments<Storage> ? 3 : 0)
    step_kernel(const __grid_constant__ StepArguments<Storage, Collision> args) {
  using Real = typename Storage::Real;
  wait_for_launch_before();
  const auto& params = args.flow.params;
  const PlaneLayout& layout = params.layout;
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const unsigned planes = static_cast<unsigned>(args.flow.launch.count);
  const unsigned strip = blockIdx.z / planes;
  const int y = static_cast<int>((strip * gridDim.y + blockIdx.y) * blockDim.y + threadIdx.y);
  const int plane = static_cast<int>(blockIdx.z - strip * planes);
  if (x >= layout.nx || y >= layout.ny) return;
  const int z = args.flow.z_of(plane);
  const InputPlanes<Storage> in = args.flow.input(plane);
  auto* const out = args.flow.slot(args.flow.launch.out[plane]) + layout.index(0, y, x);
  const BoundaryView& view = params.boundaries;
  if (view.boundary_pass_faces != 0 || view.mask_of != nullptr) {
    const std::uint32_t* const solids = view.solid_plane(z);
    if (solids != nullptr && view.is_set(solids, x, y)) {
      for (int v = 0; v < Storage::values + values_per_scalar; ++v) {
        out[v * layout.pitch] = typename Storage::Value{};
      }
      return;
    }
    if ((solids != nullptr && view.is_set(solids + view.mask_words, x, y)) ||
        touched_faces(view.second_pass_faces(), x, y, z, layout.nx, layout.ny, params.nz) != 0) {
      return;
    }
  }
  const CellOffsets at(layout, x, y);
  const unsigned touched =
      touched_faces(params.walls.faces, x, y, z, layout.nx, layout.ny, params.nz);
  Real g[Storage::Set::directions];
  const Real own[1] = {Storage::load_scaled(
      in.plane[1][ScalarCells<Storage>::first(0) * layout.pitch + at.of(0, 0, 0)])};
  ScalarMoments<Real> streamed[1];
  if (!__any_sync(__activemask(), touched != 0)) {
    LBM_UNROLL
    for (int q = 0; q < Storage::Set::directions; ++q) {
      g[q] = population_at<Storage>(in.plane[1 - cz(q)], at.of(-cx(q), -cy(q), 0), layout.pitch, q);
    }
    streamed[0] = streamed_between_cells(args.cells, in, at, 0, own[0]);
  } else {
    const LinkGather gather{params, in, at, touched};
    LBM_UNROLL
    for (int q = 0; q < Storage::Set::directions; ++q) g[q] = gather(q);
    streamed[0] = ScalarCell<Storage>(args.cells, in, at, x, y, z).streamed(0);
  }
  collide_cell(params.collision, g, [](int) { return Real(0); });
  Real values[Storage::values];
  LBM_UNROLL
  for (int v = 0; v < Storage::values; ++v) values[v] = g[v];
  finish_scalars<turbulent>(args.cells, streamed, own, values, out);
  const auto rounding = Storage::rounding(params.rounding, values[0]);
  LBM_UNROLL
  for (int v = 0; v < Storage::values; ++v) {
    out[v * layout.pitch] = Storage::store_rounded(values[v], rounding);
  }
}

dim3 grid_of(const Lattice& lattice, const dim3& block, int planes) {
  return {(lattice.layout.nx + block.x - 1) / block.x, (lattice.layout.ny + block.y - 1) / block.y,
          static_cast<unsigned>(planes)};
}

// The same for step_kernel().
dim3 grid_of_strips(const Lattice& lattice, const dim3& block, int planes) {
  constexpr int cells_of_strip = 1 << 16;
  dim3 grid = grid_of(lattice, block, planes);
  const unsigned rows = grid.y;  // of blocks
  constexpr unsigned most_z = 65535;
  const unsigned of_strip = cells_of_strip / lattice.layout.nx / block.y;
  const unsigned least = (rows * grid.z + most_z - 1) / most_z;  // so that grid.z has room
  grid.y = std::clamp(std::max(of_strip, least), 1U, rows);
  grid.z *= (rows + grid.y - 1) / grid.y;
  return grid;
}

template <class Storage>
ScalarArguments<Storage> scalar_arguments(const DeviceLattice& device, const UpdateLaunch& launch) {
  const Lattice& lattice = device.lattice;
  std::int64_t* const record = lattice.counts_heat ? device.record(launch.step + 1) : nullptr;
  return {make_scalar_cells<Storage>(lattice, device.boundaries, launch.step), launch, device.slots,
          record == nullptr ? nullptr : record + first_heat_value(device.boundaries.body_count)};
}

// Models with a kernel of their own: few, as each takes long to compile.
template <class Storage, class Collision>
constexpr bool has_step_kernel =
    sizeof(typename Storage::Real) == 4 && std::is_same_v<typename Storage::Set, D3Q19> &&
    !FiltersStress<Collision> && Collision::has_pair_pass;

}  // namespace

template <class Number>
bool launch_step_with_scalars_of(const DeviceLattice& device, const UpdateLaunch& launch,
                                 const LaunchQueue& queue) {
  const Lattice& lattice = device.lattice;
  const BoundaryView& view = device.boundaries;
  if (lattice.scalars.size() != 1 || view.forces != nullptr || lattice.sponge.any()) return false;
  const bool second_pass = view.boundary_pass_faces != 0 || view.mask_of != nullptr;
  // Half precision would round cells of both passes differently.
  if (second_pass &&
      (sizeof(typename Number::Value) == 2 || !lattice.scalars[0].conductors.empty() ||
       lattice.layout.nx == 1 || lattice.layout.ny == 1)) {
    return false;
  }
  bool launched = false;
  const auto launch_with = [&]<class Storage, class Collision>(Storage,
                                                               std::type_identity<Collision>) {
    if constexpr (has_step_kernel<Storage, Collision>) {
      const dim3 block = block_of(static_cast<unsigned>(lattice.layout.nx));
      const StepArguments<Storage, Collision> arguments{
          make_arguments<Storage, Collision>(device, launch),
          make_scalar_cells<Storage>(lattice, view, launch.step)};
      const auto launch_kernel_of = [&](auto turbulent) {
        launch_kernel("kernel of flow and scalars",
                      step_kernel<Storage, Collision, decltype(turbulent)::value>,
                      {grid_of_strips(lattice, block, launch.count), block}, queue, arguments);
      };
      if constexpr (requires(Collision c) { c.turbulence; }) {
        if (arguments.cells.turbulence.any()) {
          launch_kernel_of(std::true_type{});
        } else {
          launch_kernel_of(std::false_type{});
        }
      } else {
        launch_kernel_of(std::false_type{});
      }
      launched = true;
    }
  };
  visit_storage_of<Number>(lattice.cell_values(), [&]<class Storage>(Storage storage) {
    visit_collision<Storage>(lattice.collision,
                             [&](auto collision) { launch_with(storage, collision); });
    if (!launched || !second_pass || device.host == nullptr) return;
    launch_boundary_cells_of<Number>(device, launch, queue);
    const PlaneBlocks blocks =
        make_boundary_blocks(device, launch, view.second_pass_faces(), fluid_threads);
    launch_kernel("kernel of scalars of boundary cells", boundary_scalar_kernel<Storage>,
                  {blocks.count(), fluid_threads}, queue, scalar_arguments<Storage>(device, launch),
                  blocks);
  });
  return launched;
}

template <class Number>
void launch_scalars_of(const DeviceLattice& device, const UpdateLaunch& launch,
                       const LaunchQueue& queue) {
  const Lattice& lattice = device.lattice;
  const dim3 block = block_of(static_cast<unsigned>(lattice.layout.nx));
  const dim3 grid = grid_of(lattice, block, launch.count);
  visit_storage_of<Number>(lattice.cell_values(), [&]<class Storage>(Storage) {
    const auto arguments = scalar_arguments<Storage>(device, launch);
    if constexpr (Storage::Set::has_fluid_planes) {
      if (lattice.layout.fluid_only) {
        const PlaneBlocks blocks = make_fluid_blocks(device, launch);
        return launch_kernel("kernel of scalars of fluid cells", fluid_scalar_kernel<Storage>,
                             {blocks.count(), fluid_threads}, queue, arguments, blocks);
      }
    }
    launch_kernel("kernel of scalars", scalar_kernel<Storage, true>, {grid, block}, queue,
                  arguments);
    if (arguments.cells.closed == 0 && device.boundaries.mask_of == nullptr) return;
    launch_kernel("kernel of scalars at faces and bodies", scalar_kernel<Storage, false>,
                  {grid, block}, queue, arguments);
  });
}

// The kernels take long to compile: each number type, LBM_NUMBER, is compiled by itself
// (solver/CMakeLists.txt).
#define LBM_INSTANTIATE(Number)                                                                \
  template bool launch_step_with_scalars_of<Number>(const DeviceLattice&, const UpdateLaunch&, \
                                                    const LaunchQueue&);                       \
  template void launch_scalars_of<Number>(const DeviceLattice&, const UpdateLaunch&,           \
                                          const LaunchQueue&);
#if defined(LBM_NUMBER)
LBM_INSTANTIATE(LBM_NUMBER)
#else
LBM_INSTANTIATE(Fp16)
LBM_INSTANTIATE(Fp32)
LBM_INSTANTIATE(Fp64)
#endif

}  // namespace lbm::cuda
