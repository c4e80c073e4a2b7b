// SPDX-License-Identifier: Apache-2.0

// Replays lists of small launches as CUDA graphs: one call to the driver for many kernels.
//
// It pays for lists that are repeated, of launches that are shorter than the time the driver needs
// to submit one (docs/lab/performance.md).
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "solver/backend/backend.hpp"

namespace lbm::cuda {

struct GraphDeleter {
  void operator()(cudaGraph_t graph) const { cudaGraphDestroy(graph); }
  void operator()(cudaGraphExec_t graph) const { cudaGraphExecDestroy(graph); }
};
using Graph = std::unique_ptr<std::remove_pointer_t<cudaGraph_t>, GraphDeleter>;
using ExecutableGraph = std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, GraphDeleter>;

class Replay {
 public:
  // Submits the launches to the stream as a graph, if they are many, small, and were seen before.
  // False: nothing was submitted.
  bool run(const DeviceLattice& lattice, std::span<const UpdateLaunch> launches, bool overlap,
           cudaStream_t stream);

 private:
  struct Recorded {
    DeviceLattice lattice;
    std::vector<UpdateLaunch> launches;
    ExecutableGraph graph;  // null: seen once
  };
  Recorded* find(const DeviceLattice& lattice, std::span<const UpdateLaunch> launches);

  std::vector<Recorded> recorded_;
};

}  // namespace lbm::cuda
