// SPDX-License-Identifier: Apache-2.0

// Runs two launches in one pass over device memory, where that is possible and pays.
//
// The pass makes both steps of all cells by the main update. Repair launches follow. Step 1:
// special cells (special_cells.hpp) of kept planes, cells at shifted walls (wall_kernel.cu),
// boundary cells of the second pass (boundary_kernel.cu). Step 2: the same, with the special cells
// of all planes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "solver/backend/cuda/kernels/launches.hpp"
#include "solver/backend/cuda/passes/pair_arguments.hpp"

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

  // Backend::steps_per_pass().
  int steps_per_pass(const Lattice& lattice) const {
    return possible(lattice) ? lbm::steps_per_pass(lattice, multiprocessors_) : 1;
  }

  // Submits both launches to the stream as one pass. False: nothing was submitted.
  bool run(const DeviceLattice& device, const UpdateLaunch& first, const UpdateLaunch& second,
           const LaunchQueue& queue) {
    if (!first.together || !possible(device.lattice)) return false;
    const auto pair = pair_of(first, second);
    if (!pair || pair->apart != 0 || !slots_are_apart(*pair)) return false;
    const Special& special = special_of(device);
    if (!special.cells) return false;
    const SpecialCells& cells = *special.cells;
    // At most one in three of the cells of a launch may be special.
    const auto all = static_cast<std::uint64_t>(device.lattice.layout.cells()) *
                     static_cast<std::uint64_t>(second.count);
    if (count_special(cells, second, device.lattice.nz) > all / 3) return false;
    const int parts = parts_of_pass(device.lattice, second.count, multiprocessors_).parts;
    launch_pair(device, {*pair, special.view, cells.across, cells.count, cells.words, parts},
                queue);
    // Solid cells of kept planes must be zero, as after the main update.
    const std::uint64_t kept = pair->kept & planes_of(first);
    for (const UpdateLaunch* launch : {&first, &second}) {
      launch_special_cells(device, *launch, special.view, cells,
                           launch == &first ? kept : planes_of(second), queue);
      launch_wall_cells(device, *launch, cells.walls, queue);
      launch_boundary_cells(device, *launch, queue);
    }
    return true;
  }

 private:
  // The special cells of one lattice; nothing where they are too many or device memory is short.
  struct Special {
    DeviceLattice device;
    std::uint64_t boundaries;  // Boundaries::identity()
    std::optional<SpecialCells> cells;
    Buffer memory;  // of the view
    SpecialView view;
  };

  bool possible(const Lattice& lattice) const {
    return has_passes(lattice) && pass_shared_bytes(lattice) <= shared_bytes_ &&
           plane_has_passes(lattice);
  }

  // The special cells in the planes of a launch.
  static std::uint64_t count_special(const SpecialCells& cells, const UpdateLaunch& launch,
                                     int nz) {
    std::uint64_t sum = 0;
    for (int i = 0; i < launch.count; ++i) {
      const SpecialRange& range = cells.range_of[(launch.first_plane + i) % nz];
      sum += std::uint64_t{range.fluid.count} + range.solid_cells;
    }
    return sum;
  }
  // A bit for each plane of the launch.
  static std::uint64_t planes_of(const UpdateLaunch& launch) {
    return ~std::uint64_t{0} >> (64 - launch.count);
  }
  // The repair launches read level s + 1 from its slots, so the second launch must not write these.
  static bool slots_are_apart(const LaunchPair& pair) {
    const auto* const begin = pair.second.out.begin();
    return std::find_first_of(begin, begin + pair.second.count, pair.first.out.begin(),
                              pair.first.out.begin() + pair.first.count) ==
           begin + pair.second.count;
  }

  const Special& special_of(const DeviceLattice& device) {
    const std::uint64_t boundaries = device.host != nullptr ? device.host->identity() : 0;
    const auto found = std::find_if(known_.begin(), known_.end(), [&](const auto& special) {
      return special->boundaries == boundaries && special->device == device;
    });
    if (found != known_.end()) return **found;
    constexpr std::size_t most_known = 4;
    if (known_.size() >= most_known) known_.erase(known_.begin());
    auto special = std::make_unique<Special>();
    special->device = device;
    special->boundaries = boundaries;
    special->cells =
        find_special_cells(device.lattice, device.host, pass_tile(device.lattice.representation));
    if (special->cells) {
      special->view.walls = special->cells->walls;
      copy_to_device(*special);
    }
    return *known_.emplace_back(std::move(special));
  }

  static void copy_to_device(Special& special) {
    const SpecialCells& cells = *special.cells;
    if (cells.cells.empty() && cells.words_with_solids.empty()) return;
    std::vector<std::byte> bytes;
    // Returns where the values begin.
    const auto append = [&](const auto& values) {
      const std::size_t begin = bytes.size();
      const auto from = std::as_bytes(std::span(values));
      bytes.insert(bytes.end(), from.begin(), from.end());
      while (bytes.size() % 16 != 0) bytes.push_back({});
      return begin;
    };
    const std::size_t stored = append(cells.stored), range_of = append(cells.range_of);
    const std::size_t fluid = append(cells.cells), solid = append(cells.words_with_solids);
    void* memory = nullptr;
    if (cudaMalloc(&memory, bytes.size()) != cudaSuccess) {
      cudaGetLastError();  // one step at a time needs no such memory
      special.cells.reset();
      return;
    }
    auto* const data = static_cast<std::byte*>(memory);
    special.memory = Buffer(data, bytes.size(), [](std::byte* p) { cudaFree(p); });
    // cudaMemcpy() returns before the last bytes have arrived, and the streams of the backend do
    // not wait for the default stream.
    check(cudaMemcpy(data, bytes.data(), bytes.size(), cudaMemcpyHostToDevice),
          "copy special cells");
    check(cudaStreamSynchronize(cudaStreamLegacy), "copy special cells");
    special.view.stored = reinterpret_cast<const std::uint32_t*>(data + stored);
    special.view.range_of = reinterpret_cast<const SpecialRange*>(data + range_of);
    special.view.cells = reinterpret_cast<const std::uint32_t*>(data + fluid);
    special.view.words_with_solids = reinterpret_cast<const std::uint32_t*>(data + solid);
  }

  int multiprocessors_;
  std::size_t shared_bytes_;
  std::vector<std::unique_ptr<Special>> known_;
};

}  // namespace lbm::cuda
