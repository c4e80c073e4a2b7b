// SPDX-License-Identifier: Apache-2.0

// The filter of the stress against its definition.
#include "solver/collision/regularised.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "solver/collision/collisions.hpp"

namespace lbm {
namespace {

using Populations = double[D3Q19::directions];

double c(int q, int axis) { return axis == 0 ? cx(q) : (axis == 1 ? cy(q) : cz(q)); }

// Density and momentum, and the stress beyond that of the equilibrium.
struct CellMoments {
  double rho = 1, j[3] = {}, n[3][3] = {};

  explicit CellMoments(const Populations& g) {
    for (const double value : g) rho += value;
    for (int a = 0; a < 3; ++a) {
      for (int q = 0; q < D3Q19::directions; ++q) j[a] += c(q, a) * g[q];
    }
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) {
        for (int q = 0; q < D3Q19::directions; ++q) n[a][b] += c(q, a) * c(q, b) * g[q];
        n[a][b] -= (a == b ? (rho - 1) / 3 : 0) + j[a] * j[b] / rho;
      }
    }
  }
  Stress<double> stress() const { return {n[0][0], n[1][1], n[2][2], n[0][1], n[0][2], n[1][2]}; }
};

CollisionSpec regularised(CollisionKind kind, double tau) {
  CollisionSpec spec;
  spec.kind = kind;
  spec.omega = 1 / tau;
  return spec;
}

void randomise(unsigned seed, Populations& g) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> noise(-0.01, 0.01);
  for (double& value : g) value = noise(random);
}

// Populations after the collision of g, in a cell that stored `own` before.
template <class Storage>
void collide(const CollisionSpec& spec, const Populations& own, Populations& g) {
  visit_collision<Storage>(spec, [&]<class C>(std::type_identity<C>) {
    collide_cell(C::of(spec, 0), g, [&](int i) { return own[i]; });
  });
  if constexpr (holds_moments<Storage>) {
    Populations moments;
    std::copy(g, g + D3Q19::directions, moments);
    for (int q = 0; q < D3Q19::directions; ++q) {
      g[q] = Storage::population(q, [&](int i) { return moments[i]; });
    }
  }
}

class StressFilterAt : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Tau, StressFilterAt, testing::Values(0.502, 0.7, 1.0, 1.4));

// Populations and moments; s = max(0, 1 - tau).
TEST_P(StressFilterAt, AveragesTheStressAndKeepsDensityAndMomentum) {
  const double tau = GetParam(), share = std::max(1 - tau, 0.0);
  const auto plain = regularised(CollisionKind::regularised, tau);
  const auto filtered = regularised(CollisionKind::regularised_filtered, tau);
  Populations old, before, unfiltered, populations, moments;
  randomise(1, old);
  randomise(2, before);
  collide<Fp64>(plain, old, old);  // of second order
  const auto copy = [](const Populations& from, Populations& to) {
    std::copy(from, from + D3Q19::directions, to);
  };
  copy(before, unfiltered);
  copy(before, populations);
  copy(before, moments);
  collide<Fp64>(plain, old, unfiltered);
  collide<Fp64>(filtered, old, populations);
  Populations stored;
  copy(old, stored);
  ten_moments::project<double>(stored);
  collide<AsMoments<Fp64>>(filtered, stored, moments);
  const CellMoments then(old), now(unfiltered);
  for (const Populations* after : {&populations, &moments}) {
    const CellMoments result(*after);
    EXPECT_NEAR(result.rho, now.rho, 1e-15);
    for (int a = 0; a < 3; ++a) {
      EXPECT_NEAR(result.j[a], now.j[a], 1e-15);
      for (int b = 0; b < 3; ++b) {
        EXPECT_NEAR(result.n[a][b], share * then.n[a][b] + (1 - share) * now.n[a][b], 1e-15);
      }
    }
  }
  for (int q = 0; q < D3Q19::directions; ++q) EXPECT_NEAR(populations[q], moments[q], 1e-15) << q;
}

// Below tau = 1 the stress of a uniform flow is gone after one step.
TEST_P(StressFilterAt, EndsTheStressOfAUniformFlow) {
  const double tau = GetParam();
  const auto filtered = regularised(CollisionKind::regularised_filtered, tau);
  Populations old, g;
  randomise(1, old);
  collide<Fp64>(regularised(CollisionKind::regularised, tau), old, old);
  std::copy(old, old + D3Q19::directions, g);
  collide<Fp64>(filtered, old, g);
  const double before = CellMoments(old).n[0][1];
  EXPECT_NEAR(CellMoments(g).n[0][1], std::max(0.0, 1 - 1 / tau) * before, 1e-15);
}

// A wall lies halfway without a shift where tau is 7/8; the shift ends where tau is 2.
TEST(WallShift, ShiftsWallsByTheViscosity) {
  const auto offset = [](double tau) {
    return StressFilter<double>::of(regularised(CollisionKind::regularised_filtered, tau))
        .wall_offset;
  };
  EXPECT_NEAR(offset(0.875), 0, 1e-15);
  EXPECT_NEAR(offset(0.5), -0.75, 1e-15);
  EXPECT_NEAR(offset(1.25), 0.75, 1e-15);
  EXPECT_NEAR(offset(1.5), 0.5, 1e-15);
  EXPECT_EQ(offset(2), 0);
  EXPECT_EQ(offset(3), 0);
}

// Walls that the main update did as plain ones would not be shifted.
TEST(WallShift, NeedsShiftedWalls) {
  const auto filtered = regularised(CollisionKind::regularised_filtered, 0.6);
  FaceBoundaries faces;
  EXPECT_THROW(make_lattice(4, 4, 4, StorageType::fp64, filtered, faces), std::invalid_argument);
  for (FaceBoundary& face : faces) face.shifted = true;
  EXPECT_NO_THROW(make_lattice(4, 4, 4, StorageType::fp64, filtered, faces));
  EXPECT_TRUE(faces[0].needs_boundary_pass());
  for (const BoundaryKind kind : {BoundaryKind::slip, BoundaryKind::velocity}) {
    faces[0].condition.kind = kind;
    EXPECT_FALSE(faces[0].needs_boundary_pass());
  }
}

}  // namespace
}  // namespace lbm
