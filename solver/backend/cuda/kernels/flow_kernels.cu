// SPDX-License-Identifier: Apache-2.0

// Kernels that read a plane: fields for output, probes, sums and limits of the flow. And the kernel
// that copies planes.
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>

#include "solver/backend/cuda/kernels/launch_shape.hpp"
#include "solver/backend/cuda/kernels/launches.hpp"
#include "solver/update/fluid_cells.hpp"

namespace lbm::cuda {
namespace {

// Planes at the same step. A kernel for one of them has plane 0.
template <class Storage>
struct PlaneArguments {
  PlaneLayout layout;
  const std::byte* slots;
  BoundaryView boundaries;
  FlowLimits limits;
  Buoyancy buoyancy;
  int scalars;
  PlaneState state;  // of all planes, except slot and z
  std::array<int, max_planes_per_launch> slot, z;

  __device__ bool is_solid(int plane, int x, int y) const {
    return boundaries.is_solid(x, y, z[plane]);
  }
  // The first stored value.
  __device__ const typename Storage::Value* cell_of(int plane, int x, int y) const {
    return reinterpret_cast<const typename Storage::Value*>(slots + slot[plane] * layout.bytes) +
           stored_place(layout, boundaries, x, y, z[plane]);
  }
  __device__ double scalar(const typename Storage::Value* cell, int s) const {
    return scalar_of<Storage>(cell, layout.pitch, s);
  }
  __device__ Moments<typename Storage::Real> moments(int plane, int x, int y) const {
    const auto* const cell = cell_of(plane, x, y);
    const auto sums =
        Storage::density_momentum([&](int i) { return Storage::load(cell[i * layout.pitch]); });
    PlaneState own = state;
    own.z = z[plane];
    return stored_moments(sums, with_buoyancy<Storage>(own.force_at(boundaries, x, y, sums),
                                                       buoyancy, cell, layout.pitch));
  }
};

template <class Storage>
PlaneArguments<Storage> plane_arguments(const DeviceLattice& device,
                                        std::span<const PlaneState> planes) {
  PlaneArguments<Storage> arguments{device.lattice.layout,
                                    device.slots,
                                    device.boundaries,
                                    device.lattice.limits,
                                    buoyancy_of(device.lattice.scalars),
                                    device.lattice.scalar_count(),
                                    planes.front(),
                                    {},
                                    {}};
  for (std::size_t i = 0; i < planes.size(); ++i) {
    arguments.slot.at(i) = planes[i].slot;
    arguments.z.at(i) = planes[i].z;
  }
  return arguments;
}

struct ProbeArguments {
  PlaneLayout layout;
  int nz;
  const std::byte* slots;
  UpdateLaunch launch;
  BoundaryView boundaries;
  ProbeView probes;
  std::int64_t* record;
  PlaneState state;  // of all planes of the launch, except slot and z
  Buoyancy buoyancy;
  int scalars;
};

template <class Storage>
__global__ void moments_kernel(const __grid_constant__ PlaneArguments<Storage> plane,
                               const __grid_constant__ CellRectangle r, float* fields) {
  const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (column >= r.nx || row >= r.ny) return;
  const int x = (r.x + column * r.stride) % plane.layout.nx;
  const int y = (r.y + row * r.stride) % plane.layout.ny;
  Moments<typename Storage::Real> m{};
  const bool solid = plane.is_solid(0, x, y), stored = !solid || !plane.layout.fluid_only;
  if (!solid) m = plane.moments(0, x, y);
  const std::int64_t cell = static_cast<std::int64_t>(row) * r.nx + column;
  put_fields(m, cell, std::int64_t{r.nx} * r.ny, fields);
  for (int s = 0; s < plane.scalars; ++s) {
    const double value = stored ? plane.scalar(plane.cell_of(0, x, y), s) : 0;
    put_scalar(s, value, cell, std::int64_t{r.nx} * r.ny, fields);
  }
}

__device__ double warp_sum(double value) {
  for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(0xffffffffU, value, step);
  return value;
}
__device__ double warp_max(double value) {
  for (int step = 16; step > 0; step /= 2) {
    value = fmax(value, __shfl_xor_sync(0xffffffffU, value, step));
  }
  return value;
}

// Kernels of sums. Each warp takes one row of a plane after the other: its lanes add up every 32nd
// cell, and their sums meet in a fixed order, so the bits of a row are reproducible. The rows of a
// block meet in shared memory: the whole device adds to the same few numbers of a record, one
// addition after the other. Grid x: rows; grid y: planes.
constexpr int warps_per_block = threads_per_block / 32, rows_per_warp = 4;

dim3 grid_of_rows(int rows, std::span<const PlaneState> planes) {
  constexpr int per_block = warps_per_block * rows_per_warp;
  return {static_cast<unsigned>((rows + per_block - 1) / per_block),
          static_cast<unsigned>(planes.size())};
}

// Calls work(row, lane) by all lanes of the warp whose row it is.
template <class Work>
__device__ void for_each_row(int rows, const Work& work) {
  const int thread = static_cast<int>(threadIdx.x);
  const int first = (static_cast<int>(blockIdx.x) * warps_per_block + thread / 32) * rows_per_warp;
  for (int row = first; row < min(first + rows_per_warp, rows); ++row) work(row, thread % 32);
}

template <class Storage>
__global__ void sample_flow_kernel(const __grid_constant__ PlaneArguments<Storage> planes,
                                   double scale, std::int64_t* record) {
  constexpr int values = bad_cells + 1;
  static __shared__ std::int64_t of_block[values];
  if (threadIdx.x < values) of_block[threadIdx.x] = 0;
  __syncthreads();
  const int plane = static_cast<int>(blockIdx.y);
  for_each_row(planes.layout.ny, [&](int y, int lane) {
    FlowSums own;
    for (int x = lane; x < planes.layout.nx; x += 32) {
      if (planes.is_solid(plane, x, y)) continue;
      const std::int64_t cell =
          (std::int64_t{planes.z[plane]} * planes.layout.ny + y) * planes.layout.nx + x;
      const bool sane = scalars_are_sane<Storage>(planes.cell_of(plane, x, y), planes.layout.pitch,
                                                  planes.scalars, planes.limits.scalar_max);
      own.add(planes.moments(plane, x, y), cell, planes.limits, sane);
    }
    // Cells outside the limits are rare: each thread reports its own.
    own.add_bad_to(of_block);
    own.bad = 0;
    LBM_UNROLL
    for (int i = 0; i < reductions; ++i) {
      double& value = own.values[i];
      value = join_of(i) == Join::sum ? warp_sum(value) : warp_max(value);
    }
    if (lane == 0) own.add_to(of_block, scale);
  });
  __syncthreads();
  const int value = static_cast<int>(threadIdx.x);
  if (value < values) join_shared(record, value, of_block[value]);
}

template <class Storage>
__global__ void sum_box_kernel(const __grid_constant__ PlaneArguments<Storage> planes,
                               const __grid_constant__ CellRectangle r, double scale,
                               std::int64_t* sums) {
  static __shared__ std::int64_t of_block[box_values_with(most_scalars)];
  const auto values = static_cast<unsigned>(box_values_with(planes.scalars));
  if (threadIdx.x < values) of_block[threadIdx.x] = 0;
  __syncthreads();
  const int plane = static_cast<int>(blockIdx.y);
  for_each_row(r.ny, [&](int row, int lane) {
    BoxSums own;
    const int y = (r.y + row * r.stride) % planes.layout.ny;
    for (int column = lane; column < r.nx; column += 32) {
      const int x = (r.x + column * r.stride) % planes.layout.nx;
      if (planes.is_solid(plane, x, y)) continue;
      const auto m = planes.moments(plane, x, y);
      own.add(m);
      for (int s = 0; s < planes.scalars; ++s) {
        own.add_scalar(s, planes.scalar(planes.cell_of(plane, x, y), s), m);
      }
    }
    for (unsigned i = 0; i < values; ++i) own.sums[i] = warp_sum(own.sums[i]);
    if (lane == 0) own.add_to(of_block, scale, static_cast<int>(values));
  });
  __syncthreads();
  if (threadIdx.x < values) add_shared(sums + threadIdx.x, of_block[threadIdx.x]);
}

// Grid x: probes of a plane; grid y: planes of the launch.
template <class Storage>
__global__ void probe_kernel(const __grid_constant__ ProbeArguments args) {
  const int i = static_cast<int>(blockIdx.y);
  if ((args.launch.counted >> i & 1U) == 0) return;
  const int z = args.launch.z_of(i, args.nz);
  const int p = args.probes.first[z] + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (p >= args.probes.first[z + 1]) return;
  const auto* values = reinterpret_cast<const typename Storage::Value*>(
      args.slots + args.launch.out[i] * args.layout.bytes);
  const ProbeCell cell = args.probes.cells[p];
  values += stored_place(args.layout, args.boundaries, cell.x, cell.y, z);
  const auto sums = Storage::density_momentum(
      [&](int v) { return Storage::load(values[v * args.layout.pitch]); });
  PlaneState state = args.state;
  state.z = z;
  const auto force = with_buoyancy<Storage>(
      state.force_at(args.boundaries, static_cast<int>(cell.x), static_cast<int>(cell.y), sums),
      args.buoyancy, values, args.layout.pitch);
  std::int64_t* const to =
      args.record + args.probes.first_value + macro_values_with(args.scalars) * p;
  put_probe(to, stored_moments(sums, force));
  for (int s = 0; s < args.scalars; ++s) {
    to[macro_values + s] = bits_of(double{scalar_of<Storage>(values, args.layout.pitch, s)});
  }
}

// 16 x 512 threads with 4 loads of 16 bytes each keep 512 KiB under way: about what a link of
// 450 GB/s needs at a latency of a microsecond, and an eighth of the multiprocessors of a H100.
constexpr unsigned copy_threads = 512, most_copy_blocks = 16;
constexpr int copy_loads = 4;

__global__ void __launch_bounds__(copy_threads)
    copy_kernel(uint4* to, const uint4* from, std::size_t count) {
  const std::size_t step = std::size_t{gridDim.x} * copy_threads * copy_loads;
  for (std::size_t first = std::size_t{blockIdx.x} * copy_threads * copy_loads + threadIdx.x;
       first < count; first += step) {
    uint4 values[copy_loads];
#pragma unroll
    for (int i = 0; i < copy_loads; ++i) {
      if (first + i * copy_threads < count) values[i] = from[first + i * copy_threads];
    }
#pragma unroll
    for (int i = 0; i < copy_loads; ++i) {
      if (first + i * copy_threads < count) to[first + i * copy_threads] = values[i];
    }
  }
}

}  // namespace

void launch_probe(const DeviceLattice& device, const UpdateLaunch& launch, cudaStream_t stream) {
  const ProbeArguments arguments{device.lattice.layout,
                                 device.lattice.nz,
                                 device.slots,
                                 launch,
                                 device.boundaries,
                                 device.probes,
                                 device.record(launch.step + 1),
                                 plane_state(device, 0, 0, launch.step + 1),
                                 buoyancy_of(device.lattice.scalars),
                                 device.lattice.scalar_count()};
  constexpr unsigned threads = 128;
  const auto most = static_cast<unsigned>(device.probes.most_in_a_plane);
  const dim3 grid((most + threads - 1) / threads, static_cast<unsigned>(launch.count));
  visit_storage(device.lattice, [&]<class Storage>(Storage) {
    launch_kernel("probe kernel", probe_kernel<Storage>, {grid, threads}, {stream}, arguments);
  });
}

void launch_moments(const DeviceLattice& device, const PlaneState& plane, const CellRectangle& r,
                    float* fields, cudaStream_t stream) {
  const dim3 block = block_of(static_cast<unsigned>(r.nx));
  const dim3 grid((r.nx + block.x - 1) / block.x, (r.ny + block.y - 1) / block.y);
  visit_storage(device.lattice, [&]<class Storage>(Storage) {
    launch_kernel("moments kernel", moments_kernel<Storage>, {grid, block}, {stream},
                  plane_arguments<Storage>(device, {&plane, 1}), r, fields);
  });
}

void launch_sample_flow(const DeviceLattice& device, std::span<const PlaneState> planes,
                        std::int64_t* record, cudaStream_t stream) {
  const PlaneLayout& layout = device.lattice.layout;
  const double scale = fixed::flow(layout.cells() * device.lattice.nz);
  visit_storage(device.lattice, [&]<class Storage>(Storage) {
    launch_kernel("kernel of flow sums", sample_flow_kernel<Storage>,
                  {grid_of_rows(layout.ny, planes), threads_per_block}, {stream},
                  plane_arguments<Storage>(device, planes), scale, record);
  });
}

void launch_sum_box(const DeviceLattice& device, std::span<const PlaneState> planes,
                    const CellRectangle& r, double scale, std::int64_t* sums, cudaStream_t stream) {
  visit_storage(device.lattice, [&]<class Storage>(Storage) {
    launch_kernel("kernel of sums over a box", sum_box_kernel<Storage>,
                  {grid_of_rows(r.ny, planes), threads_per_block}, {stream},
                  plane_arguments<Storage>(device, planes), r, scale, sums);
  });
}

void launch_copy(std::byte* to, const std::byte* from, std::size_t bytes, cudaStream_t stream) {
  const auto bits = reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from);
  if ((bits | bytes) % sizeof(uint4) != 0) throw std::logic_error("copy kernel: not aligned to 16");
  const std::size_t count = bytes / sizeof(uint4);
  const std::size_t tiles = (count + copy_threads * copy_loads - 1) / (copy_threads * copy_loads);
  const auto blocks = static_cast<unsigned>(std::min<std::size_t>(tiles, most_copy_blocks));
  launch_kernel("copy kernel", copy_kernel, {blocks, copy_threads}, {stream},
                reinterpret_cast<uint4*>(to), reinterpret_cast<const uint4*>(from), count);
}

}  // namespace lbm::cuda
