// SPDX-License-Identifier: Apache-2.0
#include "solver/backend/cuda/replay.hpp"

#include <algorithm>

#include "solver/backend/cuda/kernels/check.hpp"
#include "solver/backend/cuda/kernels/update_kernel.hpp"

namespace lbm::cuda {
namespace {

constexpr std::size_t least_launches = 8;
constexpr std::int64_t most_cells = std::int64_t{64} * 64 * 64;  // of a launch
constexpr std::size_t most_lists = 8;  // lists that never repeat must not fill the memory

bool worth_it(const DeviceLattice& lattice, std::span<const UpdateLaunch> launches) {
  const std::int64_t plane = lattice.lattice.layout.cells();
  return launches.size() >= least_launches &&
         std::all_of(launches.begin(), launches.end(), [&](const UpdateLaunch& l) {
           return !l.together && l.count * plane <= most_cells;
         });
}

ExecutableGraph record(const DeviceLattice& lattice, std::span<const UpdateLaunch> launches,
                       bool overlap, cudaStream_t stream) {
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "record launches");
  for (const UpdateLaunch& launch : launches) {
    launch_step(lattice, launch, overlap, stream);
  }
  cudaGraph_t graph = nullptr;
  check(cudaStreamEndCapture(stream, &graph), "record launches");
  const Graph owner(graph);
  cudaGraphExec_t executable = nullptr;
  check(cudaGraphInstantiate(&executable, graph, 0), "record launches");
  return ExecutableGraph(executable);
}

}  // namespace

Replay::Recorded* Replay::find(const DeviceLattice& lattice,
                               std::span<const UpdateLaunch> launches) {
  const auto found = std::find_if(recorded_.begin(), recorded_.end(), [&](const Recorded& r) {
    return std::equal(launches.begin(), launches.end(), r.launches.begin(), r.launches.end()) &&
           r.lattice == lattice;
  });
  return found == recorded_.end() ? nullptr : &*found;
}

bool Replay::run(const DeviceLattice& lattice, std::span<const UpdateLaunch> launches, bool overlap,
                 cudaStream_t stream) {
  if (!worth_it(lattice, launches)) return false;
  Recorded* known = find(lattice, launches);
  if (known == nullptr) {
    if (recorded_.size() < most_lists) {
      recorded_.push_back({lattice, {launches.begin(), launches.end()}, nullptr});
    }
    return false;
  }
  if (known->graph == nullptr) known->graph = record(lattice, launches, overlap, stream);
  check(cudaGraphLaunch(known->graph.get(), stream), "replay launches");
  return true;
}

}  // namespace lbm::cuda
