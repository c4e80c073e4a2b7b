// SPDX-License-Identifier: Apache-2.0
#include "solver/backend/cuda/passes/pair_passes.hpp"

#include <algorithm>
#include <cstring>

#include "solver/backend/cuda/kernels/check.hpp"
#include "solver/backend/cuda/kernels/update_kernel.hpp"

namespace lbm::cuda {
namespace {

// At most 1 / most_special of the cells of a launch may be special.
constexpr std::uint64_t most_special = 3;

template <class T>
std::size_t bytes_of(const std::vector<T>& values) {
  return (values.size() * sizeof(T) + 15) / 16 * 16;
}

// The special cells in the planes of a launch.
std::uint64_t count_special(const SpecialCells& cells, const UpdateLaunch& launch, int nz) {
  std::uint64_t sum = 0;
  for (int i = 0; i < launch.count; ++i) {
    const SpecialRange& range =
        cells.range_of[static_cast<std::size_t>((launch.first_plane + i) % nz)];
    sum += std::uint64_t{range.fluid.count} + range.solid_cells;
  }
  return sum;
}

// A bit for each plane of the launch.
std::uint64_t planes_of(const UpdateLaunch& launch) {
  return ~std::uint64_t{0} >> (64 - launch.count);
}

// The repair launches read level s + 1 from its slots, so the second launch must not write these.
bool slots_are_apart(const LaunchPair& pair) {
  return std::none_of(
      pair.second.out.begin(), pair.second.out.begin() + pair.second.count, [&](int slot) {
        const int* begin = pair.first.out.data();
        return std::find(begin, begin + pair.first.count, slot) != begin + pair.first.count;
      });
}

}  // namespace

bool PairPasses::possible(const Lattice& lattice) const {
  return has_passes(lattice) && pass_shared_bytes(lattice) <= shared_bytes_ &&
         plane_has_passes(lattice);
}

int PairPasses::steps_per_pass(const Lattice& lattice) const {
  return possible(lattice) ? lbm::steps_per_pass(lattice, multiprocessors_) : 1;
}

PairPasses::Special* PairPasses::special_of(const DeviceLattice& device) {
  const std::uint64_t boundaries = device.host != nullptr ? device.host->identity() : 0;
  const auto found = std::find_if(known_.begin(), known_.end(), [&](const auto& special) {
    return special->boundaries == boundaries && special->device == device;
  });
  if (found != known_.end()) return found->get();
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
  return known_.emplace_back(std::move(special)).get();
}

// Puts the lists into pinned memory, plane by plane, and finds places for those of a window.
bool PairPasses::gather_lists(Special& special) {
  SpecialCells& cells = *special.cells;
  std::vector<std::size_t> sizes;
  std::size_t all = 0;
  for (std::size_t z = 0; z < cells.range_of.size(); ++z) {
    const SpecialRange& range = cells.range_of[z];
    const bool is_new = z == 0 || cells.list_of[z] != cells.list_of[z - 1];
    if (is_new) {
      sizes.push_back(std::size_t{range.fluid.count} + range.solid.count);
      special.list_at.push_back(
          {static_cast<std::uint32_t>(all), range.fluid.count + range.solid.count});
      all += sizes.back();
    } else {
      special.list_at.push_back(special.list_at.back());
    }
  }
  special.placed = PlacedItems(cells.list_of, std::move(sizes), special.device.boundary_planes);
  void* memory = nullptr;
  if (cudaMallocHost(&memory, std::max<std::size_t>(all, 1) * sizeof(std::uint32_t)) !=
      cudaSuccess) {
    cudaGetLastError();  // one step at a time needs no such memory
    return false;
  }
  special.lists = Buffer(static_cast<std::byte*>(memory), all * sizeof(std::uint32_t),
                         [](std::byte* p) { cudaFreeHost(p); });
  auto* const lists = static_cast<std::uint32_t*>(memory);
  for (std::size_t z = 0; z < cells.range_of.size(); ++z) {
    SpecialRange& range = cells.range_of[z];
    std::uint32_t* const to = lists + special.list_at[z].first;
    std::copy_n(cells.cells.begin() + range.fluid.first, range.fluid.count, to);
    std::copy_n(cells.words_with_solids.begin() + range.solid.first, range.solid.count,
                to + range.fluid.count);
    range.fluid.first = static_cast<std::uint32_t>(special.placed.begin(cells.list_of[z]));
    range.solid.first = range.fluid.first + range.fluid.count;
  }
  // On the device both are one array.
  cells.cells.assign(special.placed.size(), 0);
  cells.words_with_solids.clear();
  return true;
}

void PairPasses::copy_to_device(Special& special) {
  SpecialCells& cells = *special.cells;
  if (cells.cells.empty() && cells.words_with_solids.empty()) return;
  const bool in_parts = special.device.boundary_planes > 0;
  if (in_parts && !gather_lists(special)) {
    special.cells.reset();
    return;
  }
  const std::size_t parts[4] = {bytes_of(cells.stored), bytes_of(cells.range_of),
                                bytes_of(cells.cells), bytes_of(cells.words_with_solids)};
  std::vector<std::byte> bytes(parts[0] + parts[1] + parts[2] + parts[3]);
  const auto put = [&](std::size_t at, const auto& values) {
    std::memcpy(bytes.data() + at, values.data(), values.size() * sizeof(values[0]));
  };
  put(0, cells.stored);
  put(parts[0], cells.range_of);
  put(parts[0] + parts[1], cells.cells);
  put(parts[0] + parts[1] + parts[2], cells.words_with_solids);
  void* memory = nullptr;
  if (cudaMalloc(&memory, bytes.size()) != cudaSuccess) {
    cudaGetLastError();  // one step at a time needs no such memory
    special.cells.reset();
    return;
  }
  auto* const data = static_cast<std::byte*>(memory);
  special.memory = Buffer(data, bytes.size(), [](std::byte* p) { cudaFree(p); });
  // cudaMemcpy() returns before the last bytes have arrived, and the streams of the backend do not
  // wait for the default stream.
  check(cudaMemcpy(data, bytes.data(), bytes.size(), cudaMemcpyHostToDevice), "copy special cells");
  check(cudaStreamSynchronize(cudaStreamLegacy), "copy special cells");
  special.view.stored = reinterpret_cast<const std::uint32_t*>(data);
  special.view.range_of = reinterpret_cast<const SpecialRange*>(data + parts[0]);
  special.view.cells = reinterpret_cast<const std::uint32_t*>(data + parts[0] + parts[1]);
  special.view.words_with_solids =
      in_parts ? special.view.cells
               : reinterpret_cast<const std::uint32_t*>(data + parts[0] + parts[1] + parts[2]);
}

// `stream` is that of the kernels, so earlier kernels have read the lists that are overwritten.
void PairPasses::fetch_lists(Special& special, const UpdateLaunch& launch, cudaStream_t stream) {
  const SpecialCells& cells = *special.cells;
  const auto* const lists = reinterpret_cast<const std::uint32_t*>(special.lists.data());
  for (int i = 0; i < launch.count; ++i) {
    const auto z = static_cast<std::size_t>((launch.first_plane + i) % special.device.lattice.nz);
    if (!special.placed.take(cells.list_of[z], special.passes, special.passes - 1)) continue;
    const CellRange& list = special.list_at[z];
    auto* const to = const_cast<std::uint32_t*>(special.view.cells) + cells.range_of[z].fluid.first;
    check(cudaMemcpyAsync(to, lists + list.first, list.count * sizeof(std::uint32_t),
                          cudaMemcpyHostToDevice, stream),
          "copy special cells");
  }
}

bool PairPasses::run(const DeviceLattice& device, const UpdateLaunch& first,
                     const UpdateLaunch& second, bool overlap, cudaStream_t stream) {
  if (!first.together || !possible(device.lattice)) return false;
  const auto pair = pair_of(first, second);
  if (!pair || pair->apart != 0 || !slots_are_apart(*pair)) return false;
  Special* special = special_of(device);
  if (!special->cells) return false;
  const SpecialCells& cells = *special->cells;
  const int nz = device.lattice.nz;
  const auto all = static_cast<std::uint64_t>(device.lattice.layout.cells()) *
                   static_cast<std::uint64_t>(second.count);
  if (count_special(cells, second, nz) > all / most_special) return false;
  if (special->lists.size() > 0) {
    fetch_lists(*special, first, stream);
    fetch_lists(*special, second, stream);
    ++special->passes;
  }
  const int parts = parts_of_pass(device.lattice, second.count, multiprocessors_).parts;

  launch_pair(device, {*pair, special->view, cells.across, cells.count, cells.words, parts},
              overlap, stream);
  // Solid cells of kept planes must be zero, as after the main update.
  launch_special_cells(device, first, special->view, cells, pair->kept & planes_of(first), overlap,
                       stream);
  launch_wall_cells(device, first, cells.walls, overlap, stream);
  launch_boundary_cells(device, first, overlap, stream);
  launch_special_cells(device, second, special->view, cells, planes_of(second), overlap, stream);
  launch_wall_cells(device, second, cells.walls, overlap, stream);
  launch_boundary_cells(device, second, overlap, stream);
  return true;
}

}  // namespace lbm::cuda
