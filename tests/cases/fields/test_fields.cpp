// SPDX-License-Identifier: Apache-2.0

// Derived fields, plane windows, means over space and time: against formulas and brute force.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "cases/fields/running_moments.hpp"
#include "tests/cases/fields/fields_support.hpp"

namespace lbm::fields::test {
namespace {

// u = A x with a full matrix: all differences are exact, one-sided ones included.
Flow linear(const double (&a)[3][3]) {
  return [=](double x, double y, double z) {
    Vector u{};
    for (std::size_t i = 0; i < 3; ++i) u[i] = a[i][0] * x + a[i][1] * y + a[i][2] * z;
    return u;
  };
}

constexpr double matrix[3][3] = {{0.1, 0.2, -0.3}, {0.4, -0.25, 0.6}, {0.7, 0.8, 0.15}};

TEST(DerivedFields, LinearFlowIsExactEverywhere) {
  const Setting s;
  const auto& a = matrix;
  double q = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) q -= a[i][j] * a[j][i] / 2;
  }
  const std::vector<double> curl{a[2][1] - a[1][2], a[0][2] - a[2][0], a[1][0] - a[0][1]};
  const std::vector<double> strain{a[0][0],
                                   a[1][1],
                                   a[2][2],
                                   (a[0][1] + a[1][0]) / 2,
                                   (a[1][2] + a[2][1]) / 2,
                                   (a[0][2] + a[2][0]) / 2};
  const std::vector<std::pair<Kind, std::vector<double>>> all{
      {Kind::vorticity, curl}, {Kind::q_criterion, {q}}, {Kind::strain_rate, strain}};
  for (const auto& [kind, expected] : all) {
    for (const auto& plane : fields_of(s, whole(s.grid), kind, linear(matrix), ascending())) {
      ASSERT_EQ(plane.size(), expected.size() * nx * ny);
      for (std::size_t v = 0; v < plane.size(); ++v) {
        ASSERT_NEAR(plane[v], expected[v % expected.size()], 2e-5) << to_string(kind) << " " << v;
      }
    }
  }
}

// For a vortex, Q is the square of the angular velocity; for a shear it is 0.
TEST(DerivedFields, QTellsRotationFromShear) {
  const Setting s;
  const double turn[3][3] = {{0, -0.5, 0}, {0.5, 0, 0}, {0, 0, 0}};
  const double shear[3][3] = {{0, 1, 0}, {0, 0, 0}, {0, 0, 0}};
  EXPECT_NEAR(fields_of(s, whole(s.grid), Kind::q_criterion, linear(turn), ascending())[3][20],
              0.25, 1e-5);
  EXPECT_NEAR(fields_of(s, whole(s.grid), Kind::q_criterion, linear(shear), ascending())[3][20], 0,
              1e-5);
}

TEST(DerivedFields, ParabolasBetweenWallsAreExactUpToTheWall) {
  Setting s;
  s.grid.periodic = {true, false, true};
  for (const std::size_t f : {2U, 3U}) s.faces[f] = {Vector{0.3, 0, 0}, true};
  const auto flow = [](double, double y, double) { return Vector{0.3 + y * (ny - y), 0, 0}; };
  const auto strain = fields_of(s, whole(s.grid), Kind::strain_rate, flow, ascending());
  const auto stress = fields_of(s, whole(s.grid), Kind::wall_shear_stress, flow, ascending(), 0.25);
  for (int z = 0; z < nz; ++z) {
    for (int y = 0; y < ny; ++y) {
      const std::size_t cell = static_cast<std::size_t>(y) * nx + 4;
      EXPECT_NEAR(strain[z][6 * cell + 3], (ny - 2 * (y + 0.5)) / 2, 1e-5) << y;
      // The slope at the wall, seen from the wall into the fluid, is ny on both sides.
      EXPECT_NEAR(stress[z][3 * cell], y == 0 || y == ny - 1 ? 0.25 * ny : 0, 1e-5) << y;
      EXPECT_EQ(stress[z][3 * cell + 1], 0);
    }
  }
}

// The order of planes does not matter; cyclic order keeps the window small.
TEST(DerivedFields, ComeInAnyOrderOfPlanes) {
  Setting s;
  s.grid.periodic = {true, true, true};
  const auto flow = [](double x, double y, double z) {
    return Vector{std::sin(6.2832 * z / nz), std::sin(6.2832 * x / nx), std::sin(6.2832 * y / ny)};
  };
  const auto expected = fields_of(s, whole(s.grid), Kind::vorticity, flow, ascending());
  std::mt19937 random(4);
  for (int round = 0; round < 20; ++round) {
    auto order = ascending();
    if (round < nz) {
      std::rotate(order.begin(), order.begin() + round, order.end());
    } else {
      std::shuffle(order.begin(), order.end(), random);
    }
    EXPECT_EQ(fields_of(s, whole(s.grid), Kind::vorticity, flow, order), expected);
  }
}

// Fields of a part of the box equal those of the whole, also at periodic faces and with a stride.
TEST(DerivedFields, OfAPartAreThoseOfTheWhole) {
  for (const bool periodic : {false, true}) {
    Setting s;
    s.grid.periodic = {periodic, periodic, periodic};
    const auto flow = [](double x, double y, double z) {
      return Vector{x * z, y * y - z, x * y * 0.1};
    };
    const auto all = fields_of(s, whole(s.grid), Kind::q_criterion, flow, ascending());
    for (const tiling::FieldBox& box :
         {tiling::FieldBox{{0, 0, 0}, {1, 3, nz}}, tiling::FieldBox{{2, 4, 7}, {3, 3, 1}},
          tiling::FieldBox{{8, 6, 0}, {1, 1, 2}}, tiling::FieldBox{{0, 1, 1}, {4, 3, 3}, 2}}) {
      const auto part = fields_of(s, box, Kind::q_criterion, flow, ascending());
      for (int z = 0; z < nz; ++z) {
        if (!box.has_plane(z, nz)) {
          EXPECT_TRUE(part[z].empty());
          continue;
        }
        ASSERT_EQ(part[z].size(), static_cast<std::size_t>(box.plane_cells()));
        for (int j = 0; j < box.count[1]; ++j) {
          for (int i = 0; i < box.count[0]; ++i) {
            const int x = box.begin[0] + i * box.stride, y = box.begin[1] + j * box.stride;
            EXPECT_EQ(part[z][j * box.count[0] + i], all[z][y * nx + x]) << x << y << z;
          }
        }
      }
    }
  }
}

TEST(PlaneFit, TellsTheNormalFromTheEndsOfLinks) {
  // The plane m.x = -d seen from a cell: all links that reach it within one cell.
  int sure = 0;
  for (const Vector& direction : {Vector{0, 0, 1}, Vector{1, 2, 3}, Vector{-3, 1, 0.5},
                                  Vector{1, 1, 1}, Vector{0.2, -1, 0.1}}) {
    const Vector m = unit(direction);
    for (const double distance : {0.2, 0.5, 0.7}) {
      std::vector<Vector> places;
      for (int q = 1; q < D3Q19::directions; ++q) {
        const double along = dot(m, component_of(q));
        if (along <= 0 || distance / along > 1) continue;
        places.push_back(place_of({q, distance / along, {}}));
      }
      const PlaneFit fit = fit_plane(places, unit({direction[0], direction[1], 0.5}));
      EXPECT_EQ(fit.is_sure, places.size() >= 3) << distance;
      if (!fit.is_sure) continue;
      ++sure;
      for (std::size_t a = 0; a < 3; ++a) EXPECT_NEAR(fit.normal[a], m[a], 1e-6) << distance;
    }
  }
  EXPECT_GE(sure, 12);
}

// A single place, a row of places, or places nearly in a row leave directions undetermined.
TEST(PlaneFit, SaysWhereItIsNotSure) {
  const Vector diagonal = unit({1, 1, 0});
  const PlaneFit one = fit_plane(std::vector<Vector>{{-0.5, -0.5, 0}}, diagonal);
  EXPECT_FALSE(one.is_sure);
  for (std::size_t a = 0; a < 3; ++a) EXPECT_NEAR(one.normal[a], diagonal[a], 1e-6);
  const PlaneFit row =
      fit_plane(std::vector<Vector>{{-0.5, 0, 0}, {-0.5, 0, 1}, {-0.5, 0, -1}}, {1, 0, 0});
  EXPECT_FALSE(row.is_sure);
  EXPECT_NEAR(row.normal[0], 1, 1e-6);
  const std::vector<Vector> close{{-0.01, 0, 0}, {-0.01, 0.01, 0}, {-0.01, 0, 0.01}};
  EXPECT_FALSE(fit_plane(close, {1, 0, 0}).is_sure);
  EXPECT_EQ(fit_plane({}, {}).normal, Vector{});
}

// Shear flow along a plane body with its surface anywhere between cells.
TEST(WallShearStress, OfAShearOverAPlaneBodyIsExact) {
  for (const double surface : {2.51, 2.75, 3.0, 3.25, 3.499}) {
    Setting s;
    s.grid.periodic = {true, true, false};
    const Floor solids(surface);
    FaceBoundaries faces;
    for (std::size_t f = 0; f < 4; ++f) faces[f].condition.kind = BoundaryKind::periodic;
    const std::vector<BodySpec> bodies(1);
    s.boundaries = Boundaries(nx, ny, nz, faces, &solids, bodies);
    const auto flow = [=](double, double, double z) {
      const double d = z - surface;
      return Vector{0.02 * d + 0.001 * d * d, -0.01 * d, 0};
    };
    const auto stress =
        fields_of(s, whole(s.grid), Kind::wall_shear_stress, flow, ascending(), 0.5);
    const double tolerance = surface > 3.45 ? 6e-4 : 2e-6;  // there the cell itself is not used
    for (std::size_t cell = 0; cell < nx * ny; ++cell) {
      EXPECT_NEAR(stress[3][3 * cell], 0.5 * 0.02, tolerance) << surface;
      EXPECT_NEAR(stress[3][3 * cell + 1], -0.5 * 0.01, 2e-6) << surface;
      EXPECT_NEAR(stress[3][3 * cell + 2], 0, 1e-6) << surface;
      EXPECT_EQ(stress[4][3 * cell], 0);
    }
  }
}

TEST(BlockMeans, HaveTheSameBitsInEveryOrderOfPlanes) {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> noise(-1, 1);
  std::vector<std::vector<float>> planes(6, std::vector<float>(16));
  for (auto& plane : planes) {
    for (float& x : plane) x = noise(random) * std::exp2(10 * noise(random));
  }
  const std::vector<float> solid(16);
  std::vector<int> order{0, 1, 2, 3, 4, 5};
  std::vector<float> expected;
  do {
    BlockMeans means(4, 4, 6, 3, {1});
    std::vector<float> found(2);
    for (const int z : order) {
      const std::vector<std::span<const float>> arrays{planes[static_cast<std::size_t>(z)]};
      const auto* result = means.add(z, arrays, solid);
      if (result != nullptr) found[static_cast<std::size_t>(z / 3)] = (*result)[0][0];
    }
    if (expected.empty()) expected = found;
    ASSERT_EQ(found, expected);
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(BlockMeans, LeaveSolidCellsOutAndTheRestOfTheAxes) {
  BlockMeans means(7, 4, 5, 2, {1, 3});
  std::mt19937 random(1);
  std::uniform_real_distribution<float> noise(0, 1);
  std::vector<std::vector<float>> a, v, solid;
  for (int z = 0; z < 5; ++z) {
    auto& p = a.emplace_back(28);
    auto& w = v.emplace_back(84);
    auto& o = solid.emplace_back(28);
    for (float& x : p) x = noise(random);
    for (float& x : w) x = noise(random);
    for (float& x : o) x = noise(random) < 0.3F ? 1.0F : 0.0F;
  }
  int layers = 0;
  for (const int z : {3, 1, 4, 0, 2}) {
    const std::vector<std::span<const float>> arrays{a[z], v[z]};
    const auto* result = means.add(z, arrays, solid[z]);
    if (result == nullptr) continue;
    ++layers;
    for (int by = 0; by < 2; ++by) {
      for (int bx = 0; bx < 3; ++bx) {
        double sum = 0, second = 0;
        int count = 0;
        for (int c = 0; c < 8; ++c) {
          const int zz = z / 2 * 2 + c / 4, cell = (2 * by + c / 2 % 2) * 7 + 2 * bx + c % 2;
          if (solid[zz][cell] != 0) continue;
          ++count;
          sum += a[zz][cell];
          second += v[zz][3 * cell + 2];
        }
        const int block = by * 3 + bx;
        EXPECT_NEAR((*result)[0][block], count > 0 ? sum / count : 0, 1e-6);
        EXPECT_NEAR((*result)[1][3 * block + 2], count > 0 ? second / count : 0, 1e-6);
      }
    }
  }
  EXPECT_EQ(layers, 2);
}

class Moments : public testing::TestWithParam<bool> {};

TEST_P(Moments, AreThoseOfAllSamples) {
  const bool in_double = GetParam();
  constexpr int cells = 40, samples = 1000;
  RunningMoments moments({cells, 2, true, in_double});
  std::mt19937 random(9);
  std::normal_distribution<float> noise(0, 0.01F);
  std::vector<std::vector<float>> all;
  for (int n = 1; n <= samples; ++n) {
    std::vector<float> density(cells), velocity(3 * cells);
    for (int c = 0; c < cells; ++c) {
      const float common = noise(random);
      density[c] = 1 + noise(random);
      for (int i = 0; i < 3; ++i) {
        velocity[3 * c + i] =
            0.1F * static_cast<float>(i) + common * (i == 1 ? -2.0F : 1.0F) + noise(random);
      }
    }
    velocity.insert(velocity.end(), density.begin(), density.end());
    moments.add(1, n, {velocity});
    all.push_back(velocity);
  }
  const auto at = [&](int n, int c, int i) {
    return double{all[n][i < 3 ? 3 * c + i : 3 * cells + c]};
  };
  const int pairs[7][2] = {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {0, 1}, {1, 2}, {0, 2}};
  std::vector<float> value(cells);
  const double eps = in_double ? 6e-8 : 3e-6;
  for (int c = 0; c < cells; ++c) {
    double mean[4] = {};
    for (int n = 0; n < samples; ++n) {
      for (int i = 0; i < 4; ++i) mean[i] += at(n, c, i) / samples;
    }
    for (int i = 0; i < 4; ++i) {
      moments.get(1, i, 0, value);
      EXPECT_NEAR(value[c], mean[i], eps * 1.1);
    }
    for (int p = 0; p < 7; ++p) {
      double sum = 0;
      for (int n = 0; n < samples; ++n) {
        sum += (at(n, c, pairs[p][0]) - mean[pairs[p][0]]) *
               (at(n, c, pairs[p][1]) - mean[pairs[p][1]]) / samples;
      }
      moments.get(1, 4 + p, 0, value);
      EXPECT_NEAR(value[c], sum, eps * 1e-3) << p;
    }
  }
  moments.get(0, 0, 0, value);
  EXPECT_EQ(value, std::vector<float>(cells, 0)) << "a plane without samples";
}

INSTANTIATE_TEST_SUITE_P(All, Moments, testing::Bool(),
                         [](const auto& test) { return test.param ? "float64" : "float32"; });

}  // namespace
}  // namespace lbm::fields::test
