// Cells at shifted plain walls (CollisionKind::regularised_filtered): the main update has given
// them what any wall reflects; here they are updated again, with the shift of the wall
// (solver/boundary/conditions/wall_shift.hpp).
#include "solver/backend/cuda/kernels/check.hpp"
#include "solver/backend/cuda/kernels/launch_shape.hpp"
#include "solver/backend/cuda/kernels/plane_blocks.hpp"
#include "solver/backend/cuda/kernels/update_kernel.hpp"
#include "solver/boundary/conditions/shifted_walls.hpp"

namespace lbm::cuda {
namespace {

constexpr unsigned wall_threads = 128;

// A cell, as shifted_walls.hpp needs it.
template <class Storage, class Collision>
struct WallCell {
  using Scalar = typename Storage::Real;
  using Real = Scalar;
  using StoragePolicy = Storage;
  const UpdateParams<Storage, Collision>& params;
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

// Whether plane z lies at a shifted wall.
LBM_HD bool is_wall_plane(unsigned faces, int z, int nz) {
  return (z == 0 && (faces & z_min) != 0) || (z == nz - 1 && (faces & z_max) != 0);
}

// Does all cells of planes at walls of z, and the cells at walls of x and y of the others.
template <class Storage, class Collision>
__global__ void __launch_bounds__(wall_threads)
    wall_kernel(const __grid_constant__ UpdateArguments<Storage, Collision> args,
                const __grid_constant__ PlaneBlocks blocks) {
  wait_for_launch_before();
  const int plane = blocks.plane_of(blockIdx.x), z = args.z_of(plane);
  const auto& params = args.params;
  const PlaneLayout& layout = params.layout;
  const unsigned faces = params.boundaries.shifted_faces;
  int i = static_cast<int>((blockIdx.x - blocks.first[plane]) * wall_threads + threadIdx.x);
  int x = 0, y = 0;
  if (is_wall_plane(faces, z, params.nz)) {
    x = i % layout.nx;
    y = i / layout.nx;
    if (y >= layout.ny) return;
  } else {  // rows at both ends of y, then columns at both ends of x
    const auto has = [&](unsigned face) { return (faces & face) != 0 ? 1 : 0; };
    const int rows = layout.nx * (has(y_min) + has(y_max));
    if (i < rows) {
      x = i % layout.nx;
      y = has(y_min) != 0 && i < layout.nx ? 0 : layout.ny - 1;
    } else {
      i -= rows;
      if (i >= layout.ny * (has(x_min) + has(x_max))) return;
      x = has(x_min) != 0 && i < layout.ny ? 0 : layout.nx - 1;
      y = i % layout.ny;
    }
  }
  if (params.boundaries.is_solid(x, y, z)) return;
  const InputPlanes<Storage> in = args.input(plane);
  const CellOffsets at(layout, x, y);
  const unsigned touched =
      touched_faces(params.walls.faces, x, y, z, layout.nx, layout.ny, params.nz);
  const LinkGather gather{params, in, at, touched};
  typename Storage::Real g[d3q19::directions];
  LBM_UNROLL
  for (int q = 0; q < d3q19::directions; ++q) g[q] = gather(q);
  const WallCell<Storage, Collision> cell{params, in, at};
  shift_walls_of(
      cell, touched_faces(params.boundaries.closed_faces, x, y, z, layout.nx, layout.ny, params.nz),
      g);
  collide_cell(params.collision, g, [&](int v) { return cell.own(v); });
  auto* out = args.slot(args.launch.out[plane]) + at.row[1] + x;
  LBM_UNROLL
  for (int v = 0; v < Storage::values; ++v) {
    out[v * layout.pitch] = Storage::store_scaled(g[v]);
  }
}

}  // namespace

void launch_wall_cells(const DeviceLattice& device, const UpdateLaunch& launch, bool overlap,
                       cudaStream_t stream) {
  const unsigned faces = device.boundaries.shifted_faces;
  if (device.host == nullptr || faces == 0) return;
  const PlaneLayout& layout = device.lattice.layout;
  const int nz = device.lattice.nz;
  const auto has = [&](unsigned face) { return (faces & face) != 0 ? 1 : 0; };
  const std::int64_t at_sides = std::int64_t{layout.nx} * (has(y_min) + has(y_max)) +
                                std::int64_t{layout.ny} * (has(x_min) + has(x_max));
  const PlaneBlocks blocks = make_plane_blocks(launch, nz, wall_threads, [&](int, int z) {
    return is_wall_plane(faces, z, nz) ? layout.cells() : at_sides;
  });
  if (blocks.count() == 0) return;
  visit_update(
      device.lattice, [&]<class Storage, class Collision>(Storage, std::type_identity<Collision>) {
        if constexpr (FiltersStress<Collision>) {
          const LaunchShape shape({blocks.count(), 1, 1}, {wall_threads, 1, 1}, overlap, stream);
          check(cudaLaunchKernelEx(shape.config(), wall_kernel<Storage, Collision>,
                                   make_arguments<Storage, Collision>(device, launch), blocks),
                "kernel of wall cells");
        }
      });
}

}  // namespace lbm::cuda
