// SPDX-License-Identifier: Apache-2.0

// Runs two launches in one pass over device memory, where that is possible and pays.
//
// The pass makes both steps of all cells by the main update. Repair launches follow. Step 1:
// special cells (special_cells.hpp) of kept planes, cells at shifted walls (wall_kernel.cu),
// boundary cells of the second pass (boundary_kernel.cu). Step 2: the same, with the special cells
// of all planes.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <optional>
#include <vector>

#include "solver/backend/cuda/passes/pass_kernels.hpp"
#include "solver/boundary/window_places.hpp"
#include "solver/core/buffer.hpp"

namespace lbm::cuda {

class PairPasses {
 public:
  // Multiprocessors of the device; bytes of shared memory that a block can have.
  PairPasses(int multiprocessors, std::size_t shared_bytes)
      : multiprocessors_(multiprocessors), shared_bytes_(shared_bytes) {}

  // Finds the special cells of the lattice, before the first run().
  void prepare(const DeviceLattice& device) {
    if (possible(device.lattice)) special_of(device);
  }
  // Submits both launches to the stream as one pass. False: nothing was submitted.
  bool run(const DeviceLattice& device, const UpdateLaunch& first, const UpdateLaunch& second,
           bool overlap, cudaStream_t stream);

  // True if the device can run passes on the lattice.
  bool possible(const Lattice& lattice) const;
  // Backend::steps_per_pass().
  int steps_per_pass(const Lattice& lattice) const;

 private:
  // The special cells of one lattice; nothing where they are too many or device memory is short.
  struct Special {
    DeviceLattice device;
    std::uint64_t boundaries;  // Boundaries::identity()
    std::optional<SpecialCells> cells;
    Buffer memory;  // of the view
    SpecialView view;
    // With a BoundaryWindow the device holds the lists of some planes at a time; `lists`, pinned
    // host memory, holds those of all: a plane's fluid cells, then its words of solids.
    Buffer lists;
    std::vector<CellRange> list_at;  // each plane's in `lists`
    PlacedItems placed;              // in 32-bit words of `memory`; empty: all are there
    int passes = 0;                  // run so far
  };
  Special* special_of(const DeviceLattice& device);
  static void copy_to_device(Special& special);
  // False: pinned memory is short.
  static bool gather_lists(Special& special);
  // Copies the lists of the planes of a launch that are not on the device.
  static void fetch_lists(Special& special, const UpdateLaunch& launch, cudaStream_t stream);

  int multiprocessors_;
  std::size_t shared_bytes_;
  std::vector<std::unique_ptr<Special>> known_;
};

}  // namespace lbm::cuda
