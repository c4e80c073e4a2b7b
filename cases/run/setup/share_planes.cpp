// SPDX-License-Identifier: Apache-2.0
#include "cases/run/setup/share_planes.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace lbm::cases {
namespace {

// Ranks that share planes in proportion to their speeds, and the sums of both.
struct Sharers {
  std::vector<std::size_t> all;
  std::int64_t planes = 0, speeds = 0;
};

Sharers everybody(int nz, const std::vector<std::int64_t>& speeds) {
  std::vector<std::size_t> all(speeds.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return {all, nz, std::accumulate(speeds.begin(), speeds.end(), std::int64_t{0})};
}

// Ranks that would get fewer than `least` planes get `least`, which leaves fewer for the others.
Sharers without_slow(Sharers sharers, const std::vector<std::int64_t>& speeds, int least) {
  const auto is_slow = [&](std::size_t r) {
    return sharers.planes * speeds[r] < least * sharers.speeds;
  };
  auto& all = sharers.all;
  while (true) {
    const auto slow = std::find_if(all.begin(), all.end(), is_slow);
    if (slow == all.end()) return sharers;
    sharers.planes -= least;
    sharers.speeds -= speeds[*slow];
    all.erase(slow);
  }
}

}  // namespace

std::vector<int> share_planes(int nz, const std::vector<std::int64_t>& speeds, int least) {
  Sharers sharers = without_slow(everybody(nz, speeds), speeds, least);
  std::vector<int> planes(speeds.size(), least);
  std::int64_t rest = sharers.planes;
  for (const std::size_t r : sharers.all) {
    planes[r] = static_cast<int>(sharers.planes * speeds[r] / sharers.speeds);
    rest -= planes[r];
  }
  const auto remainder = [&](std::size_t r) { return sharers.planes * speeds[r] % sharers.speeds; };
  std::stable_sort(sharers.all.begin(), sharers.all.end(),
                   [&](std::size_t a, std::size_t b) { return remainder(a) > remainder(b); });
  for (std::size_t i = 0; i < static_cast<std::size_t>(rest); ++i) ++planes[sharers.all[i]];
  return planes;
}

}  // namespace lbm::cases
