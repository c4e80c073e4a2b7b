// SPDX-License-Identifier: Apache-2.0

// Sums of differences between neighbouring cells: exact along x, estimated along y and z.
#include "solver/lattice/step_record.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

namespace lbm::differences {
namespace {

using Record = std::vector<std::int64_t>;
using Velocity = std::function<double(int x, int y, int z)>;  // of uz; ux is half of it

constexpr int nx = 37, ny = 12, nz = 20;  // more than one group of cells along x

Moments<double> moments(const Velocity& velocity, int x, int y, int z) {
  const double u = velocity(x, y, z);
  return {0, u / 2, 0, u};
}

// The record of the planes [first, last). Cells at x = gap are left out.
Record sampled(const Velocity& velocity, std::uint32_t seed, int first = 0, int last = nz,
               int gap = -1) {
  Record record(flow_values);
  for (int z = first; z < last; ++z) {
    for (int y = 0; y < ny; ++y) {
      RowDifferences row(seed);
      for (int x = 0; x < nx; ++x) {
        if (x != gap) row.add(x, moments(velocity, x, y, z));
      }
      row.add_to(record.data(), {y, z, ny, nz, seed});
    }
  }
  return record;
}

double along_x(const Record& record, FlowValue which) {
  return fixed::to(record[which], fixed::differences);
}

// order: 0 first, 1 second differences.
double estimate(const Record& record, int axis, int order) {
  double squares = 0;
  for (int i = 0; i < random_sums; ++i) {
    const auto sum = [&](Neighbour neighbour) {
      return fixed::to(record[random_sum(axis, neighbour, i)], fixed::sum);
    };
    const double after = sum(Neighbour::after), before = sum(Neighbour::before);
    squares += std::pow(order == 0 ? after - before : after + before - 2 * sum(Neighbour::none), 2);
  }
  return squares;
}

// Sum of squares of both components.
double exact(const Velocity& u, int axis, int order) {
  double squares = 0;
  const int dy = axis == 1 ? 1 : 0, dz = axis == 2 ? 1 : 0;
  for (int z = dz; z < nz - dz; ++z) {
    for (int y = dy; y < ny - dy; ++y) {
      for (int x = 0; x < nx; ++x) {
        const double before = u(x, y - dy, z - dz), after = u(x, y + dy, z + dz);
        const double d = order == 0 ? after - before : before + after - 2 * u(x, y, z);
        squares += 1.25 * d * d;
      }
    }
  }
  return squares;
}

double rough(int x, int y, int z) {
  return 0.1 * std::sin(1.7 * x + 0.3 * y * y) * std::cos(0.9 * z + 0.2 * x * z) +
         ((x + y) % 2 == 0 ? 0.02 : -0.02);
}

TEST(Differences, AreExactAlongXInsideGroupsOfCells) {
  for (const int gap : {-1, 5, 31, 32, 36}) {
    const Record record = sampled(rough, 1, 0, nz, gap);
    double first = 0, second = 0;
    for (int z = 0; z < nz; ++z) {
      for (int y = 0; y < ny; ++y) {
        for (int x = 1; x < nx - 1; ++x) {
          if (x % group == 0 || x % group == group - 1 || std::abs(x - gap) <= 1) continue;
          const double before = rough(x - 1, y, z), after = rough(x + 1, y, z);
          first += 1.25 * std::pow(after - before, 2);
          second += 1.25 * std::pow(before + after - 2 * rough(x, y, z), 2);
        }
      }
    }
    EXPECT_NEAR(along_x(record, first_differences_x), first, 1e-6) << gap;
    EXPECT_NEAR(along_x(record, second_differences_x), second, 1e-6) << gap;
  }
}

TEST(Differences, AreEstimatedAlongTheOtherAxesWithoutBias) {
  constexpr int seeds = 200;
  for (const int axis : {1, 2}) {
    for (const int order : {0, 1}) {
      double mean = 0;
      for (int seed = 0; seed < seeds; ++seed) {
        mean += estimate(sampled(rough, static_cast<std::uint32_t>(seed)), axis, order) / seeds;
      }
      // Standard deviation of one estimate: some 40 %; of the mean of all: 3 %.
      EXPECT_NEAR(mean / exact(rough, axis, order), 1, 0.12) << axis << " " << order;
    }
  }
}

// Neighbours in different slabs count, too.
TEST(Differences, OfSlabsAddUpToThoseOfTheWhole) {
  const Record whole = sampled(rough, 3), lower = sampled(rough, 3, 0, 7),
               upper = sampled(rough, 3, 7, nz);
  for (int i = 0; i < flow_values; ++i) EXPECT_EQ(lower[i] + upper[i], whole[i]) << i;
}

TEST(Differences, OfAUniformFlowAreZero) {
  const Record record = sampled([](int, int, int) { return 0.1; }, 5);
  EXPECT_EQ(record[first_differences_x], 0);
  EXPECT_EQ(record[second_differences_x], 0);
  for (const int axis : {1, 2}) {
    // Each row is rounded to 2^-34.
    EXPECT_LT(estimate(record, axis, 0), 1e-12);
    EXPECT_LT(estimate(record, axis, 1), 1e-12);
  }
}

}  // namespace
}  // namespace lbm::differences
