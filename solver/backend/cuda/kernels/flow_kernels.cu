// SPDX-License-Identifier: Apache-2.0

// Kernels that read a plane: fields for output, probes, sums and limits of the flow. And the kernel
// that copies planes.
#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include "solver/backend/cuda/kernels/launch_shape.hpp"
#include "solver/backend/cuda/kernels/launches.hpp"
#include "solver/update/fluid_cells.hpp"

namespace lbm::cuda {
namespace {

template <class Storage>
struct PlaneArguments {
  PlaneLayout layout;
  const typename Storage::Value* values;
  PlaneState state;
  BoundaryView boundaries;
  FlowLimits limits;
  double scale;  // of flow sums

  __device__ bool is_solid(int x, int y) const { return boundaries.is_solid(x, y, state.z); }
  __device__ Moments<typename Storage::Real> moments(int x, int y) const {
    const auto* cell = values + stored_place(layout, boundaries, x, y, state.z);
    const auto sums =
        Storage::density_momentum([&](int i) { return Storage::load(cell[i * layout.pitch]); });
    return stored_moments(sums, state.force_at(boundaries, x, y));
  }
};

template <class Storage>
PlaneArguments<Storage> plane_arguments(const DeviceLattice& device, const PlaneState& plane) {
  return {device.lattice.layout,
          reinterpret_cast<const typename Storage::Value*>(
              device.slots + plane.slot * device.lattice.layout.bytes),
          plane,
          device.boundaries,
          device.lattice.limits,
          fixed::flow(device.lattice.layout.cells() * device.lattice.nz)};
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
};

template <class Storage>
__global__ void moments_kernel(const __grid_constant__ PlaneArguments<Storage> plane,
                               const __grid_constant__ CellRectangle r, float* drho,
                               float* velocity) {
  const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (column >= r.nx || row >= r.ny) return;
  const int x = (r.x + column * r.stride) % plane.layout.nx;
  const int y = (r.y + row * r.stride) % plane.layout.ny;
  Moments<typename Storage::Real> m{};
  if (!plane.is_solid(x, y)) m = plane.moments(x, y);
  const std::int64_t cell = static_cast<std::int64_t>(row) * r.nx + column;
  drho[cell] = static_cast<float>(m.drho);
  velocity[3 * cell] = static_cast<float>(m.ux);
  velocity[3 * cell + 1] = static_cast<float>(m.uy);
  velocity[3 * cell + 2] = static_cast<float>(m.uz);
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

// One block for each row. Sums of a row have a fixed order, so their bits are reproducible.
template <class Storage>
__global__ void sample_flow_kernel(const __grid_constant__ PlaneArguments<Storage> plane,
                                   std::int64_t* record) {
  __shared__ FlowSums warps[threads_per_block / 32];
  const int y = static_cast<int>(blockIdx.x);
  FlowSums own;
  for (int x = static_cast<int>(threadIdx.x); x < plane.layout.nx; x += threads_per_block) {
    if (plane.is_solid(x, y)) continue;
    const std::int64_t cell =
        (std::int64_t{plane.state.z} * plane.layout.ny + y) * plane.layout.nx + x;
    own.add(plane.moments(x, y), cell, plane.limits);
  }
  // Cells outside the limits are rare: each thread reports its own.
  if (own.bad > 0) {
    raise_shared(record + first_bad_cell, own.first_bad);
    add_shared(record + bad_cells, own.bad);
    own.bad = 0;
  }
  own.mass = warp_sum(own.mass);
  own.energy = warp_sum(own.energy);
  for (double& m : own.momentum) m = warp_sum(m);
  own.speed_squared = warp_max(own.speed_squared);
  own.density_up = warp_max(own.density_up);
  own.density_down = warp_max(own.density_down);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = own;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (unsigned i = 1; i < threads_per_block / 32; ++i) {
    own.mass += warps[i].mass;
    own.energy += warps[i].energy;
    for (int a = 0; a < 3; ++a) own.momentum[a] += warps[i].momentum[a];
    own.speed_squared = fmax(own.speed_squared, warps[i].speed_squared);
    own.density_up = fmax(own.density_up, warps[i].density_up);
    own.density_down = fmax(own.density_down, warps[i].density_down);
  }
  own.add_to(record, plane.scale);
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
      [&](int i) { return Storage::load(values[i * args.layout.pitch]); });
  PlaneState state = args.state;
  state.z = z;
  const auto force =
      state.force_at(args.boundaries, static_cast<int>(cell.x), static_cast<int>(cell.y));
  put_probe(args.record + args.probes.first_value + probe_values * p, stored_moments(sums, force));
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
                                 plane_state(device, 0, 0, launch.step + 1)};
  constexpr unsigned threads = 128;
  const auto most = static_cast<unsigned>(device.probes.most_in_a_plane);
  const dim3 grid((most + threads - 1) / threads, static_cast<unsigned>(launch.count));
  visit_storage(device.lattice, [&]<class Storage>(Storage) {
    launch_kernel("probe kernel", probe_kernel<Storage>, {grid, threads}, {stream}, arguments);
  });
}

void launch_moments(const DeviceLattice& device, const PlaneState& plane, const CellRectangle& r,
                    float* drho, float* velocity, cudaStream_t stream) {
  const dim3 block = block_of(static_cast<unsigned>(r.nx));
  const dim3 grid((r.nx + block.x - 1) / block.x, (r.ny + block.y - 1) / block.y);
  visit_storage(device.lattice, [&]<class Storage>(Storage) {
    launch_kernel("moments kernel", moments_kernel<Storage>, {grid, block}, {stream},
                  plane_arguments<Storage>(device, plane), r, drho, velocity);
  });
}

void launch_sample_flow(const DeviceLattice& device, const PlaneState& plane, std::int64_t* record,
                        cudaStream_t stream) {
  visit_storage(device.lattice, [&]<class Storage>(Storage) {
    launch_kernel("kernel of flow sums", sample_flow_kernel<Storage>,
                  {static_cast<unsigned>(device.lattice.layout.ny), threads_per_block}, {stream},
                  plane_arguments<Storage>(device, plane), record);
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
