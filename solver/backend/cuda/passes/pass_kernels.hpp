// SPDX-License-Identifier: Apache-2.0

// Launches of the kernels that make two steps in one pass over device memory.
#pragma once

#include <cuda_runtime_api.h>

#include "solver/backend/cuda/passes/special_cells.hpp"
#include "solver/backend/launch_pair.hpp"

namespace lbm::cuda {

// SpecialCells on the device.
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
  int parts;                       // of the planes, which run at the same time
};

// Bytes of shared memory that a block of launch_pair() takes.
std::size_t pass_shared_bytes(const Lattice& lattice);

// Advances all cells by both launches; what it gives special cells is to be replaced. Planes of the
// first launch are written where LaunchPair::kept or SpecialCells::stored says so.
void launch_pair(const DeviceLattice& device, const PairPass& pass, bool overlap,
                 cudaStream_t stream);
// The same for a lattice of moments.
void launch_moment_pair(const DeviceLattice& device, const PairPass& pass, bool overlap,
                        cudaStream_t stream);
std::size_t moment_pass_shared_bytes(const Lattice& lattice);

// The main update of special fluid cells, and zeros in solid cells, in those planes of the launch
// that `chosen` has a bit for.
void launch_special_cells(const DeviceLattice& device, const UpdateLaunch& launch,
                          const SpecialView& special, const SpecialCells& cells,
                          std::uint64_t chosen, bool overlap, cudaStream_t stream);

}  // namespace lbm::cuda
