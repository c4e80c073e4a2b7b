// SPDX-License-Identifier: Apache-2.0

// Launches of the kernels that make two steps in one pass over device memory.
#pragma once

#include <cuda_runtime_api.h>

#include "solver/backend/cuda/passes/special_cells.hpp"
#include "solver/backend/launch_pair.hpp"

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
void launch_pair(const DeviceLattice& device, const PairPass& pass, bool overlap,
                 cudaStream_t stream);
// The same for a lattice of moments.
void launch_moment_pair(const DeviceLattice& device, const PairPass& pass, bool overlap,
                        cudaStream_t stream);
std::size_t moment_pass_shared_bytes(const Lattice& lattice);

// Main update of the special fluid cells and zeros in solid cells. chosen: bits of the planes of
// the launch.
void launch_special_cells(const DeviceLattice& device, const UpdateLaunch& launch,
                          const SpecialView& special, const SpecialCells& cells,
                          std::uint64_t chosen, bool overlap, cudaStream_t stream);

}  // namespace lbm::cuda
