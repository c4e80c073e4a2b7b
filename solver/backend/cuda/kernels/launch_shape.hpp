// SPDX-License-Identifier: Apache-2.0

// Arguments, grids and launches of the kernels of the lattice.
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>

#include "solver/backend/cuda/kernels/launches.hpp"
#include "solver/core/host_device.hpp"
#include "solver/lattice/step_record.hpp"
#include "solver/update/update_cell.hpp"

namespace lbm::cuda {

inline constexpr unsigned threads_per_block = 256;

#if defined(__CUDACC__)
// Programmatic dependent launch (compute capability 9.0 and newer): blocks of this launch may start
// while the last ones of the launch before still run, and wait here for its results.
__device__ inline void wait_for_launch_before() {
#if __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
#endif
}

// As sums.add_to(), for all threads of a warp. They mostly have the same body: one thread adds for
// all.
template <int most>
__device__ void add_of_warp(BodySums<most> sums, std::int64_t* bodies, int count = most) {
  constexpr unsigned all = 0xffffffffU;
  const int first = __reduce_max_sync(all, sums.body);
  if (first < 0) return;
  if (sums.body != first) {
    sums.add_to(bodies, count);
    sums.clear(-1);
  }
  LBM_UNROLL
  for (int v = 0; v < most; ++v) {
    if (v >= count) break;
    auto value = static_cast<long long>(sums.value[v]);
    for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(all, value, step);
    if (threadIdx.x % 32 == 0 && value != 0) add_shared(bodies + count * first + v, value);
  }
}
#endif

// Everything one launch needs, passed in constant memory.
template <class Storage, class Collision, bool free_slip = true>
struct UpdateArguments {
  UpdateParams<Storage, Collision, free_slip> params;
  UpdateLaunch launch;
  std::byte* slots;

  LBM_HD typename Storage::Value* slot(int index) const {
    return reinterpret_cast<typename Storage::Value*>(slots + index * params.layout.bytes);
  }
  LBM_HD InputPlanes<Storage> input(int plane) const {
    return {{slot(launch.in[plane]), slot(launch.in[plane + 1]), slot(launch.in[plane + 2])}};
  }
  LBM_HD int z_of(int plane) const { return launch.z_of(plane, params.nz); }
};

template <class Storage, class Collision, bool free_slip = true>
UpdateArguments<Storage, Collision, free_slip> make_arguments(const DeviceLattice& device,
                                                              const UpdateLaunch& launch) {
  return {make_update_params<Storage, Collision, free_slip>(device.lattice, device.boundaries,
                                                            device.host, launch.step),
          launch, device.slots};
}

// Blocks of `threads` threads: as wide as a row of `columns` threads, in whole warps.
inline dim3 block_of(unsigned columns, unsigned threads = threads_per_block) {
  const unsigned width = std::min(threads, (columns + 31) / 32 * 32);
  return {width, threads / width, 1};
}

struct GridShape {
  dim3 grid, block;
  std::size_t shared_bytes = 0;
};

// Launches nothing in an empty grid. name: for messages.
template <class Kernel, class... Arguments>
void launch_kernel(const char* name, Kernel* kernel, const GridShape& shape,
                   const LaunchQueue& queue, const Arguments&... arguments) {
  if (shape.grid.x == 0) return;
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = shape.grid;
  config.blockDim = shape.block;
  config.dynamicSmemBytes = shape.shared_bytes;
  config.stream = queue.stream;
  config.attrs = &attribute;
  config.numAttrs = queue.overlap ? 1 : 0;
  check(cudaLaunchKernelEx(&config, kernel, arguments...), name);
}

// Stores what a cell has after the collision. g: its values, times Storage::scale; out: where its
// first value goes.
template <class Storage, class Params>
LBM_HD void store_cell(const Params& params,
                       const typename Storage::Real (&g)[Storage::Set::directions],
                       typename Storage::Value* out) {
  const auto rounding = Storage::rounding(params.rounding, g[0]);
  LBM_UNROLL
  for (int v = 0; v < Storage::values; ++v) {
    out[v * params.layout.pitch] = Storage::store_rounded(g[v], rounding);
  }
}

// Kernels of the main update are compiled with free slip and without, which is faster. In double
// precision it is not, so all have free slip.
//
// Calls visitor(Storage{}, std::type_identity<Collision>{}, std::bool_constant<free_slip>{}) for
// the lattice's storage, collision and faces.
template <class Visitor>
void visit_update_with_slip(const Lattice& lattice, const Visitor& visitor) {
  visit_update(lattice, [&](auto storage, auto collision) {
    if constexpr (sizeof(typename decltype(storage)::Real) < 8) {
      if (lattice.walls.free_slip == 0) return visitor(storage, collision, std::false_type{});
    }
    visitor(storage, collision, std::true_type{});
  });
}

// The blocks of a kernel that does a few cells of each plane of a launch, a different number in
// each: a grid of one dimension without idle blocks. (A grid of planes times the most blocks of any
// plane took longer to start than to do its work, where a plane at a face of z has a million cells
// and the others a thousand.)
struct PlaneBlocks {
  // Plane i of the launch has the blocks first[i] ... first[i + 1] - 1; those beyond the launch
  // none.
  std::array<std::uint32_t, max_planes_per_launch + 1> first{};

  std::uint32_t count() const { return first[max_planes_per_launch]; }
  // The plane of a block, a power of two at a time.
  LBM_HD int plane_of(std::uint32_t block) const {
    static_assert((max_planes_per_launch & (max_planes_per_launch - 1)) == 0);
    const std::uint32_t* const begin = &first[0];
    int plane = 0;
    LBM_UNROLL
    for (int step = max_planes_per_launch / 2; step > 0; step /= 2) {
      if (begin[plane + step] <= block) plane += step;
    }
    return plane;
  }
};

// cells(i, z): how many cells of plane i of the launch, which is plane z of the grid, are done, a
// thread each.
template <class Cells>
PlaneBlocks make_plane_blocks(const UpdateLaunch& launch, int nz, unsigned threads,
                              const Cells& cells) {
  PlaneBlocks blocks;
  for (int i = 0; i < max_planes_per_launch; ++i) {
    const auto n =
        i < launch.count ? static_cast<std::uint32_t>(cells(i, (launch.first_plane + i) % nz)) : 0U;
    blocks.first[i + 1] = blocks.first[i] + (n + threads - 1) / threads;
  }
  return blocks;
}

struct Place {
  int x, y;
};

// Counts of the boundary cells of a plane, in the order of the second pass: cells at bodies; cells
// at x faces; cells at y faces; or instead of both, where the plane is a z face of the second pass,
// all cells.
struct PlaneCells {
  int linked, x_faces, y_faces, all;

  LBM_HD int count() const { return linked + x_faces + y_faces + all; }
};

LBM_HD PlaneCells cells_of(unsigned pass_faces, const PlaneLayout& layout, int z, int nz,
                           int linked) {
  const auto faces = [&](unsigned low, unsigned high) {
    return ((pass_faces & low) != 0 ? 1 : 0) + ((pass_faces & high) != 0 ? 1 : 0);
  };
  const bool whole =
      (z == 0 && (pass_faces & z_min) != 0) || (z == nz - 1 && (pass_faces & z_max) != 0);
  if (whole) return {linked, 0, 0, layout.nx * layout.ny};
  return {linked, faces(x_min, x_max) * layout.ny, faces(y_min, y_max) * layout.nx, 0};
}

// Cell i of those at faces. A cell at an edge of x and y faces is in the list of both.
LBM_HD Place place_of(int i, const PlaneCells& cells, unsigned pass_faces,
                      const PlaneLayout& layout) {
  if (cells.all > 0) return {i % layout.nx, i / layout.nx};
  if (i < cells.x_faces) {
    const bool low = (pass_faces & x_min) != 0 && i < layout.ny;
    return {low ? 0 : layout.nx - 1, i % layout.ny};
  }
  i -= cells.x_faces;
  const bool low = (pass_faces & y_min) != 0 && i < layout.nx;
  return {i % layout.nx, low ? 0 : layout.ny - 1};
}

// A cell of the second pass. any: false where the pass has none for this thread.
struct BoundaryPlace {
  bool any = false;
  const LinkedCell* linked = nullptr;  // its entry, at bodies
  Place place{};
};

// Cell i of the second pass in plane z. Solid cells at faces are left out. A cell is found once, at
// bodies, an x face or a y face, in this order (in boxes of one cell along x or y: twice).
LBM_HD BoundaryPlace find_boundary_cell(const BoundaryView& view, unsigned pass_faces,
                                        const PlaneLayout& layout, int nz, int z, int i) {
  const CellList* const list = view.list(z);
  const PlaneCells cells = cells_of(pass_faces, layout, z, nz, list == nullptr ? 0 : list->cells);
  if (i >= cells.count()) return {};
  if (i < cells.linked) {
    const LinkedCell* const linked = view.cells + list->first_cell + i;
    return {true, linked, {static_cast<int>(linked->x), static_cast<int>(linked->y)}};
  }
  const Place place = place_of(i - cells.linked, cells, pass_faces, layout);
  const std::uint32_t* const solids = view.solid_plane(z);
  const bool in_y_list = cells.all == 0 && i >= cells.linked + cells.x_faces;
  const bool other =
      (in_y_list && touched_faces(pass_faces & (x_min | x_max), place.x, place.y, z, layout.nx,
                                  layout.ny, nz) != 0) ||
      (solids != nullptr && (view.is_set(solids, place.x, place.y) ||
                             view.is_set(solids + view.mask_words, place.x, place.y)));
  return {!other, nullptr, place};
}

// The blocks of a kernel that does these cells. device.host must not be null.
inline PlaneBlocks make_boundary_blocks(const DeviceLattice& device, const UpdateLaunch& launch,
                                        unsigned pass_faces, unsigned threads) {
  const Lattice& lattice = device.lattice;
  return make_plane_blocks(launch, lattice.nz, threads, [&](int, int z) {
    return cells_of(pass_faces, lattice.layout, z, lattice.nz, device.host->linked_cells(z))
        .count();
  });
}

}  // namespace lbm::cuda
