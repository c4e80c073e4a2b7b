// Launches of the kernels that make two steps in one pass over device memory.
#pragma once

#include <cuda_runtime_api.h>

#include "solver/backend/cuda/passes/tile_map.hpp"
#include "solver/backend/launch_pair.hpp"

namespace lbm::cuda {

// Bytes of shared memory that a block of launch_pair() takes.
std::size_t pass_shared_bytes(StorageType storage);

// Advances the plain tiles by both launches of a pair. Planes of the first launch that are kept are
// written where tiles are plain. special: TileMap::special, on the device. parts: of the planes,
// which run at the same time.
struct PairPass {
  LaunchPair pair;
  const std::uint32_t* special;
  int tiles_across, tiles, words;
  int parts;
};
void launch_pair(const DeviceLattice& device, const PairPass& pass, bool overlap,
                 cudaStream_t stream);

// The main update of some tiles, all of which lie in planes of the launch. halo: cells around each
// tile that are updated as well.
void launch_tiles(const DeviceLattice& device, const UpdateLaunch& launch, const PlaneTile* tiles,
                  std::size_t count, int halo, bool overlap, cudaStream_t stream);

}  // namespace lbm::cuda
