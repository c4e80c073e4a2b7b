// SPDX-License-Identifier: Apache-2.0
#include "cases/cli/bench/bench_sizes.hpp"

#include <algorithm>

namespace lbm::cases {
namespace {

constexpr int least_edge = 16;

std::uint64_t fp32_bytes(const std::array<int, 3>& cells) {
  return make_plane_layout(cells[0], cells[1], StorageType::fp32).bytes *
         static_cast<std::uint64_t>(cells[2]);
}

BenchSizes gpu_sizes(bool quick) {
  if (quick) return {{{512, 512, 512}}, 1024, 256, {16, 64}, {}, 1.0, 2.0, 0.7, false, 64};
  return {{{512, 512, 512}, {1024, 1024, 512}, {128, 128, 128}, {256, 256, 256}},
          1024,
          512,
          {8, 16, 32, 64},
          {8, 16, 32},
          5.0,
          5.0,
          1.2,
          true,
          128};
}

// Smaller grids: large ones take a small CPU too long.
BenchSizes cpu_sizes(bool quick, int threads) {
  const int n = threads >= 32 ? 512 : 256;
  if (quick)
    return {{{n / 4 * 3, n / 4 * 3, n / 4 * 3}}, 128, 128, {8}, {}, 1.0, 1.0, 1.0, false, 8};
  return {{{n, n, n}, {n / 2, n / 2, n / 2}}, 256, 256, {8, 16, 32}, {8}, 2.0, 2.0, 1.0, true, 8};
}

}  // namespace

BenchSizes bench_sizes(const BenchLimits& limits) {
  BenchSizes sizes = limits.backend == BackendKind::cuda ? gpu_sizes(limits.quick)
                                                         : cpu_sizes(limits.quick, limits.threads);
  // Leaves room: a schedule needs some slots more than planes.
  while (fp32_bytes(sizes.in_core.front()) > limits.device_bytes / 4 * 3 &&
         sizes.in_core.front()[0] > least_edge) {
    for (auto& cells : sizes.in_core) {
      for (int& n : cells) n = std::max(n / 2, least_edge);
    }
  }
  const auto host = [&] {
    return fp32_bytes({sizes.edge, sizes.edge, sizes.planes + 2 * bench_pattern_planes});
  };
  while (host() > limits.host_bytes && sizes.edge > least_edge) {
    sizes.edge /= 2;
    sizes.planes = std::max(sizes.planes / 2, least_edge);
  }
  return sizes;
}

std::uint64_t bench_small_device(const BenchLimits& limits, const BenchSizes& sizes) {
  const std::uint64_t lattice = fp32_bytes({sizes.edge, sizes.edge, sizes.planes});
  return std::min({std::uint64_t{16'000'000'000}, lattice / 5 * 2, limits.device_bytes});
}

}  // namespace lbm::cases
