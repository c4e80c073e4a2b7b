// SPDX-License-Identifier: Apache-2.0

// A body force that depends on the place (solver/update/late_cells.hpp), from lattice to lattice.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/tiling/pipeline/domains.hpp"

namespace lbm::tiling::test {
namespace {

State after(const Domain& domain, const InitialState& initial, int steps) {
  const auto backend = make_cpu_backend(2);
  return run_lattice(*backend, domain.lattice, domain.boundaries, initial, {Scheme::in_core, 1, 4},
                     steps);
}

// The same vector everywhere; a multiple of 2^-30, so that floats have it exactly.
constexpr double same[3] = {0x1p-16, -0x3p-18, 0x5p-18};

ForceField same_everywhere() {
  ForceField field;
  field.fill = [](int, std::span<float> values) {
    const std::size_t cells = values.size() / 3;
    for (std::size_t a = 0; a < 3; ++a) {
      std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(a * cells), cells,
                  static_cast<float>(same[a]));
    }
  };
  field.same_in_all_planes = true;
  return field;
}

struct Way {
  CollisionKind kind;
  Representation representation;

  friend void PrintTo(const Way& way, std::ostream* out) { *out << static_cast<int>(way.kind); }
};

class SameForce : public testing::TestWithParam<Way> {};

// Between walls and around curved bodies, which need the force, too.
TEST_P(SameForce, IsTheBodyForceWhereItIsTheSameEverywhere) {
  constexpr Size n{21, 14, 13};
  const FaceBoundaries faces =
      lbm::test::face_specs({BoundaryKind::periodic, BoundaryKind::periodic, BoundaryKind::wall,
                             BoundaryKind::slip, BoundaryKind::periodic, BoundaryKind::periodic});
  CollisionSpec collision;
  collision.omega = 1 / 0.8;
  const BodySpec bodies[2];
  const Model model{GetParam().kind, GetParam().representation};
  const ForceField field = same_everywhere();
  const InitialState initial = rough_flow(n.nx, n.ny, n.nz, 5);
  const State by_place =
      after(domain_of(n, StorageType::fp64, collision, faces, bodies, model, &field), initial, 40);
  collision.force.mean = {same[0], same[1], same[2]};
  const State uniform =
      after(domain_of(n, StorageType::fp64, collision, faces, bodies, model), initial, 40);
  EXPECT_LT(by_place.largest_difference(uniform), 1e-15);
}

INSTANTIATE_TEST_SUITE_P(All, SameForce,
                         testing::Values(Way{CollisionKind::bgk, Representation::populations},
                                         Way{CollisionKind::trt, Representation::populations},
                                         Way{CollisionKind::regularised,
                                             Representation::populations},
                                         Way{CollisionKind::regularised, Representation::moments}));

// Kolmogorov flow: F = f sin(k z) along x, u = f / (nu k^2) sin(k z).
double kolmogorov_error(int cells, StorageType storage) {
  const Size n{3, 4, cells};
  const double k = 2 * std::numbers::pi / cells, speed = 1.6 / cells, nu = 0.1;
  CollisionSpec collision;
  collision.kind = CollisionKind::trt;
  collision.omega = 1 / (3 * nu + 0.5);
  const double f = speed * nu * k * k;
  ForceField field;
  field.fill = [&](int z, std::span<float> values) {
    std::fill(values.begin(), values.end(), 0.0F);
    std::fill_n(values.begin(), values.size() / 3, static_cast<float>(f * std::sin(k * (z + 0.5))));
  };
  const Domain domain =
      domain_of(n, storage, collision, lbm::test::face_specs(all_periodic), {}, {}, &field);
  const auto at_rest = [](int, int, const StateRow&) {};
  // The slowest wave decays by exp(-nu k^2) a step.
  const State state = after(domain, at_rest, static_cast<int>(14 / (nu * k * k)));
  double error = 0;
  for (int z = 0; z < cells; ++z) {
    const double exact = speed * std::sin(k * (z + 0.5));
    const Sums<double> s = state.sums(1, 1, z);
    const double u = (s.jx - f * std::sin(k * (z + 0.5)) / 2) / (1 + s.drho);
    error = std::max(error, std::abs(u - exact) / speed);
  }
  return error;
}

TEST(KolmogorovFlow, ConvergesWithTheSquareOfTheCells) {
  const double coarse = kolmogorov_error(16, StorageType::fp64);
  const double fine = kolmogorov_error(32, StorageType::fp64);
  const double k = 2 * std::numbers::pi / 32, magic = CollisionSpec().magic;
  EXPECT_NEAR(fine, 2.0 / 3 * (0.25 - magic) * k * k, 0.02 * fine);
  EXPECT_NEAR(coarse / fine, 4, 0.2);
  EXPECT_LT(kolmogorov_error(32, StorageType::fp32), 1.1 * fine);
}

// In a periodic box the momentum grows by the sum of the force, and no mass is made.
TEST(ForceByPlace, GivesItsMomentumToTheFlow) {
  constexpr Size n{24, 10, 12};
  constexpr int steps = 50;
  ForceField field;
  double sum[3] = {};
  field.fill = [&](int z, std::span<float> values) {
    const std::size_t cells = values.size() / 3;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto number = static_cast<int>((i % cells * 7 + i / cells * 5) % 11) + z % 3;
      values[i] = z == 4 ? 0.0F : 0x1p-22F * static_cast<float>(number);
      sum[i / cells] += double{values[i]};
    }
  };
  field.factor = {TimeFactor::Kind::ramp, 1};  // 1 from the first step on
  for (const Representation representation :
       {Representation::populations, Representation::moments}) {
    std::fill(std::begin(sum), std::end(sum), 0.0);
    const Domain domain =
        domain_of(n, StorageType::fp64, bgk(), lbm::test::face_specs(all_periodic), {},
                  Model{CollisionKind::regularised, representation}, &field);
    const State state = after(
        domain, [](int, int, const StateRow&) {}, steps);
    double mass = 0, momentum[3] = {};
    for (int z = 0; z < n.nz; ++z) {
      for (int y = 0; y < n.ny; ++y) {
        for (int x = 0; x < n.nx; ++x) {
          const auto s = state.sums(x, y, z);
          mass += s.drho;
          momentum[0] += s.jx;
          momentum[1] += s.jy;
          momentum[2] += s.jz;
        }
      }
    }
    EXPECT_NEAR(mass, 0, 1e-11);
    for (int a = 0; a < 3; ++a) EXPECT_NEAR(momentum[a] / (steps * sum[a]), 1, 1e-12) << a;
  }
}

}  // namespace
}  // namespace lbm::tiling::test
