// Replays lists of small launches as CUDA graphs: one call to the driver for many kernels.
//
// It pays where a launch takes the device less time than the driver needs to give it (see
// docs/performance.md), and only lists that come again can be replayed.
#pragma once

#include <cuda_runtime_api.h>

#include <span>
#include <vector>

#include "solver/backend/backend.hpp"

namespace lbm::cuda {

class Replay {
 public:
  Replay() = default;
  ~Replay();
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;

  // Gives the launches to the stream, as a graph where they are many, small, and came before.
  // False: the caller has to give them one by one.
  bool run(const DeviceLattice& lattice, std::span<const UpdateLaunch> launches, bool overlap,
           cudaStream_t stream);

 private:
  struct Recorded {
    DeviceLattice lattice;
    std::vector<UpdateLaunch> launches;
    cudaGraphExec_t graph = nullptr;  // null: seen once
  };
  Recorded* find(const DeviceLattice& lattice, std::span<const UpdateLaunch> launches);

  std::vector<Recorded> recorded_;
};

}  // namespace lbm::cuda
