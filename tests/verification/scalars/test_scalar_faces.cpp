// SPDX-License-Identifier: Apache-2.0

// Values of scalars at faces that depend on the time and on the place.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <string>

#include "tests/verification/support/evidence.hpp"
#include "tests/verification/support/flow.hpp"

namespace lbm::verification {
namespace {

constexpr double pi = std::numbers::pi, diffusivity = 0.1;

// Fluid at rest between walls of y, n cells apart.
Problem layer(int nx, int n) {
  Problem p;
  p.cells = {nx, n, 1};
  set_faces(p.faces, 1, BoundaryKind::wall);
  ScalarSpec spec;
  spec.omega = scalar_omega(diffusivity);
  spec.faces[2] = {ScalarBoundary::value};
  spec.faces[3] = {ScalarBoundary::no_flux};
  p.scalars = {spec};
  return p;
}

class Wave final : public TimeFunction {
 public:
  explicit Wave(double period) : period_(period) {}
  double at(double step) const override { return std::cos(2 * pi * step / period_); }

 private:
  double period_;
};

// Stokes' second problem: exp(-k y) cos(w t - k y) with k = sqrt(w / (2 D)), here of 1 / n. The
// layer is 12 / k deep. Error after some periods, over the size at the wall.
double error_of_oscillation(int n) {
  const double k = 1.0 / n, period = pi / (diffusivity * k * k);
  Problem p = layer(1, 12 * n);
  p.scalars[0].faces[2].function = std::make_shared<Wave>(period);
  p.initial = [=](int y, int, const StateRow& row) {
    row.scalars[0][0] = std::exp(-k * (y + 0.5)) * std::cos(k * (y + 0.5));
  };
  Flow flow(p);
  double most = 0;
  for (const double periods : {2.0, 2.3, 2.6}) {
    flow.advance(std::llround(periods * period) - flow.step());
    const double phase = 2 * pi * static_cast<double>(flow.step()) / period;
    for (int y = 0; y < 12 * n; ++y) {
      const double depth = k * (y + 0.5), exact = std::exp(-depth) * std::cos(phase - depth);
      most = larger(most, std::abs(flow.scalar(0, 0, y, 0) - exact));
    }
  }
  return most;
}

TEST(ScalarFaces, AWallThatOscillates) {
  Evidence evidence("scalar over a wall whose value oscillates", "exp(-k y) cos(w t - k y)");
  Table& table = evidence.table("largest error, over the amplitude at the wall",
                                {"1 / k in cells", {"error", "{:.2e}"}, {"order", "{:.2f}"}});
  double before = NAN, order = NAN;
  for (const int n : {4, 8, 16}) {
    const double error = error_of_oscillation(n);
    order = order_of(before, error);
    table.row({n, error, order});
    before = error;
  }
  evidence.on("1 / k = 16 cells").headline().below("largest error", before, 2e-3, percent);
  evidence.above("order of convergence", order, 1.8);
}

// sin(k x) at y = 0, nothing passes y = h: sin(k x) cosh(k (h - y)) / cosh(k h), a wave in n cells.
double error_of_pattern(int n) {
  Problem p = layer(n, n);
  const double k = 2 * pi / n;
  p.scalars[0].faces[2].by_place = true;
  auto& values = p.faces[2].scalar_values.emplace_back();
  for (int x = 0; x < n; ++x) values.push_back(static_cast<float>(std::sin(k * (x + 0.5))));
  Flow flow(p);
  flow.advance(std::llround(3.0 * n * n));
  double most = 0;
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x) {
      const double exact =
          std::sin(k * (x + 0.5)) * std::cosh(k * (n - y - 0.5)) / std::cosh(k * n);
      most = larger(most, std::abs(flow.scalar(0, x, y, 0) - exact));
    }
  }
  return most;
}

TEST(ScalarFaces, AWallWithASineOfThePlace) {
  Evidence evidence("scalar over a wall whose value is a sine of the place",
                    "sin(k x) cosh(k (h - y)) / cosh(k h)");
  Table& table = evidence.table("largest error, over the amplitude at the wall",
                                {"wave in cells", {"error", "{:.2e}"}, {"order", "{:.2f}"}});
  double before = NAN, order = NAN;
  for (const int n : {16, 32, 64}) {
    const double error = error_of_pattern(n);
    order = order_of(before, error);
    table.row({n, error, order});
    before = error;
  }
  evidence.on("a wave of 64 cells").headline().below("largest error", before, 5e-3, percent);
  evidence.above("order of convergence", order, 1.8);
}

}  // namespace
}  // namespace lbm::verification
