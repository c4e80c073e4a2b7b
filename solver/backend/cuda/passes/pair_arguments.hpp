// SPDX-License-Identifier: Apache-2.0

// Launches and arguments of the kernels that make two steps in one pass over device memory, and the
// roles of planes in a block.
#pragma once

#include <cuda_runtime_api.h>

#include "solver/backend/cuda/kernels/launch_shape.hpp"
#include "solver/backend/cuda/kernels/launches.hpp"
#include "solver/backend/cuda/passes/pass_shape.hpp"
#include "solver/backend/cuda/passes/special_cells.hpp"
#include "solver/backend/pass_plan.hpp"
#include "solver/update/update_cell.hpp"

namespace lbm::cuda {

// SpecialCells in device memory, which PairPasses owns; null pointers without special cells.
struct SpecialView {
  const std::uint32_t* stored = nullptr;
  const SpecialRange* range_of = nullptr;
  const std::uint32_t* cells = nullptr;
  const std::uint32_t* words_with_solids = nullptr;
  unsigned walls = 0;
};

// One pass: both launches of a pair, by the main update alone.
struct PairPass {
  LaunchPair pair;
  SpecialView special;
  int tiles_across, tiles, words;  // as in SpecialCells
  int parts;                       // of the planes; they run concurrently
};

// Bytes of shared memory that a block of launch_pair() needs.
std::size_t pass_shared_bytes(const Lattice& lattice);

// Updates all cells by both launches; special and boundary cells need repair (pair_passes.hpp).
// Stores planes of the first launch only where LaunchPair::kept or SpecialCells::stored says so.
void launch_pair(const DeviceLattice& device, const PairPass& pass, const LaunchQueue& queue);
// The same for a lattice of moments.
void launch_moment_pair(const DeviceLattice& device, const PairPass& pass,
                        const LaunchQueue& queue);
std::size_t moment_pass_shared_bytes(const Lattice& lattice);

// Main update of the special fluid cells and zeros in solid cells. chosen: bits of the planes of
// the launch.
void launch_special_cells(const DeviceLattice& device, const UpdateLaunch& launch,
                          const SpecialView& special, const SpecialCells& cells,
                          std::uint64_t chosen, const LaunchQueue& queue);

}  // namespace lbm::cuda

#if defined(__CUDACC__)

namespace lbm::cuda {

// Bits: work of a block on a plane of level s + 1, between the steps.
enum PlaneRole : unsigned {
  computes = 1,    // makes the first step of this plane
  reads = 2,       // reads it from its slot
  keeps = 4,       // makes it and stores it in its slot for later visits
  finishes = 8,    // makes the second step of this plane
  at_bottom = 16,  // the plane touches the closed face z_min
  at_top = 32,     // ... z_max
};

// Plane j of level s + 1: j = 0 is the plane below the first output plane of the second launch.
template <class Storage, class Collision>
struct PairArguments {
  UpdateParams<Storage, Collision> first, second;
  PairPass pass;
  std::byte* slots;

  LBM_HD std::byte* slot(int index) const {
    // A plane has less than 4 GiB: one instruction.
    return slots + static_cast<std::uint64_t>(static_cast<std::uint32_t>(index)) *
                       static_cast<std::uint32_t>(first.layout.bytes);
  }
  LBM_HD int z_between(int j) const {
    const int z = pass.pair.second.first_plane - 1 + j;
    return z < 0 ? z + first.nz : (z >= first.nz ? z - first.nz : z);
  }
  LBM_HD InputPlanes<Storage> input(int made) const {
    const auto plane = [&](int i) {
      return reinterpret_cast<const typename Storage::Value*>(slot(pass.pair.first.in[made + i]));
    };
    return {{plane(0), plane(1), plane(2)}};
  }
  // True if plane j lies beyond a closed face of z. The plane next to the face then replaces plane
  // j. (Where ranks share the grid, a launch may continue from the last plane to the first one.)
  LBM_HD bool beyond_face(int j) const {
    const LaunchPair& pair = pass.pair;
    const int last = pair.second.count + 1;
    if ((first.walls.faces & z_min) == 0) return false;
    return (j <= 0 && pair.second.in[0] == pair.second.in[1]) ||
           (j >= last && pair.second.in[last] == pair.second.in[last - 1]);
  }
  // True if the tile stores plane j for the kernels of special cells.
  LBM_HD bool is_stored(int j, int tile) const {
    if (pass.special.stored == nullptr) return false;
    const std::int64_t plane = static_cast<std::int64_t>(z_between(j)) * pass.words;
    return (pass.special.stored[plane + tile / 32] >> (tile % 32) & 1U) != 0;
  }
  LBM_HD int tile_of(int block) const {
    return tile_of_block(block, pass.tiles_across, pass.tiles / pass.tiles_across,
                         first.walls.faces);
  }
  LBM_HD unsigned touched(int x, int y, int z) const {
    return touched_faces(first.walls.faces, x, y, z, first.layout.nx, first.layout.ny, first.nz);
  }
  // The first plane whose second step part `part` makes; its last one is begin_of(part + 1) - 1.
  LBM_HD int begin_of(int part) const { return 1 + pass.pair.second.count * part / pass.parts; }

  // PlaneRole bits of plane j in begin - 1 ... end; the block finishes planes begin ... end - 1.
  LBM_HD unsigned role_of(int j, int tile, int begin, int end) const {
    const LaunchPair& pair = pass.pair;
    const auto ends = [&](int plane) { return plane >= begin && plane < end; };
    const int made = pair.made[j];
    // The outermost planes belong to the outermost parts of the launch.
    const bool own = (j >= begin || begin == 1) && (j < end || end == pair.second.count + 1);
    const bool stores = made >= 0 && own && !beyond_face(j) &&
                        ((pair.kept >> made & 1U) != 0 || is_stored(j, tile));
    const bool needed = ends(j - 1) || ends(j) || ends(j + 1);
    unsigned role = ends(j) ? finishes : 0U;
    if (made >= 0 && (needed || stores)) role |= computes;
    if (stores) role |= keeps;
    if (made < 0 && needed) role |= reads;
    const int z = z_between(j);
    if (z == 0 && (first.walls.faces & z_min) != 0) role |= at_bottom;
    if (z == first.nz - 1 && (first.walls.faces & z_max) != 0) role |= at_top;
    return role;
  }
};

template <class Storage, class Collision>
PairArguments<Storage, Collision> make_pair_arguments(const DeviceLattice& device,
                                                      const PairPass& pass) {
  const auto params = [&](const UpdateLaunch& launch) {
    return make_update_params<Storage, Collision>(device.lattice, device.boundaries, device.host,
                                                  launch.step);
  };
  return {params(pass.pair.first), params(pass.pair.second), pass, device.slots};
}

// Launches a two-step kernel: a block of this shape for each tile and part.
template <class Shape, class Arguments>
void launch_tiles(void (*kernel)(Arguments), const Arguments& arguments, const PairPass& pass,
                  const LaunchQueue& queue) {
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             Shape::shared_bytes),
        "two-step kernel");
  launch_kernel("two-step kernel", kernel,
                {{static_cast<unsigned>(pass.tiles), static_cast<unsigned>(pass.parts)},
                 Shape::threads,
                 Shape::shared_bytes},
                queue, arguments);
}

}  // namespace lbm::cuda

#endif
