#include <algorithm>

#include "solver/backend/cuda/check.hpp"
#include "solver/backend/cuda/kernels.hpp"
#include "solver/lattice/update.hpp"

namespace lbm::cuda {
namespace {

constexpr int threads_per_block = 256;

// Everything one launch needs, passed in constant memory.
template <class Storage>
struct UpdateArguments {
  UpdateParams<Storage> params;
  UpdateLaunch launch;
  std::byte* slots;

  __device__ typename Storage::Value* slot(int index) const {
    return reinterpret_cast<typename Storage::Value*>(slots + index * params.layout.bytes);
  }
};

// One cell per thread, x fastest; blockIdx.z is the plane of the launch. A warp whose cells all
// have fluid neighbours takes the short way; the choice is uniform in the warp.
template <class Storage>
__global__ void __launch_bounds__(threads_per_block)
    update_kernel(const __grid_constant__ UpdateArguments<Storage> args) {
  using Real = typename Storage::Real;
  const PlaneLayout& layout = args.params.layout;
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int plane = static_cast<int>(blockIdx.z);
  if (x >= layout.nx || y >= layout.ny) return;
  int z = args.launch.first_plane + plane;
  if (z >= args.params.nz) z -= args.params.nz;

  const InputPlanes<Storage> in{{args.slot(args.launch.in[plane]),
                                 args.slot(args.launch.in[plane + 1]),
                                 args.slot(args.launch.in[plane + 2])}};
  typename Storage::Value* out = args.slot(args.launch.out[plane]);
  const CellOffsets at(layout, x, y);
  const int block = static_cast<int>(layout.block), cell = at.row[1] + at.column[1];
  const auto scatter = [&](int q, Real g) { out[q * block + cell] = Storage::store(g); };

  const unsigned touched =
      touched_faces(args.params.walls.faces, x, y, z, layout.nx, layout.ny, args.params.nz);
  const std::uint8_t* flags = args.params.flags.plane(z);
  const unsigned flag = flags == nullptr ? 0U : flags[y * layout.nx + x];
  if (__any_sync(__activemask(), (touched | flag) != 0)) {
    if (flag == flag_solid) {
      LBM_UNROLL
      for (int q = 0; q < d3q19::directions; ++q) scatter(q, Real(0));
      return;
    }
    const unsigned solid = flag == flag_near_solid ? solid_links(args.params, at, z, touched) : 0U;
    update_cell<Real>(args.params.collision,
                      LinkGather<Storage>{args.params, in, at, touched, solid}, scatter);
  } else {
    update_cell<Real>(args.params.collision, FluidGather<Storage>{args.params, in, at}, scatter);
  }
}

template <class Storage>
__global__ void moments_kernel(PlaneLayout layout, const typename Storage::Value* plane,
                               float* density, float* velocity) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= layout.nx || y >= layout.ny) return;
  typename Storage::Real g[d3q19::directions];
  LBM_UNROLL
  for (int q = 0; q < d3q19::directions; ++q) g[q] = Storage::load(plane[layout.index(q, y, x)]);
  const auto m = moments_of(g);
  const std::int64_t cell = static_cast<std::int64_t>(y) * layout.nx + x;
  density[cell] = static_cast<float>(m.rho);
  velocity[3 * cell] = static_cast<float>(m.ux);
  velocity[3 * cell + 1] = static_cast<float>(m.uy);
  velocity[3 * cell + 2] = static_cast<float>(m.uz);
}

// The rest population alone tells: a collision spreads anything non-finite to all directions.
template <class Storage>
__global__ void count_nonfinite_kernel(PlaneLayout layout, const typename Storage::Value* plane,
                                       std::uint32_t* count) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= layout.nx || y >= layout.ny) return;
  if (!isfinite(Storage::load(plane[layout.index(0, y, x)]))) atomicAdd(count, 1U);
}

// Blocks of threads_per_block: as wide as the row allows, in whole warps.
dim3 block_of(const PlaneLayout& layout) {
  const unsigned width = std::min(threads_per_block, (layout.nx + 31) / 32 * 32);
  return {width, threads_per_block / width, 1};
}

dim3 grid_of(const PlaneLayout& layout, const dim3& block, int planes) {
  return {(layout.nx + block.x - 1) / block.x, (layout.ny + block.y - 1) / block.y,
          static_cast<unsigned>(planes)};
}

template <class Storage>
const typename Storage::Value* plane_of(const DeviceLattice& device, int slot) {
  return reinterpret_cast<const typename Storage::Value*>(device.slots +
                                                          slot * device.lattice.layout.bytes);
}

}  // namespace

void launch_update(const DeviceLattice& device, const UpdateLaunch& launch, cudaStream_t stream) {
  visit_storage(device.lattice.storage, [&](auto storage) {
    using Storage = decltype(storage);
    const UpdateArguments<Storage> args{make_update_params<Storage>(device.lattice, device.flags),
                                        launch, device.slots};
    const dim3 block = block_of(device.lattice.layout);
    update_kernel<Storage>
        <<<grid_of(device.lattice.layout, block, launch.count), block, 0, stream>>>(args);
  });
  check(cudaGetLastError(), "update kernel");
}

void launch_moments(const DeviceLattice& device, int slot, float* density, float* velocity,
                    cudaStream_t stream) {
  visit_storage(device.lattice.storage, [&](auto storage) {
    using Storage = decltype(storage);
    const PlaneLayout& layout = device.lattice.layout;
    const dim3 block = block_of(layout);
    moments_kernel<Storage><<<grid_of(layout, block, 1), block, 0, stream>>>(
        layout, plane_of<Storage>(device, slot), density, velocity);
  });
  check(cudaGetLastError(), "moments kernel");
}

void launch_count_nonfinite(const DeviceLattice& device, int slot, std::uint32_t* count,
                            cudaStream_t stream) {
  visit_storage(device.lattice.storage, [&](auto storage) {
    using Storage = decltype(storage);
    const PlaneLayout& layout = device.lattice.layout;
    const dim3 block = block_of(layout);
    count_nonfinite_kernel<Storage><<<grid_of(layout, block, 1), block, 0, stream>>>(
        layout, plane_of<Storage>(device, slot), count);
  });
  check(cudaGetLastError(), "check kernel");
}

}  // namespace lbm::cuda
