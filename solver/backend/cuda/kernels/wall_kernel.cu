// Cells at filtered plain walls (CollisionKind::regularised_filtered): the main update has given
// them what any wall reflects; here they are updated again, with the shift of the wall and the
// filter of the stress (solver/boundary/conditions/wall_shift.hpp,
// solver/collision/wall_filter.hpp).
#include "solver/backend/cuda/kernels/check.hpp"
#include "solver/backend/cuda/kernels/launch_shape.hpp"
#include "solver/backend/cuda/kernels/update_kernel.hpp"
#include "solver/boundary/conditions/filtered_walls.hpp"

namespace lbm::cuda {
namespace {

constexpr unsigned wall_threads = 128;

// A cell, as filtered_walls.hpp needs it.
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
  // The stress after the step before, times Storage::scale.
  LBM_HD Stress<Real> stress() const {
    const auto* cell = place(0, 0, 0);
    Real values[d3q19::directions] = {};
    LBM_UNROLL
    for (int i = 0; i < Storage::values; ++i) {
      values[i] = Storage::load_scaled(cell[i * params.layout.pitch]);
    }
    return nonequilibrium_stress<Storage>(stored_sums<Storage>(values));
  }

 private:
  LBM_HD const typename Storage::Value* place(int dx, int dy, int dz) const {
    const auto* plane = dz == 0 ? in.plane[1] : (dz < 0 ? in.plane[0] : in.plane[2]);
    const int row = dy == 0 ? at.row[1] : (dy < 0 ? at.row[0] : at.row[2]);
    const int column = dx == 0 ? at.column[1] : (dx < 0 ? at.column[0] : at.column[2]);
    return plane + row + column;
  }
};

// Which cells of a launch one kernel does: in the planes of the bits, all cells, or those at the
// walls of x and y.
struct WallCells {
  std::uint64_t planes;
  bool all;
};

// Grid: x, the cells of a plane; y, the planes of the launch.
template <class Storage, class Collision>
__global__ void __launch_bounds__(wall_threads)
    wall_kernel(const __grid_constant__ UpdateArguments<Storage, Collision> args,
                const WallCells cells) {
  wait_for_launch_before();
  const int plane = static_cast<int>(blockIdx.y);
  if ((cells.planes >> plane & 1U) == 0) return;
  const auto& params = args.params;
  const PlaneLayout& layout = params.layout;
  const unsigned faces = params.boundaries.filtered_faces;
  int i = static_cast<int>(blockIdx.x * wall_threads + threadIdx.x), x = 0, y = 0;
  if (cells.all) {
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
  const int z = args.z_of(plane);
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
  collide_at_filtered_walls(
      cell, touched_faces(params.boundaries.closed_faces, x, y, z, layout.nx, layout.ny, params.nz),
      g);
  auto* out = args.slot(args.launch.out[plane]) + at.row[1] + x;
  LBM_UNROLL
  for (int v = 0; v < Storage::values; ++v) {
    out[v * layout.pitch] = Storage::store_scaled(g[v]);
  }
}

template <class Storage, class Collision>
void launch_kernel(const DeviceLattice& device, const UpdateLaunch& launch, const WallCells& cells,
                   std::int64_t count, bool overlap, cudaStream_t stream) {
  if (cells.planes == 0 || count == 0) return;
  const dim3 grid{static_cast<unsigned>((count + wall_threads - 1) / wall_threads),
                  static_cast<unsigned>(launch.count), 1};
  const LaunchShape shape(grid, {wall_threads, 1, 1}, overlap, stream);
  check(cudaLaunchKernelEx(shape.config(), wall_kernel<Storage, Collision>,
                           make_arguments<Storage, Collision>(device, launch), cells),
        "kernel of wall cells");
}

}  // namespace

void launch_wall_cells(const DeviceLattice& device, const UpdateLaunch& launch, bool overlap,
                       cudaStream_t stream) {
  const unsigned faces = device.boundaries.filtered_faces;
  if (device.host == nullptr || faces == 0) return;
  const int nz = device.lattice.nz;
  WallCells ends{0, true}, sides{0, false};
  for (int i = 0; i < launch.count; ++i) {
    const int z = (launch.first_plane + i) % nz;
    const bool end = (z == 0 && (faces & z_min) != 0) || (z == nz - 1 && (faces & z_max) != 0);
    (end ? ends : sides).planes |= std::uint64_t{1} << i;
  }
  const PlaneLayout& layout = device.lattice.layout;
  const auto has = [&](unsigned face) { return (faces & face) != 0 ? 1 : 0; };
  const std::int64_t at_sides = std::int64_t{layout.nx} * (has(y_min) + has(y_max)) +
                                std::int64_t{layout.ny} * (has(x_min) + has(x_max));
  visit_update(
      device.lattice, [&]<class Storage, class Collision>(Storage, std::type_identity<Collision>) {
        if constexpr (FiltersWalls<Collision>) {
          launch_kernel<Storage, Collision>(device, launch, sides, at_sides, overlap, stream);
          launch_kernel<Storage, Collision>(device, launch, ends, layout.cells(), overlap, stream);
        }
      });
}

}  // namespace lbm::cuda
