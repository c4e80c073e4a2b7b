// SPDX-License-Identifier: Apache-2.0

// The second pass: boundary cells, at bodies and at faces beyond plain walls and free slip.
#include "solver/backend/cuda/kernels/launch_shape.hpp"
#include "solver/backend/cuda/kernels/launches.hpp"
#include "solver/collision/collisions.hpp"
#include "solver/update/boundary_cell.hpp"
#include "solver/update/fluid_cells.hpp"

namespace lbm::cuda {
namespace {

constexpr unsigned boundary_threads = 128;

// The faces whose cells the second pass looks at. Where only fluid cells are stored it does those
// at any closed face that have solid neighbours, too.
LBM_HD unsigned pass_faces_of(const BoundaryView& view, bool fluid_only) {
  return fluid_only ? view.closed_faces : view.second_pass_faces();
}

template <class Storage, class Collision, class Cell>
__device__ void update_boundary_cell(const UpdateArguments<Storage, Collision>& args, int plane,
                                     Cell& cell, int at_output, const LinkedCell* linked,
                                     const CellList* list, std::int64_t* bodies, BodyLoad& load) {
  const auto& params = args.params;
  typename Storage::Real g[Storage::Set::directions];
  gather_boundary_cell(cell, linked, list, bodies, load, g);
  collide_cell(params.collision, g, [&](int v) { return cell.own(v); });
  store_cell<Storage>(params, g, args.slot(args.launch.out[plane]) + at_output);
}

template <bool fluid_only, class Storage, class Collision>
__device__ void update_boundary_cells(const UpdateArguments<Storage, Collision>& args, int plane,
                                      int i, std::int64_t* bodies, BodyLoad& load) {
  constexpr bool any_model =
      !holds_moments<Storage> && std::is_same_v<Collision, AnyCollision<Storage>>;
  const auto& params = args.params;
  const BoundaryView& view = params.boundaries;
  const int z = args.z_of(plane);
  const CellList* list = view.list(z);
  const BoundaryPlace found =
      find_boundary_cell(view, pass_faces_of(view, fluid_only), params.layout, params.nz, z, i);
  if (!found.any) return;
  const LinkedCell* const linked = found.linked;
  const Place place = found.place;
  const InputPlanes<Storage> in = args.input(plane);
  const unsigned touched = touched_faces(view.closed_faces, place.x, place.y, z, params.layout.nx,
                                         params.layout.ny, params.nz);
  if constexpr (fluid_only) {
    const FluidOffsets at(FluidPlanesAround(view, z, params.nz), params.layout, place.x, place.y);
    const unsigned resting = at.solid_sources(view, touched);
    // The main update has done it.
    if (linked == nullptr && resting == 0 && (touched & view.second_pass_faces()) == 0) return;
    BoundaryCell<Storage, FluidOffsets, any_model> cell{
        params, in, at, place.x, place.y, z, touched, linked != nullptr || resting != 0, resting};
    update_boundary_cell(args, plane, cell, at.place(), linked, list, bodies, load);
  } else {
    const CellOffsets at(params.layout, place.x, place.y);
    BoundaryCell<Storage, CellOffsets, any_model> cell{params,  in, at,      place.x,
                                                       place.y, z,  touched, linked != nullptr};
    update_boundary_cell(args, plane, cell, at.of(0, 0, 0), linked, list, bodies, load);
  }
}

// record: of the step, or null.
template <bool fluid_only, class Storage, class Collision>
__global__ void __launch_bounds__(boundary_threads)
    boundary_kernel(const __grid_constant__ UpdateArguments<Storage, Collision> args,
                    const __grid_constant__ PlaneBlocks blocks, std::int64_t* record) {
  wait_for_launch_before();
  const int plane = blocks.plane_of(blockIdx.x);
  const int i = static_cast<int>((blockIdx.x - blocks.first[plane]) * blockDim.x + threadIdx.x);
  std::int64_t* const bodies = record == nullptr || (args.launch.counted >> plane & 1U) == 0
                                   ? nullptr
                                   : record + flow_values;
  BodyLoad load;
  update_boundary_cells<fluid_only>(args, plane, i, bodies, load);
  if (bodies != nullptr) add_of_warp(load, bodies);
}

// The boundary conditions are most of the kernel's code, so one kernel serves all collision models.
// It costs up to 1.5 % of an update (H100): the models that flows past bodies mostly use have their
// own.
template <bool fluid_only, class Storage, class Collision>
inline constexpr bool has_own_kernel = !fluid_only && sizeof(typename Storage::Real) == 4 &&
                                       (std::is_same_v<Collision, Bgk<Storage>> ||
                                        std::is_same_v<Collision, GeneralCollision<Storage, Trt>>);

template <bool fluid_only, class Storage>
void launch_for(const DeviceLattice& device, const UpdateLaunch& launch, const LaunchQueue& queue,
                const PlaneBlocks& blocks) {
  std::int64_t* const record =
      device.boundaries.body_count > 0 ? device.record(launch.step + 1) : nullptr;
  visit_collision<Storage>(device.lattice.collision, [&]<class Model>(std::type_identity<Model>) {
    using Collision = std::conditional_t<has_own_kernel<fluid_only, Storage, Model>, Model,
                                         AnyCollision<Storage>>;
    launch_kernel("kernel of boundary cells", boundary_kernel<fluid_only, Storage, Collision>,
                  {blocks.count(), boundary_threads}, queue,
                  make_arguments<Storage, Collision>(device, launch), blocks, record);
  });
}

}  // namespace

template <class Number>
void launch_boundary_cells_of(const DeviceLattice& device, const UpdateLaunch& launch,
                              const LaunchQueue& queue) {
  if (device.host == nullptr) return;
  const Lattice& lattice = device.lattice;
  const bool fluid_only = lattice.layout.fluid_only;
  const unsigned faces = pass_faces_of(device.boundaries, fluid_only);
  const PlaneBlocks blocks = make_boundary_blocks(device, launch, faces, boundary_threads);
  visit_storage_of<Number>(lattice.cell_values(), [&]<class Storage>(Storage) {
    if constexpr (Storage::Set::has_fluid_planes) {
      if (fluid_only) return launch_for<true, Storage>(device, launch, queue, blocks);
    }
    launch_for<false, Storage>(device, launch, queue, blocks);
  });
}

// The kernels take long to compile: each number type, LBM_NUMBER, is compiled by itself
// (solver/CMakeLists.txt).
#define LBM_INSTANTIATE(Number)                                                             \
  template void launch_boundary_cells_of<Number>(const DeviceLattice&, const UpdateLaunch&, \
                                                 const LaunchQueue&);
#if defined(LBM_NUMBER)
LBM_INSTANTIATE(LBM_NUMBER)
#else
LBM_INSTANTIATE(Fp16)
LBM_INSTANTIATE(Fp32)
LBM_INSTANTIATE(Fp64)
#endif

}  // namespace lbm::cuda
