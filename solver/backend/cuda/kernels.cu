#include <algorithm>

#include "solver/backend/cuda/check.hpp"
#include "solver/backend/cuda/kernels.hpp"
#include "solver/lattice/update_cells.hpp"

namespace lbm::cuda {
namespace {

constexpr int threads_per_block = 256;

// Blocks of this launch may come to the device while the last ones of the launch before still run
// (programmatic dependent launch, compute capability 9.0 and newer); they wait here for its
// results.
__device__ inline void wait_for_launch_before() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

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

// Cells next to each other in x that one thread updates. Half-precision values come in pairs: with
// one a thread, the instructions would limit the kernel and not the memory.
template <class Storage>
constexpr int cells_per_thread = sizeof(typename Storage::Value) == 2 ? 2 : 1;

// A block keeps its registers until its slowest warp is done, and pairs have slow ones at the ends
// of rows: small blocks, then.
template <class Storage>
constexpr int update_threads = cells_per_thread<Storage> == 1 ? threads_per_block : 64;

// x fastest; blockIdx.z is the plane of the launch. A warp whose cells all have fluid neighbours
// takes the fast way, also at the ends of rows: with a way of their own, the code of both would not
// stay in the instruction cache. The choice is uniform in the warp.
template <class Storage>
__global__ void __launch_bounds__(update_threads<Storage>)
    update_kernel(const __grid_constant__ UpdateArguments<Storage> args) {
  wait_for_launch_before();
  constexpr int cells = cells_per_thread<Storage>;
  const PlaneLayout& layout = args.params.layout;
  const int x = cells * static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int plane = static_cast<int>(blockIdx.z);
  if (x >= layout.nx || y >= layout.ny) return;
  int z = args.launch.first_plane + plane;
  if (z >= args.params.nz) z -= args.params.nz;

  const InputPlanes<Storage> in{{args.slot(args.launch.in[plane]),
                                 args.slot(args.launch.in[plane + 1]),
                                 args.slot(args.launch.in[plane + 2])}};
  typename Storage::Value* out = args.slot(args.launch.out[plane]);

  const std::uint8_t* flags = args.params.flags.plane(z);
  unsigned touched[cells], flag[cells], other = 0;
  LBM_UNROLL
  for (int i = 0; i < cells; ++i) {
    touched[i] = flag[i] = 0;
    if (x + i >= layout.nx) continue;
    touched[i] =
        touched_faces(args.params.walls.faces, x + i, y, z, layout.nx, layout.ny, args.params.nz);
    if (flags != nullptr) flag[i] = flags[y * layout.nx + x + i];
    other |= (touched[i] & ~(x_min | x_max)) | flag[i];
  }
  const bool row_end = x == 0 || x + cells >= layout.nx;
  const unsigned active = __activemask();
  if (layout.nx > cells && !__any_sync(active, other != 0)) {
    const bool at_end = __any_sync(active, row_end);
    return update_fluid<Storage, cells>(args.params, in, out, x, y, at_end);
  }
  update_linked<Storage, cells>(args.params, in, out, x, y, z, touched, flag);
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

// Blocks of `threads`: as wide as the row allows, in whole warps.
// columns: threads that a row takes.
dim3 block_of(unsigned columns, unsigned threads = threads_per_block) {
  const unsigned width = std::min(threads, (columns + 31) / 32 * 32);
  return {width, threads / width, 1};
}

dim3 grid_of(unsigned columns, const PlaneLayout& layout, const dim3& block, int planes) {
  return {(columns + block.x - 1) / block.x, (layout.ny + block.y - 1) / block.y,
          static_cast<unsigned>(planes)};
}

template <class Storage>
const typename Storage::Value* plane_of(const DeviceLattice& device, int slot) {
  return reinterpret_cast<const typename Storage::Value*>(device.slots +
                                                          slot * device.lattice.layout.bytes);
}

}  // namespace

void launch_update(const DeviceLattice& device, const UpdateLaunch& launch, bool overlap,
                   cudaStream_t stream) {
  visit_storage(device.lattice.storage, [&](auto storage) {
    using Storage = decltype(storage);
    const UpdateArguments<Storage> args{make_update_params<Storage>(device.lattice, device.flags),
                                        launch, device.slots};
    const unsigned columns =
        (device.lattice.layout.nx + cells_per_thread<Storage> - 1) / cells_per_thread<Storage>;
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.blockDim = block_of(columns, update_threads<Storage>);
    config.gridDim = grid_of(columns, device.lattice.layout, config.blockDim, launch.count);
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = overlap ? 1 : 0;
    check(cudaLaunchKernelEx(&config, update_kernel<Storage>, args), "update kernel");
  });
}

void launch_moments(const DeviceLattice& device, int slot, float* density, float* velocity,
                    cudaStream_t stream) {
  visit_storage(device.lattice.storage, [&](auto storage) {
    using Storage = decltype(storage);
    const PlaneLayout& layout = device.lattice.layout;
    const dim3 block = block_of(layout.nx);
    moments_kernel<Storage><<<grid_of(layout.nx, layout, block, 1), block, 0, stream>>>(
        layout, plane_of<Storage>(device, slot), density, velocity);
  });
  check(cudaGetLastError(), "moments kernel");
}

void launch_count_nonfinite(const DeviceLattice& device, int slot, std::uint32_t* count,
                            cudaStream_t stream) {
  visit_storage(device.lattice.storage, [&](auto storage) {
    using Storage = decltype(storage);
    const PlaneLayout& layout = device.lattice.layout;
    const dim3 block = block_of(layout.nx);
    count_nonfinite_kernel<Storage><<<grid_of(layout.nx, layout, block, 1), block, 0, stream>>>(
        layout, plane_of<Storage>(device, slot), count);
  });
  check(cudaGetLastError(), "check kernel");
}

}  // namespace lbm::cuda
