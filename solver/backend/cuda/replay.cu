#include "solver/backend/cuda/replay.hpp"

#include <algorithm>

#include "solver/backend/cuda/check.hpp"
#include "solver/backend/cuda/update_kernel.hpp"

namespace lbm::cuda {
namespace {

constexpr std::size_t least_launches = 8;
constexpr std::int64_t most_cells = std::int64_t{64} * 64 * 64;  // of a launch
constexpr std::size_t most_lists = 8;  // slots that never repeat must not fill the memory

bool worth_it(const DeviceLattice& lattice, std::span<const UpdateLaunch> launches) {
  const std::int64_t plane = lattice.lattice.layout.cells();
  return launches.size() >= least_launches &&
         std::all_of(launches.begin(), launches.end(),
                     [&](const UpdateLaunch& l) { return l.count * plane <= most_cells; });
}

class Graph {
 public:
  Graph() = default;
  ~Graph() {
    if (handle_ != nullptr) cudaGraphDestroy(handle_);
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  cudaGraph_t* address() { return &handle_; }
  cudaGraph_t handle() const { return handle_; }

 private:
  cudaGraph_t handle_ = nullptr;
};

cudaGraphExec_t record(const DeviceLattice& lattice, std::span<const UpdateLaunch> launches,
                       bool overlap, cudaStream_t stream) {
  Graph graph;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "record launches");
  for (const UpdateLaunch& launch : launches) {
    launch_update(lattice, launch, overlap, stream);
    launch_boundary_cells(lattice, launch, overlap, stream);
  }
  check(cudaStreamEndCapture(stream, graph.address()), "record launches");
  cudaGraphExec_t executable = nullptr;
  check(cudaGraphInstantiate(&executable, graph.handle(), 0), "record launches");
  return executable;
}

}  // namespace

Replay::~Replay() {
  for (const Recorded& r : recorded_) {
    if (r.graph != nullptr) cudaGraphExecDestroy(r.graph);
  }
}

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
  check(cudaGraphLaunch(known->graph, stream), "replay launches");
  return true;
}

}  // namespace lbm::cuda
