// Runs two launches in one pass over device memory, where that is possible and pays.
//
// Tiles that need more than the main update (tile_map.hpp) make one step at a time: first the first
// step in and around them, then the pass of all other tiles, then the second step. The cells of the
// second pass (boundary_kernel.cu) follow each step.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <vector>

#include "solver/backend/cuda/passes/pair_kernel.hpp"
#include "solver/core/buffer.hpp"

namespace lbm::cuda {

class PairPasses {
 public:
  // Of the device: its multiprocessors, and the shared memory that a block can have.
  PairPasses(int multiprocessors, std::size_t shared_bytes)
      : multiprocessors_(multiprocessors), shared_bytes_(shared_bytes) {}

  // Submits both launches to the stream as one pass. False: nothing was submitted.
  bool run(const DeviceLattice& device, const UpdateLaunch& first, const UpdateLaunch& second,
           bool overlap, cudaStream_t stream);

  // Whether the device can run passes on such a lattice.
  bool possible(const Lattice& lattice) const;
  // Backend::steps_per_pass().
  int steps_per_pass(const Lattice& lattice) const;

 private:
  // The tiles of one lattice, and their copy on the device.
  struct Tiles {
    DeviceLattice device;
    std::uint64_t boundaries;  // Boundaries::identity()
    TileMap map;
    Buffer memory;  // special, near_special, special_tiles
    const std::uint32_t* special = nullptr;
    const PlaneTile* near_special = nullptr;
    const PlaneTile* special_tiles = nullptr;
  };
  const Tiles* tiles_of(const DeviceLattice& device);

  int multiprocessors_;
  std::size_t shared_bytes_;
  std::vector<std::unique_ptr<Tiles>> known_;
};

}  // namespace lbm::cuda
