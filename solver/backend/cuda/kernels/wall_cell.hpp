// SPDX-License-Identifier: Apache-2.0

// A cell at shifted plain walls, as a thread does it.
#pragma once

#include "solver/backend/cuda/kernels/launch_shape.hpp"
#include "solver/boundary/conditions/wall_shift.hpp"
#include "solver/collision/collisions.hpp"

#if defined(__CUDACC__)

namespace lbm::cuda {

// A cell, as wall_shift.hpp needs it.
template <class Storage>
struct WallCell {
  using Scalar = typename Storage::Real;
  using Real = Scalar;
  using StoragePolicy = Storage;
  const StepParams<Storage>& params;
  const InputPlanes<Storage>& in;
  const CellOffsets& at;

  // Density and velocity, with half of the body force, of neighbours at a distance.
  LBM_HD Moments<Real> moments_at(int dx, int dy, int dz) const {
    const auto* cell = place(dx, dy, dz);
    return params.moments_of(Storage::density_momentum(
        [&](int i) { return Storage::load_scaled(cell[i * params.layout.pitch]); }));
  }
  LBM_HD Moments<Real> moments() const { return moments_at(0, 0, 0); }
  // The i-th value that is stored of the cell, from the step before.
  LBM_HD Real own(int i) const {
    return Storage::load_scaled(place(0, 0, 0)[i * params.layout.pitch]);
  }

 private:
  LBM_HD const typename Storage::Value* place(int dx, int dy, int dz) const {
    const auto* plane = dz == 0 ? in.plane[1] : (dz < 0 ? in.plane[0] : in.plane[2]);
    const int row = dy == 0 ? at.row[1] : (dy < 0 ? at.row[0] : at.row[2]);
    const int column = dx == 0 ? at.column[1] : (dx < 0 ? at.column[0] : at.column[2]);
    return plane + row + column;
  }
};

// The whole update of a cell that touches shifted walls. z: of the plane in the grid; plane: its
// index in the launch. The collision must filter the stress.
template <class Storage, class Collision>
__device__ void update_wall_cell(const UpdateArguments<Storage, Collision>& args, int plane, int x,
                                 int y, int z) {
  const auto& params = args.params;
  const PlaneLayout& layout = params.layout;
  if (params.boundaries.is_solid(x, y, z)) return;
  const InputPlanes<Storage> in = args.input(plane);
  const CellOffsets at(layout, x, y);
  const LinkGather gather{
      params, in, at, touched_faces(params.walls.faces, x, y, z, layout.nx, layout.ny, params.nz)};
  typename Storage::Real g[Storage::Set::directions];
  LBM_UNROLL
  for (int q = 0; q < Storage::Set::directions; ++q) g[q] = gather(q);
  const WallCell<Storage> cell{params, in, at};
  const unsigned closed =
      touched_faces(params.boundaries.closed_faces, x, y, z, layout.nx, layout.ny, params.nz);
  with_model(params.collision, [&](const auto& collision) {
    if constexpr (FiltersStress<std::remove_cvref_t<decltype(collision)>>) {
      collide_at_shifted_walls<Storage>(
          collision, g, [&](int i) { return cell.own(i); },
          [&](const auto& add) { visit_shifts(cell, closed, add); });
    }
  });
  store_cell<Storage>(params, g, args.slot(args.launch.out[plane]) + at.row[1] + x);
}

}  // namespace lbm::cuda

#endif
