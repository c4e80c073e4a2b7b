// SPDX-License-Identifier: Apache-2.0

// Replays lists of small launches as CUDA graphs: one call to the driver for many kernels.
//
// It pays for lists that are repeated, of launches that are shorter than the time the driver needs
// to submit one (docs/lab/performance.md).
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "solver/backend/cuda/handles.hpp"

namespace lbm::cuda {

class Replay {
 public:
  // Submits the launches to the stream as a graph, if they are many, small, and were seen before.
  // False: nothing was submitted.
  bool run(const DeviceLattice& lattice, std::span<const UpdateLaunch> launches,
           const LaunchQueue& queue) {
    constexpr std::size_t most_lists = 8;  // lists that never repeat must not fill the memory
    if (!worth_it(lattice, launches)) return false;
    const auto known = std::find_if(recorded_.begin(), recorded_.end(), [&](const Recorded& r) {
      return std::equal(launches.begin(), launches.end(), r.launches.begin(), r.launches.end()) &&
             r.lattice == lattice;
    });
    if (known == recorded_.end()) {
      if (recorded_.size() < most_lists) {
        recorded_.push_back({lattice, {launches.begin(), launches.end()}, nullptr});
      }
      return false;
    }
    if (known->graph == nullptr) known->graph = record(lattice, launches, queue);
    check(cudaGraphLaunch(known->graph.get(), queue.stream), "replay launches");
    return true;
  }

 private:
  struct Recorded {
    DeviceLattice lattice;
    std::vector<UpdateLaunch> launches;
    Owned<cudaGraphExec_t> graph;  // null: seen once
  };

  static bool worth_it(const DeviceLattice& lattice, std::span<const UpdateLaunch> launches) {
    constexpr std::size_t least_launches = 8;
    constexpr std::int64_t most_cells = std::int64_t{64} * 64 * 64;  // of a launch
    const std::int64_t plane = lattice.lattice.layout.cells();
    return launches.size() >= least_launches &&
           std::all_of(launches.begin(), launches.end(), [&](const UpdateLaunch& l) {
             return !l.together && l.count * plane <= most_cells;
           });
  }

  static Owned<cudaGraphExec_t> record(const DeviceLattice& lattice,
                                       std::span<const UpdateLaunch> launches,
                                       const LaunchQueue& queue) {
    check(cudaStreamBeginCapture(queue.stream, cudaStreamCaptureModeThreadLocal),
          "record launches");
    for (const UpdateLaunch& launch : launches) launch_step(lattice, launch, queue);
    cudaGraph_t graph = nullptr;
    check(cudaStreamEndCapture(queue.stream, &graph), "record launches");
    const Owned<cudaGraph_t> owner(graph);
    cudaGraphExec_t executable = nullptr;
    check(cudaGraphInstantiate(&executable, graph, 0), "record launches");
    return Owned<cudaGraphExec_t>(executable);
  }

  std::vector<Recorded> recorded_;
};

}  // namespace lbm::cuda
