// SPDX-License-Identifier: Apache-2.0

// Scalars at faces: values that depend on the time and on the place, patches, and what leaves
// through an open face.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <memory>
#include <numbers>
#include <string>

#include "tests/solver/update/cell_solids.hpp"
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

// Source 1 in a channel n cells high with a step on its floor: the age of the fluid. The mean over
// what leaves is volume / flow rate (Danckwerts, Chem. Eng. Sci. 2 (1953) 1). Relative error in the
// centres of the last cells, which have half a column less fluid before them.
double error_of_age(int n) {
  const double speed = 0.4 / n;  // Reynolds number 20, Prandtl number 1
  const test::CellSolids step(
      4 * n, n, 1, [n](int x, int y, int) { return x >= n && x < 2 * n && y < n / 2 ? 1 : 0; });
  Problem p;
  p.cells = {4 * n, n, 1};
  p.faces[0].condition.kind = BoundaryKind::velocity;
  p.faces[0].condition.velocity = {speed, 0, 0};
  p.faces[1].condition.kind = BoundaryKind::pressure;
  set_faces(p.faces, 1, BoundaryKind::wall);
  p.geometry = &step;
  p.collision.kind = CollisionKind::trt;
  p.collision.omega = 1 / tau_of(0.02);
  p.scalars.resize(1);
  p.scalars[0].omega = scalar_omega(0.02);
  p.scalars[0].source = speed / n;
  p.scalars[0].faces = {ScalarFace{ScalarBoundary::no_flux},
                        {ScalarBoundary::open},
                        {ScalarBoundary::no_flux},
                        {ScalarBoundary::no_flux}};
  Flow flow(p);
  flow.advance(std::llround(25 * n / speed));
  double rate = 0, age = 0;
  for (int y = 0; y < n; ++y) {
    const double u = flow.cell(4 * n - 1, y, 0).ux;
    rate += u;
    age += u * flow.scalar(0, 4 * n - 1, y, 0);
  }
  const double before = static_cast<double>(flow.fluid_cells()) - n / 2.0;
  return age / (before * p.scalars[0].source) - 1;
}

TEST(ScalarFaces, MeanAgeOfWhatLeaves) {
  Evidence evidence("age of the fluid in a channel with a step", "volume / flow rate");
  for (const int n : {8, 16}) {
    evidence.on(fmt::format("{} x {}", 4 * n, n)).headline();
    evidence.within("error of the mean age in the outflow", error_of_age(n), 0.004, percent);
  }
}

// A wave in n cells that travels along a wall.
class TravellingWave final : public FaceFunction {
 public:
  TravellingWave(double k, double w) : k_(k), w_(w) {}
  void fill(double step, int /*row*/, std::span<float> values) const override {
    for (std::size_t x = 0; x < values.size(); ++x) {
      values[x] = static_cast<float>(std::sin(k_ * (static_cast<double>(x) + 0.5) - w_ * step));
    }
  }

 private:
  double k_, w_;
};

// sin(k x - w t) at y = 0 with w = 2 D k^2, nothing passes y = h: the imaginary part of
// exp(i (k x - w t)) cosh(m (h - y)) / cosh(m h), with m^2 = k^2 - i w / D.
double error_of_travel(int n) {
  using Complex = std::complex<double>;
  const double k = 2 * pi / n, w = 2 * diffusivity * k * k;
  const Complex m = k * std::sqrt(Complex(1, -2));
  const auto exact = [=](int x, int y, double t) {
    const Complex depth = std::cosh(m * (n - y - 0.5)) / std::cosh(m * double(n));
    return (std::polar(1.0, k * (x + 0.5) - w * t) * depth).imag();
  };
  Problem p = layer(n, n);
  p.scalars[0].faces[2].by_place = true;
  p.scalars[0].face_functions[2] = std::make_shared<TravellingWave>(k, w);
  p.faces[2].scalar_values.emplace_back(n, 0.0F);
  p.initial = [=](int y, int, const StateRow& row) {
    for (int x = 0; x < n; ++x) row.scalars[0][static_cast<std::size_t>(x)] = exact(x, y, 0);
  };
  Flow flow(p);
  double most = 0;
  for (const double periods : {2.0, 2.3}) {
    flow.advance(std::llround(periods * 2 * pi / w) - flow.step());
    for (int y = 0; y < n; ++y) {
      for (int x = 0; x < n; ++x) {
        const double error = flow.scalar(0, x, y, 0) - exact(x, y, double(flow.step()));
        most = larger(most, std::abs(error));
      }
    }
  }
  return most;
}

TEST(ScalarFaces, AWallWithAWaveThatTravels) {
  Evidence evidence("scalar over a wall along which a wave of its value travels",
                    "Im exp(i (k x - w t)) cosh(m (h - y)) / cosh(m h), m^2 = k^2 - i w / D");
  Table& table = evidence.table("largest error, over the amplitude at the wall",
                                {"wave in cells", {"error", "{:.2e}"}, {"order", "{:.2f}"}});
  double before = NAN, order = NAN;
  for (const int n : {16, 32, 64}) {
    const double error = error_of_travel(n);
    order = order_of(before, error);
    table.row({n, error, order});
    before = error;
  }
  evidence.on("a wave of 64 cells").headline().below("largest error", before, 5e-3, percent);
  evidence.above("order of convergence", order, 1.8);
}

// A strip of n / 2 cells, periodic in n, in a wall that nothing else passes; 0 at the distance
// h = n / 2. With the flux q, x from the middle of the strip and k_m = 2 pi m / n the scalar is
//   q (h - y) / (2 D) + sum_m 2 q sin(pi m / 2) / (pi m k_m D) cos(k_m x) sinh(k_m (h - y)) /
//   cosh(k_m h).
// Returns the error in L2 over the size in L2.
double error_of_strip(int n) {
  const int h = n / 2;
  Problem p = layer(n, h);
  ScalarSpec& scalar = p.scalars[0];
  scalar.faces[2] = {ScalarBoundary::no_flux};
  scalar.faces[3] = {ScalarBoundary::value};
  const double flux = 2 * diffusivity / n;
  scalar.patches[2] = {{ScalarBoundary::flux, flux}};
  p.faces[2].patches = {p.faces[2].condition};
  for (int x = 0; x < n; ++x) {
    p.faces[2].patch_of.push_back(x >= n / 4 && x < 3 * n / 4 ? 1 : 0);
  }
  Flow flow(p);
  flow.advance(std::llround(40.0 * h * h));
  double error = 0, size = 0;
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < n; ++x) {
      const double away = y + 0.5, along = x + 0.5 - n / 2.0;
      double exact = flux / 2 * (h - away) / diffusivity;
      for (int m = 1; m < 20 * n; m += 2) {
        const double k = 2 * pi * m / n, sign = m % 4 == 1 ? 1 : -1;
        const double fourier = 2 * flux * sign / (pi * m);
        const double depth =
            std::exp(-k * away) * (1 - std::exp(-2 * k * (h - away))) / (1 + std::exp(-2 * k * h));
        exact += fourier / (k * diffusivity) * std::cos(k * along) * depth;
      }
      error += std::pow(flow.scalar(0, x, y, 0) - exact, 2);
      size += exact * exact;
    }
  }
  return std::sqrt(error / size);
}

TEST(ScalarFaces, AStripOfAWallWithAFlux) {
  Evidence evidence("conduction from a strip with a flux in a wall without",
                    "Fourier series of the strip");
  Table& table =
      evidence.table("error in L2", {"strip in cells", {"error", "{:.2e}"}, {"order", "{:.2f}"}});
  double before = NAN, order = NAN;
  for (const int n : {16, 32, 64}) {
    const double error = error_of_strip(n);
    order = order_of(before, error);
    table.row({n / 2, error, order});
    before = error;
  }
  evidence.on("a strip of 32 cells").headline().below("error in L2", before, 5e-3, percent);
  evidence.above("order of convergence", order, 1.8);
}

}  // namespace
}  // namespace lbm::verification
