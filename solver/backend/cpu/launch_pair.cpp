#include "solver/backend/cpu/launch_pair.hpp"

#include <algorithm>
#include <bit>
#include <set>

#include "solver/backend/cpu/caches.hpp"

namespace lbm::cpu {
namespace {

constexpr std::uint64_t bit(int i) { return std::uint64_t{1} << i; }

std::set<int> inputs(const UpdateLaunch& launch) {
  return {launch.in.begin(), launch.in.begin() + launch.count + 2};
}

}  // namespace

std::optional<LaunchPair> pair_of(const UpdateLaunch& first, const UpdateLaunch& second) {
  if (2 * std::popcount(first.passing) < first.count) return std::nullopt;
  LaunchPair pair{first, second, {}, ~first.passing, 0};
  std::set<int> used = inputs(first);
  std::uint64_t read = 0;
  for (int j = 0; j < second.count + 2; ++j) {
    const int* const begin = first.out.data();
    const int* const found = std::find(begin, begin + first.count, second.in[j]);
    pair.made[j] = found == begin + first.count ? -1 : static_cast<int>(found - begin);
    if (pair.made[j] < 0) {
      used.insert(second.in[j]);
    } else {
      read |= bit(pair.made[j]);
    }
  }
  if (read == 0) return std::nullopt;
  for (int i = 0; i < first.count; ++i) {
    if ((read & bit(i)) == 0) pair.apart |= bit(i);
    if (((pair.kept | pair.apart) & bit(i)) != 0) used.insert(first.out[i]);
  }
  const bool disturbed = std::any_of(second.out.begin(), second.out.begin() + second.count,
                                     [&](int slot) { return used.count(slot) != 0; });
  if (disturbed) return std::nullopt;
  return pair;
}

std::size_t pair_ring_bytes(const Lattice& lattice, int planes) {
  const auto row = static_cast<std::size_t>(lattice.layout.row);
  return 3 * row * bytes_per_value(lattice.storage) * static_cast<std::size_t>(planes);
}

int planes_in_cache(const Lattice& lattice) {
  constexpr int least = 4, most = 16, in_pieces = 8;
  const auto fit = cache_for_rows() / static_cast<long>(pair_ring_bytes(lattice, 1)) - 2;
  return fit < least ? in_pieces : static_cast<int>(std::min<long>(fit, most));
}

int cells_per_piece(const Lattice& lattice, const LaunchPair& pair) {
  constexpr int least = 128;  // a quarter more is then computed twice
  const int pitch = lattice.layout.pitch;
  const auto bytes = static_cast<long>(pair_ring_bytes(lattice, pair.second.count + 2));
  const auto most = std::max(static_cast<int>(cache_for_rows() * pitch / bytes), least);
  const int pieces = (pitch + most - 1) / most;
  return ((pitch + pieces - 1) / pieces + 15) / 16 * 16;
}

}  // namespace lbm::cpu
