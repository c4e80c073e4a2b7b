// SPDX-License-Identifier: Apache-2.0

// The velocity set, the storage types, BGK and the walls by themselves.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "solver/collision/bgk.hpp"
#include "solver/lattice/lattice.hpp"
#include "solver/lattice/storage.hpp"

namespace lbm {
namespace {

// Isotropy of D3Q19 up to fourth order (Qian et al. 1992): what makes it Navier-Stokes.
TEST(D3q19, HasTheMomentsOfNavierStokes) {
  const auto c = [](int q, int axis) { return axis == 0 ? cx(q) : (axis == 1 ? cy(q) : cz(q)); };
  const auto same = [](int a, int b) { return a == b ? 1.0 : 0.0; };
  double sum = 0;
  for (int q = 0; q < D3Q19::directions; ++q) sum += D3Q19::weight<double>(q);
  EXPECT_NEAR(sum, 1, 1e-15);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      double second = 0;
      for (int q = 0; q < D3Q19::directions; ++q)
        second += D3Q19::weight<double>(q) * c(q, i) * c(q, j);
      EXPECT_NEAR(second, same(i, j) / 3, 1e-15);
      for (int k = 0; k < 3; ++k) {
        for (int l = 0; l < 3; ++l) {
          double fourth = 0;
          for (int q = 0; q < D3Q19::directions; ++q) {
            fourth += D3Q19::weight<double>(q) * c(q, i) * c(q, j) * c(q, k) * c(q, l);
          }
          const double isotropic =
              same(i, j) * same(k, l) + same(i, k) * same(j, l) + same(i, l) * same(j, k);
          EXPECT_NEAR(fourth, isotropic / 9, 1e-15);
        }
      }
    }
  }
}

TEST(D3q19, OppositesAreOppositeAndAllDirectionsDiffer) {
  for (int q = 0; q < D3Q19::directions; ++q) {
    const int o = opposite(q);
    EXPECT_EQ(cx(o), -cx(q));
    EXPECT_EQ(cy(o), -cy(q));
    EXPECT_EQ(cz(o), -cz(q));
    for (int p = 0; p < q; ++p) {
      EXPECT_FALSE(cx(p) == cx(q) && cy(p) == cy(q) && cz(p) == cz(q)) << p << " " << q;
    }
  }
}

// All 65536 halves there and back.
TEST(Half, EveryHalfIsAFloatAndComesBack) {
  for (unsigned h = 0; h < 65536; ++h) {
    const auto half = static_cast<std::uint16_t>(h);
    const float value = half_to_float(half);
    const int exponent = (h >> 10) & 31, mantissa = h & 1023;
    if (exponent == 31) {
      EXPECT_EQ(std::isnan(value), mantissa != 0);
      EXPECT_EQ(std::isinf(value), mantissa == 0);
      if (mantissa != 0) continue;
    } else {
      const double expected =
          exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
      ASSERT_EQ(value, (h & 0x8000) != 0 ? -expected : expected) << h;
    }
    ASSERT_EQ(float_to_half(value), half);
  }
}

TEST(Half, RoundsToTheNearestAndTiesToEven) {
  std::mt19937 random(1);
  for (unsigned h = 0; h < 0x7bff; ++h) {  // every gap between positive finite halves
    const double low = half_to_float(static_cast<std::uint16_t>(h));
    const double high = half_to_float(static_cast<std::uint16_t>(h + 1));
    const auto middle = static_cast<float>((low + high) / 2);
    ASSERT_EQ(float_to_half(middle), h + (h & 1)) << h;
    ASSERT_EQ(float_to_half(std::nextafter(middle, 0.0F)), h);
    ASSERT_EQ(float_to_half(std::nextafter(middle, 1e9F)), h + 1);
    ASSERT_EQ(float_to_half(-std::nextafter(middle, 1e9F)), 0x8000 + h + 1);
  }
  EXPECT_EQ(float_to_half(65519.0F), 0x7bff);
  EXPECT_EQ(float_to_half(65520.0F), 0x7c00);
  EXPECT_TRUE(std::isnan(half_to_float(float_to_half(std::numeric_limits<float>::quiet_NaN()))));
}

TEST(Half, StochasticRoundingGivesANeighbourAndTheValueOnAverage) {
  std::mt19937 random(2);
  std::uniform_real_distribution<float> exponent(-13, 15), sign(-1, 1);
  for (int i = 0; i < 200; ++i) {
    const float value = std::copysign(std::exp2(exponent(random)), sign(random));
    const std::uint16_t inner = float_to_half_truncated(value);
    const double low = half_to_float(inner);
    const double high = half_to_float(static_cast<std::uint16_t>(inner + 1));
    constexpr int steps = 4096;
    double sum = 0;
    for (int step = 0; step < steps; ++step) {
      const double got = half_to_float(float_to_half_stochastic(value, rounding_key(step)));
      ASSERT_TRUE(got == low || got == high) << value << " became " << got;
      sum += got;
    }
    // Five standard deviations of a mean of so many throws.
    EXPECT_NEAR(sum / steps, value, 5 * std::abs(high - low) / 2 / std::sqrt(steps)) << value;
  }
}

TEST(Half, StochasticRoundingKeepsEveryHalf) {
  for (unsigned h = 0; h < 65536; ++h) {
    if ((h & 0x7c00U) == 0x7c00U) continue;  // infinity, NaN
    const auto half = static_cast<std::uint16_t>(h);
    ASSERT_EQ(float_to_half_stochastic(half_to_float(half), rounding_key(h)), half) << h;
  }
}

TEST(Bgk, ConservesMassAndMomentumAndRelaxesToEquilibrium) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> noise(-0.01, 0.01);
  for (int i = 0; i < 100; ++i) {
    double g[D3Q19::directions], before[D3Q19::directions], equal[D3Q19::directions];
    for (int q = 0; q < D3Q19::directions; ++q) before[q] = g[q] = noise(random);
    const double omega = 0.5 + i * 0.015;
    Bgk<Fp64>{omega}(g);
    const auto a = moments_of(before), b = moments_of(g);
    EXPECT_NEAR(a.drho, b.drho, 1e-15);
    EXPECT_NEAR(a.ux, b.ux, 1e-15);
    EXPECT_NEAR(a.uy, b.uy, 1e-15);
    EXPECT_NEAR(a.uz, b.uz, 1e-15);
    equilibrium(a, equal);
    for (int q = 0; q < D3Q19::directions; ++q) {
      EXPECT_NEAR(g[q], before[q] - omega * (before[q] - equal[q]), 1e-15);
      // Against the textbook form of the equilibrium.
      const double cu = cx(q) * a.ux + cy(q) * a.uy + cz(q) * a.uz;
      const double uu = a.ux * a.ux + a.uy * a.uy + a.uz * a.uz;
      EXPECT_NEAR(equal[q] + D3Q19::weight<double>(q),
                  D3Q19::weight<double>(q) * a.rho() * (1 + 3 * cu + 4.5 * cu * cu - 1.5 * uu),
                  1e-15);
    }
  }
}

// The links of a moving lid into one cell together add no mass, and add momentum along the lid. At
// the two ends of the lid the links through the edges add nothing: one end gains the mass that the
// other loses.
TEST(Walls, AMovingLidMakesNoMass) {
  std::array<WallFace, 6> faces;
  faces[5].velocity = {0.1, 0.03, 0};
  const auto walls = make_walls(faces);
  const auto added = [&](unsigned touched) {
    double mass = 0;
    for (int q = 1; q < D3Q19::directions; ++q) {
      mass += walls.term[q][wall_set(q, touched & entered_faces(q))];
    }
    return mass;
  };
  EXPECT_NEAR(added(z_max), 0, 1e-16);
  EXPECT_NEAR(added(z_max | x_max), 0.1 / 6, 1e-16);  // only +x is missing: it would take away
  EXPECT_NEAR(added(z_max | x_min) + added(z_max | x_max), 0, 1e-16);
  EXPECT_NEAR(added(z_max | y_min) + added(z_max | y_max), 0, 1e-16);
  double momentum = 0;
  for (int q = 1; q < D3Q19::directions; ++q) {
    momentum += cx(q) * walls.term[q][wall_set(q, z_max & entered_faces(q))];
  }
  EXPECT_NEAR(momentum, 0.1 / 3, 1e-16);
}

TEST(Walls, OnlyThoseThatMoveDampCumulantsOfThirdOrder) {
  FaceBoundaries faces;
  const auto damped = [&] {
    return make_lattice(8, 8, 8, StorageType::fp32, CollisionSpec{}, faces)
        .collision.damps_third_order;
  };
  EXPECT_FALSE(damped());
  faces[0].condition.kind = BoundaryKind::velocity;
  faces[0].condition.velocity = {0.05, 0, 0};
  EXPECT_FALSE(damped());
  faces[3].condition.velocity = {0.05, 0, 0};
  EXPECT_TRUE(damped());
}

TEST(Walls, LinksThroughEdgesAndRestingFacesAddNothing) {
  std::array<WallFace, 6> faces;
  faces[0].velocity = {0, 0.1, 0};  // x_min moves in y
  const auto walls = make_walls(faces);
  for (int q = 1; q < D3Q19::directions; ++q) {
    for (int set = 0; set < 4; ++set) {
      const bool crosses_only_x_min = cx(q) == 1 && set == 1;
      EXPECT_EQ(walls.term[q][set] != 0, crosses_only_x_min && cy(q) != 0) << q << " " << set;
    }
  }
  faces[1].wall = false;
  EXPECT_THROW(make_walls(faces), std::invalid_argument);
}

TEST(PlaneLayout, KeepsRowsAndPlanesApartAndAligned) {
  for (const StorageType type : {StorageType::fp16, StorageType::fp32, StorageType::fp64}) {
    for (const auto& [nx, ny] : {std::pair{1, 1}, {61, 47}, {128, 128}, {1024, 1024}}) {
      const auto layout = make_plane_layout(nx, ny, type);
      const std::size_t value = bytes_per_value(type);
      EXPECT_GE(layout.pitch, nx);
      EXPECT_GE(layout.row, static_cast<std::int64_t>(layout.pitch) * 19);
      EXPECT_EQ(layout.row * value % 128, 0U);
      EXPECT_EQ(layout.row * value / 128 % 2, 1U) << "even: rows share cache sets";
      EXPECT_EQ(layout.bytes % 256, 128U) << "even: planes share cache sets";
      EXPECT_LT(layout.index(18, ny - 1, nx - 1) * value, layout.bytes);
      EXPECT_LE(layout.bytes, layout.row * value * ny + 128);
    }
  }
}

}  // namespace
}  // namespace lbm
