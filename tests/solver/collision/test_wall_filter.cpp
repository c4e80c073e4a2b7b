// The filter of the stress at walls against its definition.
#include "solver/collision/wall_filter.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "solver/collision/collisions.hpp"

namespace lbm {
namespace {

using d3q19::directions;
using Populations = double[directions];

double c(int q, int axis) {
  return axis == 0 ? d3q19::cx(q) : (axis == 1 ? d3q19::cy(q) : d3q19::cz(q));
}

// Density and momentum, and the stress beyond that of the equilibrium.
struct CellMoments {
  double rho = 1, j[3] = {}, n[3][3] = {};

  explicit CellMoments(const Populations& g) {
    for (const double value : g) rho += value;
    for (int a = 0; a < 3; ++a) {
      for (int q = 0; q < directions; ++q) j[a] += c(q, a) * g[q];
    }
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) {
        for (int q = 0; q < directions; ++q) n[a][b] += c(q, a) * c(q, b) * g[q];
        n[a][b] -= (a == b ? (rho - 1) / 3 : 0) + j[a] * j[b] / rho;
      }
    }
  }
  Stress<double> stress() const { return {n[0][0], n[1][1], n[2][2], n[0][1], n[0][2], n[1][2]}; }
};

CollisionSpec filtered() {
  CollisionSpec spec;
  spec.kind = CollisionKind::regularised_filtered;
  spec.omega = 1 / 0.6;
  return spec;
}

// Values after the collision, from random populations.
template <class Storage>
void collided(unsigned seed, Populations& g) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> noise(-0.01, 0.01);
  for (double& value : g) value = noise(random);
  visit_collision<Storage>(filtered(),
                           [&]<class C>(std::type_identity<C>) { C::of(filtered(), 0)(g); });
}

TEST(WallFilter, AveragesTheStressAndKeepsDensityAndMomentum) {
  constexpr double share = 0.3;
  Populations old, before, after;
  collided<Fp64>(1, old);
  collided<Fp64>(2, before);
  std::copy(before, before + directions, after);
  filter_stress<Fp64>(after, CellMoments(old).stress(), share);
  const CellMoments then(old), now(before), result(after);
  EXPECT_NEAR(result.rho, now.rho, 1e-16);
  double change = 0;
  for (int a = 0; a < 3; ++a) {
    EXPECT_NEAR(result.j[a], now.j[a], 1e-16);
    for (int b = 0; b < 3; ++b) {
      EXPECT_NEAR(result.n[a][b], share * then.n[a][b] + (1 - share) * now.n[a][b], 1e-16);
      change += std::abs(result.n[a][b] - now.n[a][b]);
    }
  }
  EXPECT_GT(change, 1e-3);
}

// The change is of second order in the velocities c_q: they stay a function of ten moments.
TEST(WallFilter, LeavesRegularisedPopulationsRegularised) {
  Populations old, populations, moments;
  collided<Fp64>(1, old);
  collided<Fp64>(2, populations);
  collided<AsMoments<Fp64>>(2, moments);
  filter_stress<Fp64>(populations, CellMoments(old).stress(), 0.25);
  filter_stress<AsMoments<Fp64>>(moments, CellMoments(old).stress(), 0.25);
  for (int q = 0; q < directions; ++q) {
    const double g = AsMoments<Fp64>::population(q, [&](int i) { return moments[i]; });
    EXPECT_NEAR(g, populations[q], 1e-16) << q;
  }
}

TEST(WallFilter, IsThereForItsCollisionAlone) {
  CollisionSpec spec = filtered();
  EXPECT_TRUE(WallFilter<double>::of(spec).any());
  spec.kind = CollisionKind::regularised;
  EXPECT_FALSE(WallFilter<double>::of(spec).any());
}

// A wall lies halfway without a shift where tau is 7/8; the shift ends where tau is 2.
TEST(WallFilter, ShiftsWallsByTheViscosity) {
  const auto offset = [](double tau) {
    CollisionSpec spec = filtered();
    spec.omega = 1 / tau;
    return WallFilter<double>::of(spec).offset;
  };
  EXPECT_NEAR(offset(0.875), 0, 1e-15);
  EXPECT_NEAR(offset(0.5), -0.75, 1e-15);
  EXPECT_NEAR(offset(1.25), 0.75, 1e-15);
  EXPECT_NEAR(offset(1.5), 0.5, 1e-15);
  EXPECT_EQ(offset(2), 0);
  EXPECT_EQ(offset(3), 0);
}

// Faces that the main update did as plain walls would not be filtered.
TEST(WallFilter, NeedsTheSecondPassAtWalls) {
  FaceBoundaries faces;
  EXPECT_THROW(make_lattice(4, 4, 4, StorageType::fp64, filtered(), faces), std::invalid_argument);
  for (FaceBoundary& face : faces) face.filtered = true;
  EXPECT_NO_THROW(make_lattice(4, 4, 4, StorageType::fp64, filtered(), faces));
  EXPECT_TRUE(faces[0].needs_boundary_pass());
  faces[0].condition.kind = BoundaryKind::slip;
  EXPECT_FALSE(faces[0].needs_boundary_pass());
}

}  // namespace
}  // namespace lbm
