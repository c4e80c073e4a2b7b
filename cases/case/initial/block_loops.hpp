// SPDX-License-Identifier: Apache-2.0

// Loops over the blocks of a box on all threads. For sources that are compiled with OpenMP.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace lbm::cases {

// Fewer blocks are faster on one thread.
inline bool on_all_threads(const std::array<int, 3>& blocks) {
  return std::int64_t{blocks[0]} * blocks[1] * blocks[2] > 20000;
}

// The sum of part(i) over all blocks i: planes are summed in order, so the bits do not depend on
// the number of threads.
template <class Part>
double sum_of(const std::array<int, 3>& blocks, const Part& part) {
  const std::int64_t plane = std::int64_t{blocks[0]} * blocks[1];
  std::vector<double> sums(static_cast<std::size_t>(blocks[2]));
#pragma omp parallel for schedule(static) if (on_all_threads(blocks))
  for (int z = 0; z < blocks[2]; ++z) {
    double sum = 0;
    for (std::int64_t i = z * plane; i < (z + 1) * plane; ++i) {
      sum += part(static_cast<std::size_t>(i));
    }
    sums[static_cast<std::size_t>(z)] = sum;
  }
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

// As sum_of(), of part(i, before, next): with the numbers of the neighbours of block i along each
// axis, around the box.
template <class Part>
double sum_beside(const std::array<int, 3>& blocks, const Part& part) {
  const std::array<std::int64_t, 3> stride{1, blocks[0], std::int64_t{blocks[0]} * blocks[1]};
  std::vector<double> sums(static_cast<std::size_t>(blocks[2]));
#pragma omp parallel for schedule(static) if (on_all_threads(blocks))
  for (int z = 0; z < blocks[2]; ++z) {
    double sum = 0;
    for (int y = 0; y < blocks[1]; ++y) {
      std::array<std::int64_t, 3> back{}, ahead{};  // to the neighbours
      const std::array at{0, y, z};
      for (std::size_t a = 1; a < 3; ++a) {
        const std::int64_t around = (blocks[a] - 1) * stride[a];
        back[a] = at[a] == 0 ? around : -stride[a];
        ahead[a] = at[a] == blocks[a] - 1 ? -around : stride[a];
      }
      for (int x = 0; x < blocks[0]; ++x) {
        const std::int64_t i = x + y * stride[1] + z * stride[2];
        back[0] = x == 0 ? blocks[0] - 1 : -1;
        ahead[0] = x == blocks[0] - 1 ? 1 - blocks[0] : 1;
        std::array<std::size_t, 3> before, next;
        for (std::size_t a = 0; a < 3; ++a) {
          before[a] = static_cast<std::size_t>(i + back[a]);
          next[a] = static_cast<std::size_t>(i + ahead[a]);
        }
        sum += part(static_cast<std::size_t>(i), before, next);
      }
    }
    sums[static_cast<std::size_t>(z)] = sum;
  }
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

}  // namespace lbm::cases
