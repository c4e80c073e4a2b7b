// Kernels that read a plane: fields for output, probes, sums and limits of the flow.
#include "solver/backend/cuda/check.hpp"
#include "solver/backend/cuda/launch_shape.hpp"
#include "solver/backend/cuda/update_kernel.hpp"
#include "solver/lattice/differences.hpp"

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

struct ProbeArguments {
  PlaneLayout layout;
  int nz;
  const std::byte* slots;
  UpdateLaunch launch;
  ProbeView probes;
  std::int64_t* record;
  double force[3];
};

template <class Storage>
__global__ void moments_kernel(const __grid_constant__ PlaneArguments<Storage> plane,
                               const __grid_constant__ CellRectangle r, float* density,
                               float* velocity) {
  const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (column >= r.nx || row >= r.ny) return;
  const int x = (r.x + column * r.stride) % plane.layout.nx;
  const int y = (r.y + row * r.stride) % plane.layout.ny;
  auto m = plane.moments(x, y);
  if (plane.is_solid(x, y)) m = {1, 0, 0, 0};
  const std::int64_t cell = static_cast<std::int64_t>(row) * r.nx + column;
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

// Of a row, by the threads of a block: each has the cells with its own number modulo the block.
template <class Real>
struct ThreadSums {
  FlowSums flow;
  differences::SquaresAlongX squares;
  double velocity = 0;  // sum of signed_velocity()

  // All threads of a warp call it. The cell of each is the right neighbour of the one before.
  __device__ void add(const Moments<Real>& m, bool fluid, int x, std::uint32_t seed) {
    static_assert(differences::group == 32, "a group is a warp");
    constexpr unsigned all = 0xffffffffU;
    const auto shifted = [&](int by) {
      const auto of = [&](Real value) {
        return by < 0 ? __shfl_up_sync(all, value, 1) : __shfl_down_sync(all, value, 1);
      };
      return Moments<Real>{of(m.rho), of(m.ux), of(m.uy), of(m.uz)};
    };
    const Moments<Real> left = shifted(-1), right = shifted(1);
    const unsigned fluids = __ballot_sync(all, fluid), lane = threadIdx.x % 32;
    if (lane > 0 && (fluids >> (lane - 1) & 7U) == 7U) squares.add(left, m, right);
    if (fluid) velocity += differences::signed_velocity(m, x, seed);
  }

  // Over the warp. velocity: over the lanes of the same part of the row.
  __device__ void sum_over_warp() {
    flow.mass = warp_sum(flow.mass);
    flow.energy = warp_sum(flow.energy);
    for (double& m : flow.momentum) m = warp_sum(m);
    flow.speed_squared = warp_max(flow.speed_squared);
    flow.density_up = warp_max(flow.density_up);
    flow.density_down = warp_max(flow.density_down);
    squares.first = warp_sum(squares.first);
    squares.second = warp_sum(squares.second);
    for (int step = 16; step >= differences::parts; step /= 2) {
      velocity += __shfl_xor_sync(0xffffffffU, velocity, step);
    }
  }
  // Of another warp.
  __device__ void add(const FlowSums& sums, const differences::SquaresAlongX& differences) {
    flow.mass += sums.mass;
    flow.energy += sums.energy;
    for (int a = 0; a < 3; ++a) flow.momentum[a] += sums.momentum[a];
    flow.speed_squared = fmax(flow.speed_squared, sums.speed_squared);
    flow.density_up = fmax(flow.density_up, sums.density_up);
    flow.density_down = fmax(flow.density_down, sums.density_down);
    squares.first += differences.first;
    squares.second += differences.second;
  }
};

// A block for each row: the order of its sums is always the same.
template <class Storage>
__global__ void sample_flow_kernel(const __grid_constant__ PlaneArguments<Storage> plane, int nz,
                                   std::int64_t* record) {
  using Real = typename Storage::Real;
  constexpr unsigned warps = threads_per_block / 32;
  __shared__ FlowSums sums[warps];
  __shared__ differences::SquaresAlongX squares[warps];
  __shared__ double velocities[warps][differences::parts];
  const int y = static_cast<int>(blockIdx.x), thread = static_cast<int>(threadIdx.x);
  const int lane = thread % 32, warp = thread / 32, nx = plane.layout.nx;
  const std::uint32_t seed = plane.state.seed;
  ThreadSums<Real> own;
  for (int x = thread; x - lane < nx; x += threads_per_block) {
    Moments<Real> m{};
    bool fluid = x < nx && !plane.is_solid(x, y);
    if (fluid) {
      m = plane.moments(x, y);
      const std::int64_t cell = (std::int64_t{plane.state.z} * plane.layout.ny + y) * nx + x;
      fluid = own.flow.add(m, cell, plane.limits);
    }
    own.add(m, fluid, x, seed);
  }
  // Cells outside the limits are rare: each thread reports its own.
  if (own.flow.bad > 0) {
    raise_shared(record + first_bad_cell, own.flow.first_bad);
    add_shared(record + bad_cells, own.flow.bad);
    own.flow.bad = 0;
  }
  own.sum_over_warp();
  if (lane == 0) {
    sums[warp] = own.flow;
    squares[warp] = own.squares;
  }
  if (lane < differences::parts) velocities[warp][lane] = own.velocity;
  __syncthreads();
  if (thread >= differences::parts) return;
  const auto shared = [](std::int64_t* to, std::int64_t value) { add_shared(to, value); };
  for (unsigned i = 1; i < warps; ++i) own.velocity += velocities[i][thread];
  differences::add_part(record, thread, own.velocity, {y, plane.state.z, plane.layout.ny, nz, seed},
                        shared);
  if (thread != 0) return;
  for (unsigned i = 1; i < warps; ++i) own.add(sums[i], squares[i]);
  own.flow.add_to(record);
  own.squares.add_to(record, shared);
}

// Grid: x, the probes of a plane; y, the plane of the launch.
template <class Storage>
__global__ void probe_kernel(const __grid_constant__ ProbeArguments args) {
  const int i = static_cast<int>(blockIdx.y);
  if ((args.launch.counted >> i & 1U) == 0) return;
  const int plane = args.launch.first_plane + i, z = plane < args.nz ? plane : plane - args.nz;
  const int p = args.probes.first[z] + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (p >= args.probes.first[z + 1]) return;
  const auto* values = reinterpret_cast<const typename Storage::Value*>(
      args.slots + args.launch.out[i] * args.layout.bytes);
  const ProbeCell cell = args.probes.cells[p];
  typename Storage::Real g[d3q19::directions];
  LBM_UNROLL
  for (int q = 0; q < d3q19::directions; ++q) {
    g[q] = Storage::load(values[args.layout.index(q, cell.y, cell.x)]);
  }
  put_probe(args.record + args.probes.first_value + probe_values * p,
            stored_moments(g, args.force));
}

}  // namespace

void launch_probe(const DeviceLattice& device, const UpdateLaunch& launch, cudaStream_t stream) {
  const auto force = device.lattice.collision.force.at(static_cast<double>(launch.step + 1));
  const ProbeArguments arguments{device.lattice.layout,
                                 device.lattice.nz,
                                 device.slots,
                                 launch,
                                 device.probes,
                                 device.record(launch.step + 1),
                                 {force[0], force[1], force[2]}};
  constexpr unsigned threads = 128;
  const auto most = static_cast<unsigned>(device.probes.most_in_a_plane);
  const dim3 grid((most + threads - 1) / threads, static_cast<unsigned>(launch.count));
  visit_storage(device.lattice.storage, [&](auto storage) {
    probe_kernel<decltype(storage)><<<grid, threads, 0, stream>>>(arguments);
  });
  check(cudaGetLastError(), "probe kernel");
}

void launch_moments(const DeviceLattice& device, const PlaneState& plane, const CellRectangle& r,
                    float* density, float* velocity, cudaStream_t stream) {
  visit_storage(device.lattice.storage, [&](auto storage) {
    using Storage = decltype(storage);
    const dim3 block = block_of(static_cast<unsigned>(r.nx));
    const dim3 grid((r.nx + block.x - 1) / block.x, (r.ny + block.y - 1) / block.y);
    moments_kernel<Storage>
        <<<grid, block, 0, stream>>>(plane_arguments<Storage>(device, plane), r, density, velocity);
  });
  check(cudaGetLastError(), "moments kernel");
}

void launch_sample_flow(const DeviceLattice& device, const PlaneState& plane, std::int64_t* record,
                        cudaStream_t stream) {
  visit_storage(device.lattice.storage, [&](auto storage) {
    using Storage = decltype(storage);
    sample_flow_kernel<Storage>
        <<<static_cast<unsigned>(device.lattice.layout.ny), threads_per_block, 0, stream>>>(
            plane_arguments<Storage>(device, plane), device.lattice.nz, record);
  });
  check(cudaGetLastError(), "kernel of flow sums");
}

}  // namespace lbm::cuda
