// SPDX-License-Identifier: Apache-2.0

// The collision models against their definitions, written out.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "solver/collision/collisions.hpp"

namespace lbm {
namespace {

using Populations = double[D3Q19::directions];

double c(int q, int axis) { return axis == 0 ? cx(q) : (axis == 1 ? cy(q) : cz(q)); }

class Cell {
 public:
  explicit Cell(unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> noise(-0.01, 0.01);
    for (double& value : g) value = noise(random);
  }
  Populations g;
};

struct State {
  double rho = 1, u[3] = {};
};

// With half the force (Guo et al. 2002).
State state_of(const Populations& g, const std::array<double, 3>& force) {
  State s;
  for (const double value : g) s.rho += value;
  for (int a = 0; a < 3; ++a) {
    double j = force[a] / 2;
    for (int q = 0; q < D3Q19::directions; ++q) j += c(q, a) * g[q];
    s.u[a] = j / s.rho;
  }
  return s;
}

double dot(int q, const double (&v)[3]) { return c(q, 0) * v[0] + c(q, 1) * v[1] + c(q, 2) * v[2]; }

double equilibrium_of(int q, const State& s) {
  const double cu = dot(q, s.u), uu = s.u[0] * s.u[0] + s.u[1] * s.u[1] + s.u[2] * s.u[2];
  const auto w = D3Q19::weight<double>(q);
  return w * s.rho * (1 + 3 * cu + 4.5 * cu * cu - 1.5 * uu) - w;
}

// Guo's source term without its factor.
double source_of(int q, const State& s, const std::array<double, 3>& force) {
  double sum = 0;
  const double cu = dot(q, s.u);
  for (int a = 0; a < 3; ++a) sum += (3 * (c(q, a) - s.u[a]) + 9 * cu * c(q, a)) * force[a];
  return D3Q19::weight<double>(q) * sum;
}

// In a cell at rest before, where that matters.
template <class Storage = Fp64>
void collide(const CollisionSpec& spec, double step,
             typename Storage::Real (&g)[D3Q19::directions]) {
  visit_collision<Storage>(spec, [&]<class C>(std::type_identity<C>) {
    collide_cell(C::of(spec, step), g, [](int) { return typename Storage::Real(0); });
  });
}

// The second moment of what is not equilibrium, symmetric part with the force.
void stress_by_hand(const Populations& g, const std::array<double, 3>& force, double (&p)[3][3]) {
  const State s = state_of(g, force);
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) {
      p[a][b] = (s.u[a] * force[b] + s.u[b] * force[a]) / 2;
      for (int q = 0; q < D3Q19::directions; ++q) {
        p[a][b] += c(q, a) * c(q, b) * (g[q] - equilibrium_of(q, s));
      }
    }
  }
}

constexpr std::array<double, 3> no_force{};
constexpr std::array<double, 3> some_force{3e-4, -2e-4, 5e-4};

CollisionSpec spec_of(CollisionKind kind, const std::array<double, 3>& force) {
  CollisionSpec spec;
  spec.kind = kind;
  spec.omega = 1.3;
  spec.force.mean = force;
  return spec;
}

TEST(Collisions, BgkWithAForceIsGuos) {
  const CollisionSpec spec = spec_of(CollisionKind::bgk, some_force);
  for (unsigned seed = 0; seed < 20; ++seed) {
    Cell cell(seed), before(seed);
    collide(spec, 0, cell.g);
    const State s = state_of(before.g, some_force);
    for (int q = 0; q < D3Q19::directions; ++q) {
      const double expected = before.g[q] - spec.omega * (before.g[q] - equilibrium_of(q, s)) +
                              (1 - spec.omega / 2) * source_of(q, s, some_force);
      EXPECT_NEAR(cell.g[q], expected, 1e-15);
    }
  }
}

TEST(Collisions, TrtRelaxesEvenAndOddPartsAtTheirOwnRates) {
  for (const auto& force : {no_force, some_force}) {
    CollisionSpec spec = spec_of(CollisionKind::trt, force);
    spec.magic = 0.25;
    const double odd = 1 / (spec.magic / (1 / spec.omega - 0.5) + 0.5);
    Cell cell(7), before(7);
    collide(spec, 0, cell.g);
    const State s = state_of(before.g, force);
    for (int q = 0; q < D3Q19::directions; ++q) {
      const int o = opposite(q);
      const auto part = [&](auto value, double sign) { return (value(q) + sign * value(o)) / 2; };
      const auto g = [&](int p) { return before.g[p]; };
      const auto e = [&](int p) { return equilibrium_of(p, s); };
      const auto f = [&](int p) { return source_of(p, s, force); };
      const double expected = g(q) - spec.omega * (part(g, 1) - part(e, 1)) -
                              odd * (part(g, -1) - part(e, -1)) +
                              (1 - spec.omega / 2) * part(f, 1) + (1 - odd / 2) * part(f, -1);
      EXPECT_NEAR(cell.g[q], expected, 1e-15);
    }
  }
}

// Its moments are those of BGK up to the second order, and there is nothing beyond.
TEST(Collisions, RegularisedKeepsTheStressAndDropsTheRest) {
  for (const auto& force : {no_force, some_force}) {
    const CollisionSpec spec = spec_of(CollisionKind::regularised, force);
    Cell cell(5), before(5), bgk(5);
    collide(spec, 0, cell.g);
    collide(spec_of(CollisionKind::bgk, force), 0, bgk.g);
    const State s = state_of(before.g, force);
    double p[3][3] = {};
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) {
        for (int q = 0; q < D3Q19::directions; ++q) {
          p[a][b] += c(q, a) * c(q, b) * (bgk.g[q] - equilibrium_of(q, s));
        }
      }
    }
    for (int q = 0; q < D3Q19::directions; ++q) {
      double expected = 0;
      for (int a = 0; a < 3; ++a) {
        expected += 1.5 * c(q, a) * force[a];
        for (int b = 0; b < 3; ++b) {
          expected += 4.5 * (c(q, a) * c(q, b) - (a == b ? 1.0 / 3 : 0)) * p[a][b];
        }
      }
      expected = equilibrium_of(q, s) + D3Q19::weight<double>(q) * expected;
      EXPECT_NEAR(cell.g[q], expected, 1e-15) << q;
    }
  }
}

// Sum over f_q of the product of the powers of c_q - u.
double central_moment(const Populations& g, const State& s, const std::array<int, 3>& powers) {
  double sum = 0;
  for (int q = 0; q < D3Q19::directions; ++q) {
    double product = g[q] + D3Q19::weight<double>(q);
    for (int a = 0; a < 3; ++a) product *= std::pow(c(q, a) - s.u[a], powers[a]);
    sum += product;
  }
  return sum;
}

TEST(Collisions, CentralMomentsRelaxAtTheRateOfTheirOrder) {
  for (const auto& force : {no_force, some_force}) {
    for (const double least : {0.0, 1.0}) {
      CollisionSpec spec = spec_of(CollisionKind::central_moments, force);
      spec.magic = 0.3;
      spec.least_odd_rate = least;
      const double odd = std::max(least, 1 / (spec.magic / (1 / spec.omega - 0.5) + 0.5));
      Cell cell(7), before(7);
      collide(spec, 0, cell.g);
      const State s = state_of(before.g, force);
      const auto moments = [&](const std::array<int, 3>& powers) {
        return std::pair(central_moment(before.g, s, powers), central_moment(cell.g, s, powers));
      };
      for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) {
          if (a == b) continue;
          std::array<int, 3> powers{};
          powers[a] = powers[b] = 1;
          const auto [shear, relaxed_shear] = moments(powers);
          EXPECT_NEAR(relaxed_shear, (1 - spec.omega) * shear, 1e-15);
          powers[a] = 2;
          const auto [third, relaxed_third] = moments(powers);
          EXPECT_NEAR(relaxed_third, (1 - odd) * third + (1 - odd / 2) * force[b] / 3, 1e-15);
          powers[b] = 2;
          std::array<double, 3> n{};  // of second order, after the collision
          for (int axis = 0; axis < 3; ++axis) {
            std::array<int, 3> normal{};
            normal[axis] = 2;
            n[axis] = moments(normal).second - s.rho / 3;
          }
          EXPECT_NEAR(moments(powers).second, s.rho / 9 + (n[a] + n[b]) / 3 - n[3 - a - b] / 6,
                      1e-15);
        }
      }
    }
  }
}

// Where the fluid is at rest there is nothing else in the normal stresses.
TEST(Collisions, CentralMomentsHaveABulkViscosityOfTheirOwn) {
  const CollisionSpec spec = spec_of(CollisionKind::central_moments, no_force);
  Cell cell(3);
  for (int q = 1; q < D3Q19::directions; q += 2) cell.g[q] = cell.g[q + 1];
  Populations before;
  std::copy(std::begin(cell.g), std::end(cell.g), before);
  collide(spec, 0, cell.g);
  const State s = state_of(before, no_force);
  double n[3], relaxed[3];
  for (int a = 0; a < 3; ++a) {
    std::array<int, 3> powers{};
    powers[a] = 2;
    n[a] = central_moment(before, s, powers) - s.rho / 3;
    relaxed[a] = central_moment(cell.g, s, powers) - s.rho / 3;
  }
  const double mean = (n[0] + n[1] + n[2]) / 3;
  EXPECT_GT(std::abs(mean), 1e-4);
  for (int a = 0; a < 3; ++a) {
    EXPECT_NEAR(relaxed[a], (1 - spec.omega) * (n[a] - mean), 1e-15);
  }
}

TEST(Collisions, EveryModelConservesMassAndAddsTheForceToTheMomentum) {
  for (const CollisionKind kind :
       {CollisionKind::bgk, CollisionKind::trt, CollisionKind::regularised,
        CollisionKind::regularised_filtered, CollisionKind::central_moments}) {
    for (const double smagorinsky : {0.0, 0.2}) {
      CollisionSpec spec = spec_of(kind, some_force);
      spec.smagorinsky = smagorinsky;
      Cell cell(9), before(9);
      collide(spec, 0, cell.g);
      double mass = 0, momentum[3] = {};
      for (int q = 0; q < D3Q19::directions; ++q) {
        mass += cell.g[q] - before.g[q];
        for (int a = 0; a < 3; ++a) momentum[a] += c(q, a) * (cell.g[q] - before.g[q]);
      }
      EXPECT_NEAR(mass, 0, 1e-16);
      for (int a = 0; a < 3; ++a) EXPECT_NEAR(momentum[a], some_force[a], 1e-16);
    }
  }
}

// nu_t = C^2 |S| with |S| = sqrt(2 S:S) and S = -3 P / (2 rho tau).
TEST(Collisions, SmagorinskyAddsTheEddyViscosityOfItsOwnStrain) {
  for (const auto& force : {no_force, some_force}) {
    CollisionSpec spec = spec_of(CollisionKind::bgk, force);
    spec.smagorinsky = 0.3;
    Cell cell(4), before(4);
    collide(spec, 0, cell.g);
    double p[3][3], squares = 0;
    stress_by_hand(before.g, force, p);
    for (const auto& row : p) {
      for (const double value : row) squares += value * value;
    }
    const State s = state_of(before.g, force);
    // The relaxation rate that the collision used, from its change of population 7.
    const double e = equilibrium_of(7, s), f = source_of(7, s, force);
    const double rate = (cell.g[7] - before.g[7] - f) / (e - before.g[7] - f / 2);
    const double tau = 1 / rate;
    const double strain = std::sqrt(2 * squares) * 3 / (2 * s.rho * tau);
    EXPECT_GT(tau, 1 / spec.omega + 1e-4);
    EXPECT_NEAR((tau - 1 / spec.omega) / 3, 0.09 * strain, 1e-12);
  }
}

// The ten moments give the populations that Regularised gives, and their density and momentum.
TEST(Collisions, MomentsAreThoseOfRegularisedPopulations) {
  using Moments = AsMoments<Fp64>;
  for (const auto& force : {no_force, some_force}) {
    for (const double smagorinsky : {0.0, 0.2}) {
      CollisionSpec spec = spec_of(CollisionKind::regularised, force);
      spec.smagorinsky = smagorinsky;
      Cell populations(5), moments(5);
      collide(spec, 0, populations.g);
      collide<Moments>(spec, 0, moments.g);
      const auto stored = [&](int i) { return moments.g[i]; };
      for (int q = 0; q < D3Q19::directions; ++q) {
        const double g = Moments::population(q, stored);
        EXPECT_NEAR(g, populations.g[q], 1e-16) << q;
        EXPECT_EQ(Moments::population(opposite(q), stored, true), g) << q;
      }
      const Sums<double> sums = Moments::density_momentum(stored),
                         expected = density_momentum(populations.g);
      EXPECT_NEAR(sums.drho, expected.drho, 1e-16);
      EXPECT_NEAR(sums.jx, expected.jx, 1e-16);
      EXPECT_NEAR(sums.jy, expected.jy, 1e-16);
      EXPECT_NEAR(sums.jz, expected.jz, 1e-16);
      // Such populations are stored without loss.
      Moments::to_values(populations.g);
      for (int i = 0; i < Moments::values; ++i) {
        EXPECT_NEAR(populations.g[i], moments.g[i], 1e-16) << i;
      }
    }
  }
}

TEST(Collisions, AForceMaySwing) {
  BodyForce force{{1, 0, 0}, {0, 2, 0}, 8, {}};
  EXPECT_TRUE(force.changes());
  EXPECT_EQ(force.at(0), (std::array<double, 3>{1, 2, 0}));
  EXPECT_NEAR(force.at(12)[1], -2, 1e-12);
  force.period = 0;
  EXPECT_FALSE(force.changes());
  EXPECT_EQ(force.at(12), (std::array<double, 3>{1, 0, 0}));
}

// A pass of two steps is chosen by the kind and compiled by the type.
TEST(Collisions, AKindHasPassesOfTwoStepsWhereItsTypeHas) {
  for (const CollisionKind kind :
       {CollisionKind::bgk, CollisionKind::trt, CollisionKind::regularised,
        CollisionKind::regularised_filtered, CollisionKind::central_moments}) {
    for (const auto& force : {no_force, some_force}) {
      visit_collision<Fp32>(spec_of(kind, force), [&]<class C>(std::type_identity<C>) {
        EXPECT_EQ(C::has_pair_pass, has_pair_pass(kind)) << to_string(kind);
      });
    }
  }
}

// Half precision works on populations times its scale; that must not show.
TEST(Collisions, TheScaleOfTheStorageDoesNotShow) {
  for (const CollisionKind kind : {CollisionKind::bgk, CollisionKind::trt,
                                   CollisionKind::regularised, CollisionKind::central_moments}) {
    CollisionSpec spec = spec_of(kind, some_force);
    spec.smagorinsky = 0.2;
    Cell cell(2);
    float scaled[D3Q19::directions];
    for (int q = 0; q < D3Q19::directions; ++q)
      scaled[q] = static_cast<float>(cell.g[q]) * Fp16::scale;
    collide(spec, 0, cell.g);
    collide<Fp16>(spec, 0, scaled);
    for (int q = 0; q < D3Q19::directions; ++q) {
      EXPECT_NEAR(double{scaled[q]} / double{Fp16::scale}, cell.g[q], 3e-8);
    }
  }
}

}  // namespace
}  // namespace lbm
