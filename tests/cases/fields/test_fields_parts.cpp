// SPDX-License-Identifier: Apache-2.0

// Single parts of derived fields: boxes, windows, factors, sums, normals.
#include "cases/fields/running_moments.hpp"
#include "tests/cases/fields/fields_support.hpp"

namespace lbm::fields::test {
namespace {

struct HaloCase {
  tiling::FieldBox wanted;
  bool periodic;
  tiling::FieldBox loaded;
  std::array<int, 2> first;
};

// In a grid of 9 x 7 x 8 cells.
TEST(HaloBoxes, HaveOneCellMoreWhereThereIsOne) {
  const HaloCase cases[] = {
      {{{0, 0, 0}, {9, 7, 8}}, false, {{0, 0, 0}, {9, 7, 8}}, {0, 0}},
      {{{0, 0, 0}, {9, 7, 8}}, true, {{8, 6, 0}, {11, 9, 8}}, {1, 1}},
      {{{1, 1, 1}, {7, 5, 6}}, false, {{0, 0, 0}, {9, 7, 8}}, {1, 1}},
      {{{2, 0, 5}, {3, 4, 3}}, false, {{1, 0, 4}, {5, 5, 4}}, {1, 0}},
      {{{2, 0, 5}, {3, 4, 3}}, true, {{1, 6, 4}, {5, 6, 5}}, {1, 1}},
      {{{0, 0, 0}, {3, 3, 3}, 3}, false, {{0, 0, 0}, {8, 7, 8}}, {0, 0}},
      {{{1, 0, 1}, {2, 2, 2}, 3}, true, {{0, 6, 0}, {6, 6, 6}}, {1, 1}},
      {{{4, 4, 1}, {1, 1, 7}}, true, {{3, 3, 0}, {3, 3, 8}}, {1, 1}},
  };
  for (const auto& [wanted, periodic, loaded, first] : cases) {
    const GridShape grid{{9, 7, 8}, {periodic, periodic, periodic}};
    const HaloBox box = with_halo(grid, wanted, true);
    EXPECT_EQ(box.loaded.begin, loaded.begin);
    EXPECT_EQ(box.loaded.count, loaded.count);
    EXPECT_EQ(box.loaded.stride, 1);
    EXPECT_EQ(box.first, first);
    EXPECT_EQ(with_halo(grid, wanted, false).loaded, wanted);
  }
}

// Central differences of waves on any periodic grid, with one or two planes, and in boxes that
// reach across faces.
TEST(PeriodicFields, GoOnAcrossFaces) {
  for (const int planes : {1, 2, 3, 8}) {
    Setting s;
    s.grid = {{nx, ny, planes}, {true, true, true}};
    const auto wave = [](double at, int n, double phase) {
      return std::sin(2 * M_PI * at / n + phase);
    };
    const auto flow = [&](double x, double y, double z) {
      return Vector{wave(z, planes, 0.3) + wave(y, ny, 0.1), wave(x, nx, 0.2), wave(y, ny, 0.5)};
    };
    for (const tiling::FieldBox& box :
         {whole(s.grid), tiling::FieldBox{{7, 4, planes - 1}, {4, 5, 1}},
          tiling::FieldBox{{8, 5, 0}, {3, 2, (planes + 3) / 4}, 4}}) {
      const auto curl = fields_of(s, box, Kind::vorticity, flow, ascending(planes));
      for (int z = 0; z < planes; ++z) {
        const bool has = box.has_plane(z, planes);
        ASSERT_EQ(curl[z].size(), has ? 3U * static_cast<std::size_t>(box.plane_cells()) : 0U);
        for (std::size_t c = 0; has && c < curl[z].size() / 3; ++c) {
          const int i = static_cast<int>(c) % box.count[0], j = static_cast<int>(c) / box.count[0];
          const double x = box.begin[0] + i * box.stride + 0.5,
                       y = box.begin[1] + j * box.stride + 0.5;
          const auto slope = [](const auto& of, double at) {
            return (of(at + 1) - of(at - 1)) / 2;
          };
          const double uy = slope([&](double t) { return wave(t, ny, 0.1); }, y),
                       uz = slope([&](double t) { return wave(t, planes, 0.3); }, z + 0.5),
                       vx = slope([&](double t) { return wave(t, nx, 0.2); }, x),
                       wy = slope([&](double t) { return wave(t, ny, 0.5); }, y);
          EXPECT_NEAR(curl[z][3 * c], wy, 1e-5);
          EXPECT_NEAR(curl[z][3 * c + 1], uz, 1e-5) << planes << " " << z;
          EXPECT_NEAR(curl[z][3 * c + 2], vx - uy, 1e-5);
        }
      }
    }
  }
}

// Strided boxes that reach across periodic faces find the bodies there.
TEST(PeriodicFields, OfPartsKnowTheBodies) {
  Setting s;
  s.grid = {{nx, ny, nz}, {true, true, true}};
  const Balls balls(s.grid.cells, {{{0.4, 0.3, 0.2}, 2.3}});
  s.boundaries = boundaries_of(s.grid, balls, std::vector<BodySpec>(1));
  s.density_slope = 0.003;
  const auto flow = [](double x, double y, double z) {
    return Vector{0.01 * x * z, std::sin(y), std::cos(x + z)};
  };
  for (const Kind kind : {Kind::wall_shear_stress, Kind::q_criterion, Kind::solid, Kind::density}) {
    const auto all = fields_of(s, whole(s.grid), kind, flow, ascending());
    const auto width = static_cast<std::size_t>(components_of(kind));
    for (const tiling::FieldBox& box :
         {tiling::FieldBox{{6, 5, 6}, {6, 5, 4}}, tiling::FieldBox{{7, 5, 0}, {3, 2, 4}, 2}}) {
      const auto part = fields_of(s, box, kind, flow, ascending());
      for (int z = 0; z < nz; ++z) {
        for (std::size_t c = 0; c < part[z].size(); ++c) {
          const auto cell = static_cast<int>(c / width);
          const int x = (box.begin[0] + cell % box.count[0] * box.stride) % nx;
          const int y = (box.begin[1] + cell / box.count[0] * box.stride) % ny;
          const auto at = width * static_cast<std::size_t>(y * nx + x) + c % width;
          ASSERT_EQ(part[z][c], all[z][at]) << to_string(kind) << " " << x << " " << y << " " << z;
        }
      }
    }
  }
}

// All fields of a plane at once, each with its factor, with and without a halo.
TEST(FieldMakers, GiveEachFieldItsUnits) {
  const Scales scales{2, 3, 5, 7};
  const GridShape grid{{4, 3, 3}, {true, true, true}};
  std::vector<float> values(48);
  const std::span<float> velocity = std::span(values).first(36), drho = std::span(values).last(12);
  for (std::size_t c = 0; c < 12; ++c) drho[c] = 0.01F * static_cast<float>(c);
  for (std::size_t c = 0; c < 36; ++c) velocity[c] = 0.1F * static_cast<float>(c);
  const WallsAround walls(grid, Boundaries(), {});
  const HaloBox box = with_halo(grid, {{0, 0, 1}, {4, 3, 1}}, false);
  for (const double rho : {5.0, 1.0}) {
    FieldMaker maker(grid, box, {Kind::velocity, Kind::density, Kind::pressure, Kind::solid},
                     {2, 3, rho, 7}, 1);
    const FieldPlane plane{values};
    const auto made = maker.make({1, nullptr, &plane, nullptr}, walls);
    ASSERT_EQ(made.size(), 4U);
    for (std::size_t c = 0; c < 12; ++c) {
      EXPECT_FLOAT_EQ(made[0][3 * c + 2], 3 * velocity[3 * c + 2]);
      EXPECT_FLOAT_EQ(made[1][c], static_cast<float>(rho) * (1 + drho[c]));
      EXPECT_NEAR(made[2][c], 7 * 0.01 / 3 * static_cast<double>(c), 1e-6);
      EXPECT_EQ(made[3][c], 0);
    }
  }
  for (const auto& [kind, factor] : {std::pair{Kind::vorticity, 1.5},
                                     {Kind::strain_rate, 1.5},
                                     {Kind::q_criterion, 2.25},
                                     {Kind::wall_shear_stress, 7.0},
                                     {Kind::solid, 1.0},
                                     {Kind::velocity, 3.0}}) {
    EXPECT_DOUBLE_EQ(scales.of(kind), factor) << to_string(kind);
  }
}

// A field without derivatives leaves the halo out, even beside fields with derivatives.
TEST(FieldMakers, LeaveTheHaloOut) {
  const GridShape grid{{6, 5, 3}, {false, false, true}};
  const HaloBox box = with_halo(grid, {{2, 1, 1}, {3, 2, 1}}, true);
  ASSERT_EQ(box.loaded.count, (std::array{5, 4, 3}));
  std::vector<float> values(80);
  const std::span<float> velocity = std::span(values).first(60), drho = std::span(values).last(20);
  for (std::size_t c = 0; c < 20; ++c) drho[c] = static_cast<float>(c);
  for (std::size_t c = 0; c < 60; ++c) velocity[c] = static_cast<float>(c) / 2;
  const FieldPlane plane{values};
  FieldMaker maker(grid, box, {Kind::density, Kind::velocity, Kind::vorticity}, {}, 1);
  const auto made = maker.make({1, &plane, &plane, &plane}, WallsAround(grid, Boundaries(), {}));
  const std::vector<std::size_t> cells{6, 7, 8, 11, 12, 13};
  ASSERT_EQ(made[0].size(), cells.size());
  ASSERT_EQ(made[1].size(), 3 * cells.size());
  for (std::size_t c = 0; c < cells.size(); ++c) {
    EXPECT_EQ(made[0][c], 1 + drho[cells[c]]);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(made[1][3 * c + i], velocity[3 * cells[c] + i]);
    }
  }
}

// Magnitudes computed by hand; number of values per cell.
TEST(Quantities, ByHand) {
  std::vector<float> result;
  result.resize(3);
  magnitude(std::vector<float>{1, 2, 2, 0, -3, 4, 2, -3, -6}, result);
  EXPECT_EQ(result, (std::vector<float>{3, 5, 7}));
  EXPECT_EQ(components_of(Kind::strain_rate), 6);
  EXPECT_EQ(components_of(Kind::pressure) + components_of(Kind::vorticity), 4);
}

// A floor below an unknown top, one cell above it, and nearly at its surface.
TEST(WallShearStress, NeedsNoSecondCell) {
  for (const double surface : {3.1, 3.4999}) {
    Setting s;
    s.grid = {{nx, ny, 4}, {true, true, false}};
    const Floor solids(surface);
    s.boundaries = boundaries_of(s.grid, solids, std::vector<BodySpec>(1));
    // A little slip, as rounding leaves, and flow normal to the wall.
    const double slip = surface > 3.4 ? 1e-4 : 0;
    const auto flow = [=](double, double, double z) {
      return Vector{0.02 * (z - surface) + slip, 0, 0.05 * (z - surface)};
    };
    const auto stress =
        fields_of(s, whole(s.grid), Kind::wall_shear_stress, flow, ascending(4), 0.5);
    const auto strain = fields_of(s, whole(s.grid), Kind::strain_rate, flow, ascending(4));
    for (std::size_t cell = 0; cell < nx * ny; ++cell) {
      if (slip > 0) {
        EXPECT_LT(stress[3][3 * cell], 0.5 * 0.004);
        EXPECT_LT(strain[3][6 * cell + 5], 0.5 * 0.004);
        continue;
      }
      EXPECT_NEAR(stress[3][3 * cell], 0.5 * 0.02, 1e-6);
      EXPECT_NEAR(stress[3][3 * cell + 2], 0, 1e-6) << "along the wall alone";
      EXPECT_NEAR(strain[3][6 * cell + 5], 0.5 * 0.02, 1e-6);
      EXPECT_EQ(stress[2][3 * cell], 0) << "inside";
      EXPECT_EQ(strain[2][6 * cell + 5], 0) << "inside";
    }
  }
}

// A body that reaches up to a wall of the box: its own cells have no stress.
TEST(WallShearStress, IsNotInsideBodies) {
  Setting s;
  s.grid.periodic = {false, true, false};
  s.faces[0] = {Vector{0, 0.3, 0}, true};
  const Floor solids(3);
  s.boundaries = boundaries_of(s.grid, solids, std::vector<BodySpec>(1));
  const auto flow = [](double, double, double) { return Vector{}; };
  const auto stress = fields_of(s, whole(s.grid), Kind::wall_shear_stress, flow, ascending());
  EXPECT_EQ(stress[1][1], 0);
  EXPECT_NE(stress[6][1], 0);
}

// In every direction, the normal is that of the nearest point of a ball's surface, within the
// effect of its curvature.
TEST(WallNormal, OfABallPointsAwayFromItsCenter) {
  constexpr int n = 40;
  const GridShape grid{{n, n, n}, {false, false, false}};
  const Balls balls(grid.cells, {{{20.3, 19.6, 20.1}, 13}});
  const Boundaries boundaries = boundaries_of(grid, balls, std::vector<BodySpec>(1));
  const WallsAround walls(grid, boundaries, {});
  double sum = 0, largest = 0;
  int cells = 0, unsure = 0;
  for (int z = 0; z < n; ++z) {
    walls.for_each_linked(z, [&](const LinkedCell& cell) {
      const auto x = static_cast<int>(cell.x), y = static_cast<int>(cell.y);
      const auto points = walls.wall_points(x, y, z);
      const Vector d = balls.from_center(0, {x + 0.5, y + 0.5, z + 0.5});
      const double angle =
          std::acos(std::min(1.0, dot(walls.normal(x, y, z, points), d) / std::sqrt(dot(d, d))));
      sum += angle * angle;
      largest = std::max(largest, angle);
      ++cells;
      unsure += points.size() < 3 ? 1 : 0;
    });
  }
  EXPECT_GT(cells, 1000);
  EXPECT_GT(unsure, 100);
  EXPECT_LT(std::sqrt(sum / cells), 0.03) << largest;
  EXPECT_LT(largest, 0.15);
}

// More cells than a block and than a job of a thread; planes are independent.
TEST(MomentsOfManyCells, AreThoseOfEachCell) {
  for (const int cells : {511, 512, 513, 1025, 32768 + 700}) {
    for (const bool stresses : {true, false}) {
      for (const bool in_double : {true, false}) {
        RunningMoments moments({cells, 3, stresses, in_double});
        EXPECT_EQ(moments.shape().plane_values(), cells * (stresses ? 11 : 8));
        EXPECT_EQ(moments.shape().bytes(), static_cast<std::uint64_t>(3 * cells) *
                                               (stresses ? 11U : 8U) * (in_double ? 8U : 4U));
        EXPECT_EQ(moments.plane_bytes(2).size() * 3, moments.shape().bytes());
        // For two samples: mean (a + b) / 2, covariance (a - b) (c - d) / 4.
        const auto value = [&](int plane, int sample, int c, int i) {
          return static_cast<float>((c * 7 + i * 13 + sample * (i + 3) * (c % 11 + 1) + plane) %
                                    97) /
                 64;
        };
        for (const int plane : {2, 0, 1}) {
          for (int sample = 1; sample <= 2; ++sample) {
            std::vector<float> values;
            for (int c = 0; c < cells; ++c) {
              for (int i = 0; i < 3; ++i) values.push_back(value(plane, sample, c, i));
            }
            for (int c = 0; c < cells; ++c) values.push_back(value(plane, sample, c, 3));
            moments.add(plane, sample, {values});
          }
        }
        constexpr int pairs[7][2] = {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {0, 1}, {1, 2}, {0, 2}};
        std::vector<float> got(static_cast<std::size_t>(cells));
        for (int plane = 0; plane < 3; ++plane) {
          const auto half = [&](int c, int i, double sign) {
            return (double{value(plane, 1, c, i)} + sign * double{value(plane, 2, c, i)}) / 2;
          };
          for (int v = 0; v < (stresses ? 11 : 8); ++v) {
            moments.get(plane, v, 0, got);
            for (int c = 0; c < cells; ++c) {
              const double want = v < 4
                                      ? half(c, v, 1)
                                      : half(c, pairs[v - 4][0], -1) * half(c, pairs[v - 4][1], -1);
              ASSERT_NEAR(got[static_cast<std::size_t>(c)], want, 1e-6)
                  << cells << " " << v << " " << c;
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace lbm::fields::test
