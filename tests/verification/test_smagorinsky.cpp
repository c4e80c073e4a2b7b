// SPDX-License-Identifier: Apache-2.0

// The Smagorinsky model in a laminar channel driven by a force: there it is a mixing length of C
// cells, and the steady profile has a closed form. And between a wall and a lid, where the eddies
// carry a scalar.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/verification/support/evidence.hpp"
#include "tests/verification/support/flow.hpp"

namespace lbm::verification {
namespace {

// Between walls at y = 0 and 2 h, driven by the force f per mass: (nu + l^2 |u'|) u' = f (h - y).
struct MixingLength {
  double h, f, nu, l;

  double operator()(double y) const {
    const double s = std::abs(h - y);
    if (l < 1e-3) return f * (h * h - s * s) / (2 * nu);
    const double a = 4 * l * l * f;
    const double drop = std::pow(nu * nu + a * h, 1.5) - std::pow(nu * nu + a * s, 1.5);
    return (2 * drop / (3 * a) - nu * (h - s)) / (2 * l * l);
  }
};

// Viscosity, mixing length and flow keep their ratios as the grid is refined.
struct Case {
  int n;  // cells from wall to wall
  CollisionKind kind = CollisionKind::trt;
  int along = 0, across = 1;
  double share = 0.1;  // C / n

  double nu() const { return 0.01; }
  MixingLength exact() const {
    const double h = n / 2.0;
    return {h, 0.12 / (double(n) * n * n), nu(), share * n};
  }
};

// Largest deviation from the exact profile, relative to its top.
double deviation(const Case& c) {
  const MixingLength exact = c.exact();
  Problem p;
  p.cells = {2, 2, 2};
  p.cells[3 - c.along - c.across] = 1;
  p.cells[c.across] = c.n;
  set_faces(p.faces, c.across, BoundaryKind::wall);
  p.collision.kind = c.kind;
  p.collision.omega = 1 / tau_of(c.nu());
  p.collision.smagorinsky = c.share * c.n;
  p.collision.force.mean[c.along] = exact.f;
  p.initial = [=](int y, int z, const StateRow& row) {
    const auto u = c.along == 0 ? row.ux : c.along == 1 ? row.uy : row.uz;
    for (int x = 0; x < static_cast<int>(u.size()); ++x) {
      u[x] = 0.98 * exact(std::array{x, y, z}[c.across] + 0.5);
    }
  };
  Flow flow(p);
  const auto interval = static_cast<std::int64_t>(2 + c.n * c.n / c.nu() / 40);
  EXPECT_TRUE(flow.advance_until_steady(interval, 1e-8, 200 * interval));
  double largest = 0;
  flow.for_each_cell([&](int x, int y, int z, const Cell& cell) {
    const double u = std::array{cell.ux, cell.uy, cell.uz}[c.along];
    const double want = exact(std::array{x, y, z}[c.across] + 0.5);
    largest = std::fmax(largest, std::abs(u - want));
  });
  return largest / exact(exact.h);
}

class MixingLengthChannel : public ::testing::TestWithParam<CollisionKind> {};

constexpr const char* closed_form =
    "closed form of (nu + C^2 |u'|) u' = F (h - y), C in cells (derived in test_smagorinsky.cpp)";

TEST_P(MixingLengthChannel, ConvergesToTheClosedForm) {
  Evidence evidence(std::string("Smagorinsky model, ") + to_string(GetParam()), closed_form);
  Table& table = evidence.table(std::string("laminar channel, ") + to_string(GetParam()),
                                {"cells",
                                 "C",
                                 {"eddy viscosity at the wall / nu", "{:.2f}"},
                                 {"largest error", "{:.2e}"},
                                 {"order", "{:.2f}"}});
  double first = 0, before = NAN;
  for (const int n : {8, 16, 32}) {
    const Case c{n, GetParam()};
    const MixingLength exact = c.exact();
    const double slope = (exact(1e-6) - exact(0)) / 1e-6;
    const double eddy = exact.l * exact.l * slope / c.nu(), error = deviation(c);
    EXPECT_GT(eddy, 1) << "or the model would not tell";
    table.row({n, exact.l, eddy, error, order_of(before, error)});
    if (n == 8) first = error;
    before = error;
  }
  evidence.on("32 cells across").below("largest error of the velocity", before, 2e-3, percent);
  evidence.on("8 to 32 cells").above("order of convergence", order_of(first, before, 4), 1.6);
}

INSTANTIATE_TEST_SUITE_P(All, MixingLengthChannel,
                         ::testing::Values(CollisionKind::bgk, CollisionKind::trt,
                                           CollisionKind::regularised),
                         [](const auto& model) { return std::string(to_string(model.param)); });

// Every stress counts alike, and C = 0 is the parabola.
TEST(MixingLengthChannel, IsTheSameAlongAnyAxisAndLaminarWithoutC) {
  Evidence evidence("Smagorinsky model along any axis", closed_form);
  evidence.on("16 cells across");
  const double first = deviation({16});
  for (int along = 0; along < 3; ++along) {
    for (int across = 0; across < 3; ++across) {
      if (across == along) continue;
      const double error = deviation({16, CollisionKind::trt, along, across});
      evidence.within("difference between orientations", error - first, 1e-7);
    }
  }
  evidence.against("parabola");
  evidence.below("largest error, C = 0", deviation({16, CollisionKind::trt, 0, 1, 0}), 1e-7);
  evidence.below("largest error, C = 1.6e-5", deviation({16, CollisionKind::trt, 0, 1, 1e-6}),
                 1e-7);
}

// Between a wall and a lid |S| is the same everywhere. The error of the diffusivity of a scalar
// there, of the flux that enters at the wall and the slope; prandtl: the turbulent one.
double error_below_lid(CollisionKind kind, double lid, double prandtl) {
  constexpr int n = 16;
  const double flux = 1e-3, molecular = 0.01, eddies = 0.025;
  const double expected = molecular + eddies / prandtl;
  Problem p;
  p.cells = {1, n, 1};
  set_faces(p.faces, 1, BoundaryKind::wall);
  p.faces[3].condition.velocity = {lid, 0, 0};
  p.collision.kind = kind;
  p.collision.omega = 1 / tau_of(0.02);
  p.collision.smagorinsky = std::sqrt(eddies * n / lid);
  ScalarSpec& scalar = p.scalars.emplace_back();
  scalar.omega = scalar_omega(molecular);
  scalar.turbulent_prandtl = prandtl;
  scalar.faces[2] = {ScalarBoundary::flux, flux};
  scalar.faces[3] = {ScalarBoundary::value, 0};
  p.initial = [=](int y, int, const StateRow& row) {
    row.ux[0] = lid * (y + 0.5) / n;
    row.scalars[0][0] = flux / expected * (n - y - 0.5);
  };
  Flow flow(p);
  flow.advance(std::llround(5 * n * n / expected));
  const double slope = (flow.scalar(0, 0, 0, 0) - flow.scalar(0, 0, n - 1, 0)) / (n - 1);
  return flux / slope / expected - 1;
}

// The error is due to normal stresses of the lattice, of the order of |S|^2.
TEST(EddyDiffusivity, IsThatOfUniformShear) {
  Evidence evidence("eddy diffusivity of a scalar between a wall and a lid",
                    "D + C^2 |S| / Pr_t, C in cells");
  for (const CollisionKind kind : {CollisionKind::bgk, CollisionKind::trt,
                                   CollisionKind::regularised, CollisionKind::regularised_filtered,
                                   CollisionKind::central_moments, CollisionKind::cumulant}) {
    for (const double prandtl : {0.85, 0.4}) {
      const double coarse = error_below_lid(kind, 0.1, prandtl);
      const double fine = error_below_lid(kind, 0.05, prandtl);
      evidence.on("16 cells, a lid of 0.05").headline();
      evidence.within("error of the diffusivity", fine, 3e-4, percent);
      evidence.on("16 cells, lids of 0.1 and 0.05");
      evidence.above("order in the speed of the lid", order_of(coarse, fine), 1.9);
    }
  }
}

}  // namespace
}  // namespace lbm::verification
