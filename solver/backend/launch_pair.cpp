// SPDX-License-Identifier: Apache-2.0
#include "solver/backend/launch_pair.hpp"

#include <algorithm>
#include <bit>
#include <set>

namespace lbm {
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
      // A plane next to a wall stands for the one beyond it. Any other plane that is there twice,
      // at both ends of a launch around the whole of a periodic axis, would be made twice.
      const bool again = (read & bit(pair.made[j])) != 0;
      if (again && pair.made[j] != pair.made[j - 1]) return std::nullopt;
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

}  // namespace lbm
