// SPDX-License-Identifier: Apache-2.0

// The flow behind a grid of Kovasznay (Proc. Camb. Phil. Soc. 44 (1948) 58), Re 40: an exact steady
// solution of the Navier-Stokes equations, in which inertia matters and no wall does.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/verification/support/evidence.hpp"
#include "tests/verification/support/flow.hpp"

namespace lbm::verification {
namespace {

constexpr double pi = std::numbers::pi, reynolds = 40;
const double decay = reynolds / 2 - std::sqrt(reynolds * reynolds / 4 + 4 * pi * pi);

// Places in wavelengths, velocities in those of the stream.
struct Point {
  double u, v, pressure;  // pressure in rho U^2
};
Point exact(double x, double y) {
  const double e = std::exp(decay * x);
  return {1 - e * std::cos(2 * pi * y), decay / (2 * pi) * e * std::sin(2 * pi * y),
          (1 - e * e) / 2};
}

// L2 error of the velocity, with n cells a wavelength and so many steps in a convective time of one
// cell.
double error_of(int n, double velocity, const CollisionSpec& kind) {
  const int nx = 3 * n / 2;
  const auto place = [=](double x, double y) { return exact(x / n - 0.5, y / n); };
  Problem p;
  p.cells = {nx, n, 1};
  for (const int face : {0, 1}) {
    FaceBoundary& at = p.faces[static_cast<std::size_t>(face)];
    at.condition.kind = BoundaryKind::velocity;
    for (int y = 0; y < n; ++y) {
      const Point q = place(face == 0 ? 0 : nx, y + 0.5);
      for (const double u : {q.u, q.v, 0.0})
        at.condition.profile.push_back(static_cast<float>(velocity * u));
    }
  }
  p.collision = kind;
  p.collision.omega = 1 / tau_of(velocity * n / reynolds);
  p.initial = [=](int y, int, const StateRow& row) {
    for (int x = 0; x < nx; ++x) {
      const Point q = place(x + 0.5, y + 0.5);
      row.drho[x] = 3 * velocity * velocity * q.pressure;
      row.ux[x] = velocity * q.u;
      row.uy[x] = velocity * q.v;
    }
  };
  Flow flow(p);
  const auto interval = static_cast<std::int64_t>(n / velocity) / 2 * 2;
  EXPECT_TRUE(flow.advance_until_steady(interval, 1e-5, 30 * interval));
  double error = 0, norm = 0;
  flow.for_each_cell([&](int x, int y, int, const Cell& c) {
    const Point q = place(x + 0.5, y + 0.5);
    error += std::pow(c.ux / velocity - q.u, 2) + std::pow(c.uy / velocity - q.v, 2);
    norm += q.u * q.u + q.v * q.v;
  });
  return std::sqrt(error / norm);
}

// The error grows with the magic parameter, which walls alone want to be 3/16.
TEST(KovasznayFlow, ConvergesWithSecondOrder) {
  Evidence evidence("flow behind a grid (Kovasznay), Re 40", "Kovasznay (1948), exact");
  Table& table = evidence.table("L2 error of the velocity, fp64, 0.72 / n cells per step",
                                {"cells a wavelength",
                                 {"TRT, magic 3/16", "{:.2e}"},
                                 {"TRT, magic 1/50", "{:.2e}"},
                                 {"regularised", "{:.2e}"}});
  CollisionSpec usual, free, regularised;
  usual.kind = free.kind = CollisionKind::trt;
  free.magic = 1.0 / 50;
  regularised.kind = CollisionKind::regularised;
  double first = NAN, last = NAN;
  for (const int n : {16, 24, 48}) {
    const double velocity = 0.72 / n, of_free = error_of(n, velocity, free);
    const double of_usual = error_of(n, velocity, usual);
    const double of_regularised = error_of(n, velocity, regularised);
    table.row({n, of_usual, of_free, of_regularised});
    evidence.on(fmt::format("{} cells a wavelength", n));
    evidence.above("error with magic 3/16 over that with 1/50", of_usual / of_free, 4);
    if (n == 16) first = of_free;
    last = of_free;
    if (n < 48) continue;
    evidence.below("L2 error, regularised", of_regularised, 1.5e-3);
  }
  evidence.headline().below("L2 error, TRT, magic 1/50", last, 1.5e-3);
  evidence.on("16 to 48 cells").above("order over the series", order_of(first, last, 3), 1.8);
}

}  // namespace
}  // namespace lbm::verification
