// Kernels that look at a plane: fields for output, sums and limits of the flow.
#include "solver/backend/cuda/check.hpp"
#include "solver/backend/cuda/kernels.hpp"
#include "solver/backend/cuda/launch_shape.hpp"

namespace lbm::cuda {
namespace {

template <class Storage>
struct PlaneArguments {
  PlaneLayout layout;
  const typename Storage::Value* values;
  PlaneState state;
  BoundaryView boundaries;
  FlowLimits limits;

  __device__ bool is_solid(int x, int y) const { return boundaries.is_solid(x, y, state.z); }
  __device__ Moments<typename Storage::Real> moments(int x, int y) const {
    typename Storage::Real g[d3q19::directions];
    LBM_UNROLL
    for (int q = 0; q < d3q19::directions; ++q) g[q] = Storage::load(values[layout.index(q, y, x)]);
    return stored_moments(g, state.force);
  }
};

template <class Storage>
PlaneArguments<Storage> plane_arguments(const DeviceLattice& device, const PlaneState& plane) {
  return {device.lattice.layout,
          reinterpret_cast<const typename Storage::Value*>(
              device.slots + plane.slot * device.lattice.layout.bytes),
          plane, device.boundaries, device.lattice.limits};
}

template <class Storage>
__global__ void moments_kernel(const __grid_constant__ PlaneArguments<Storage> plane,
                               float* density, float* velocity) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= plane.layout.nx || y >= plane.layout.ny) return;
  auto m = plane.moments(x, y);
  if (plane.is_solid(x, y)) m = {1, 0, 0, 0};
  const std::int64_t cell = static_cast<std::int64_t>(y) * plane.layout.nx + x;
  density[cell] = static_cast<float>(m.rho);
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

// One row a block: the order of its sums is always the same.
template <class Storage>
__global__ void look_kernel(const __grid_constant__ PlaneArguments<Storage> plane,
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
  own.add_to(record);
}

}  // namespace

void launch_moments(const DeviceLattice& device, const PlaneState& plane, float* density,
                    float* velocity, cudaStream_t stream) {
  visit_storage(device.lattice.storage, [&](auto storage) {
    using Storage = decltype(storage);
    const PlaneLayout& layout = device.lattice.layout;
    const dim3 block = block_of(layout.nx);
    moments_kernel<Storage><<<grid_of(layout.nx, layout, block, 1), block, 0, stream>>>(
        plane_arguments<Storage>(device, plane), density, velocity);
  });
  check(cudaGetLastError(), "moments kernel");
}

void launch_look_at(const DeviceLattice& device, const PlaneState& plane, std::int64_t* record,
                    cudaStream_t stream) {
  visit_storage(device.lattice.storage, [&](auto storage) {
    using Storage = decltype(storage);
    look_kernel<Storage>
        <<<static_cast<unsigned>(device.lattice.layout.ny), threads_per_block, 0, stream>>>(
            plane_arguments<Storage>(device, plane), record);
  });
  check(cudaGetLastError(), "kernel of flow sums");
}

}  // namespace lbm::cuda
