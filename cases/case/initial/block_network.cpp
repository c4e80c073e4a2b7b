// SPDX-License-Identifier: Apache-2.0
#include "cases/case/initial/block_network.hpp"

#include "cases/case/initial/block_loops.hpp"

namespace lbm::cases {
namespace {

constexpr double residual = 1e-6;
constexpr int most_iterations = 20000;

}  // namespace

std::vector<double> block_pressures(const BlockNetwork& network) {
  const std::array<int, 3>& blocks = network.blocks;
  const std::size_t count = network.source.size();
  std::vector<double> pressure(count), residue = network.source, direction(count), flow(count);
  std::vector<float> over_diagonal(count);
  sum_beside(blocks, [&](std::size_t i, const auto& before, const auto&) {
    double diagonal = network.open[i];
    for (std::size_t a = 0; a < 3; ++a) {
      if (before[a] != i) diagonal += double{network.link[a][i]} + network.link[a][before[a]];
    }
    over_diagonal[i] = diagonal == 0 ? 0 : static_cast<float>(1 / diagonal);
    return 0.0;
  });
  double size = sum_of(blocks, [&](std::size_t i) {
    direction[i] = over_diagonal[i] * residue[i];
    return direction[i] * residue[i];
  });
  const double enough = residual * residual * size;
  for (int iteration = 0; iteration < most_iterations && size > enough; ++iteration) {
    const double curvature =
        sum_beside(blocks, [&](std::size_t i, const auto& before, const auto& next) {
          double sum = network.open[i] * direction[i];
          for (std::size_t a = 0; a < 3; ++a) {
            sum += network.link[a][i] * (direction[i] - direction[next[a]]) +
                   network.link[a][before[a]] * (direction[i] - direction[before[a]]);
          }
          flow[i] = sum;
          return direction[i] * sum;
        });
    if (!(curvature > 0)) break;
    const double share = size / curvature;
    const double before = size;
    size = sum_of(blocks, [&](std::size_t i) {
      pressure[i] += share * direction[i];
      residue[i] -= share * flow[i];
      return over_diagonal[i] * residue[i] * residue[i];
    });
    sum_of(blocks, [&](std::size_t i) {
      direction[i] = over_diagonal[i] * residue[i] + size / before * direction[i];
      return 0.0;
    });
  }
  return pressure;
}

}  // namespace lbm::cases
