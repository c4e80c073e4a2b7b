#include "solver/backend/cuda/passes/pair_passes.hpp"

#include <algorithm>
#include <cstring>

#include "solver/backend/cuda/kernels/check.hpp"
#include "solver/backend/cuda/kernels/update_kernel.hpp"

namespace lbm::cuda {
namespace {

template <class T>
std::size_t bytes_of(const std::vector<T>& values) {
  return (values.size() * sizeof(T) + 15) / 16 * 16;
}

// The entries of a list of tiles that lie in the planes of a launch: one or two stretches, as
// planes are counted modulo nz.
template <class Visitor>
void for_entries(const std::vector<std::size_t>& first_of, const UpdateLaunch& launch, int nz,
                 const Visitor& visit) {
  const int end = launch.first_plane + launch.count, before = std::min(end, nz);
  const auto stretch = [&](int from, int to) {
    const std::size_t begin = first_of[static_cast<std::size_t>(from)];
    visit(begin, first_of[static_cast<std::size_t>(to)] - begin);
  };
  stretch(launch.first_plane, before);
  if (end > nz) stretch(0, end - nz);
}

std::size_t count_entries(const std::vector<std::size_t>& first_of, const UpdateLaunch& launch,
                          int nz) {
  std::size_t sum = 0;
  for_entries(first_of, launch, nz, [&](std::size_t, std::size_t count) { sum += count; });
  return sum;
}

// Where tiles are special, also planes that are passed on go through their slots.
bool slots_are_apart(const LaunchPair& pair) {
  return std::none_of(
      pair.second.out.begin(), pair.second.out.begin() + pair.second.count, [&](int slot) {
        const int* begin = pair.first.out.data();
        return std::find(begin, begin + pair.first.count, slot) != begin + pair.first.count;
      });
}

}  // namespace

bool PairPasses::possible(const Lattice& lattice) const {
  constexpr std::size_t most_values = std::size_t{1} << 29;  // of a plane: 32-bit offsets
  const TileSize tile = pass_tile(lattice.storage);
  return has_passes(lattice.storage) && lattice.representation == Representation::populations &&
         pass_shared_bytes(lattice.storage) <= shared_bytes_ && lattice.layout.nx >= tile.nx &&
         lattice.layout.ny >= tile.ny &&
         lattice.layout.bytes / bytes_per_value(lattice.storage) <= most_values;
}

int PairPasses::steps_per_pass(const Lattice& lattice) const {
  constexpr double least_gain = 1.2;  // the estimate was compared with large grids only
  const int planes = std::min(lattice.nz, max_planes_per_launch);
  return possible(lattice) && parts_of_pass(lattice, planes, multiprocessors_).gain > least_gain
             ? 2
             : 1;
}

const PairPasses::Tiles* PairPasses::tiles_of(const DeviceLattice& device) {
  const std::uint64_t boundaries = device.host != nullptr ? device.host->identity() : 0;
  const auto found = std::find_if(known_.begin(), known_.end(), [&](const auto& tiles) {
    return tiles->boundaries == boundaries && tiles->device == device;
  });
  if (found != known_.end()) return found->get();
  constexpr std::size_t most_known = 4;
  if (known_.size() >= most_known) known_.erase(known_.begin());
  auto tiles = std::make_unique<Tiles>();
  tiles->device = device;
  tiles->boundaries = boundaries;
  tiles->map = make_tile_map(device.lattice, device.host, pass_tile(device.lattice.storage));
  const TileMap& map = tiles->map;
  const std::size_t parts[3] = {bytes_of(map.special), bytes_of(map.near_special),
                                bytes_of(map.special_tiles)};
  std::vector<std::byte> bytes(parts[0] + parts[1] + parts[2]);
  std::memcpy(bytes.data(), map.special.data(), map.special.size() * sizeof(std::uint32_t));
  const auto put = [&](std::size_t at, const std::vector<PlaneTile>& list) {
    if (!list.empty()) std::memcpy(bytes.data() + at, list.data(), list.size() * sizeof(PlaneTile));
  };
  put(parts[0], map.near_special);
  put(parts[0] + parts[1], map.special_tiles);
  void* memory = nullptr;
  if (cudaMalloc(&memory, bytes.size()) != cudaSuccess) {
    cudaGetLastError();  // one step at a time needs no such memory
    return nullptr;
  }
  auto* const data = static_cast<std::byte*>(memory);
  tiles->memory = Buffer(data, bytes.size(), [](std::byte* p) { cudaFree(p); });
  check(cudaMemcpy(data, bytes.data(), bytes.size(), cudaMemcpyHostToDevice), "copy tiles");
  tiles->special = reinterpret_cast<const std::uint32_t*>(data);
  tiles->near_special = reinterpret_cast<const PlaneTile*>(data + parts[0]);
  tiles->special_tiles = reinterpret_cast<const PlaneTile*>(data + parts[0] + parts[1]);
  return known_.emplace_back(std::move(tiles)).get();
}

bool PairPasses::run(const DeviceLattice& device, const UpdateLaunch& first,
                     const UpdateLaunch& second, bool overlap, cudaStream_t stream) {
  if (!first.together || !possible(device.lattice)) return false;
  const auto pair = pair_of(first, second);
  if (!pair || pair->apart != 0 || !slots_are_apart(*pair)) return false;
  const Tiles* tiles = tiles_of(device);
  if (tiles == nullptr) return false;
  const TileMap& map = tiles->map;
  const int nz = device.lattice.nz;
  const int parts = parts_of_pass(device.lattice, second.count, multiprocessors_).parts;
  const std::size_t special = count_entries(map.special_first, second, nz);
  const auto all = static_cast<std::size_t>(map.count) * second.count;
  if (2 * special > all) return false;

  for_entries(map.near_first, first, nz, [&](std::size_t begin, std::size_t count) {
    launch_tiles(device, first, tiles->near_special + begin, count, 1, overlap, stream);
  });
  launch_boundary_cells(device, first, overlap, stream);
  launch_pair(device, {*pair, tiles->special, map.across, map.count, map.words, parts}, overlap,
              stream);
  for_entries(map.special_first, second, nz, [&](std::size_t begin, std::size_t count) {
    launch_tiles(device, second, tiles->special_tiles + begin, count, 0, overlap, stream);
  });
  launch_boundary_cells(device, second, overlap, stream);
  return true;
}

}  // namespace lbm::cuda
