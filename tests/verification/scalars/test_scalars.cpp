// SPDX-License-Identifier: Apache-2.0

// Scalars that the flow carries: conduction between walls, decay of waves, hills on a stream, their
// sum in a closed box, and natural convection.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "tests/verification/support/evidence.hpp"
#include "tests/verification/support/flow.hpp"

namespace lbm::verification {
namespace {

ScalarSpec scalar_with(double diffusivity) {
  ScalarSpec spec;
  spec.omega = scalar_omega(diffusivity);
  return spec;
}

void set_scalar_faces(ScalarSpec& spec, int axis, const ScalarFace& low, const ScalarFace& high) {
  spec.faces[static_cast<std::size_t>(2 * axis)] = low;
  spec.faces[static_cast<std::size_t>(2 * axis + 1)] = high;
}

// Fluid at rest between walls along one axis, n cells apart.
Problem slab(int axis, int n) {
  Problem p;
  p.cells = {1, 1, 1};
  p.cells[static_cast<std::size_t>(axis)] = n;
  set_faces(p.faces, axis, BoundaryKind::wall);
  return p;
}

// Largest difference from a straight line between two values half a cell outside the ends.
double largest_error(Flow& flow, int axis, int n, double from, double to) {
  double most = 0;
  for (int i = 0; i < n; ++i) {
    std::array<int, 3> at{};
    at[static_cast<std::size_t>(axis)] = i;
    const double line = from + (to - from) * (i + 0.5) / n;
    most = larger(most, std::abs(flow.scalar(0, at[0], at[1], at[2]) - line));
  }
  return most;
}

TEST(Scalars, ConductBetweenWalls) {
  Evidence evidence("conduction between two walls", "a straight line");
  constexpr int n = 8;
  evidence.on("8 cells");
  for (int axis = 0; axis < 3; ++axis) {
    for (const double diffusivity : {0.02, 0.1, 0.3}) {
      Problem p = slab(axis, n);
      const auto steps = std::llround(5 * n * n / diffusivity);
      p.scalars = {scalar_with(diffusivity)};
      set_scalar_faces(p.scalars[0], axis, {ScalarBoundary::value, 1}, {ScalarBoundary::value, -1});
      Flow flow(p);
      flow.advance(steps);
      evidence.headline().below("error between walls with values",
                                largest_error(flow, axis, n, 1, -1), 1e-12);
      // h (0 - wall) = -diffusivity (1 - wall) / n.
      const double h = 0.01, wall = diffusivity / (diffusivity + h * n);
      set_scalar_faces(p.scalars[0], axis, {ScalarBoundary::value, 1},
                       {ScalarBoundary::convection, 0, h});
      Flow cooled(p);
      cooled.advance(8 * steps);
      evidence.below("error with convection at one wall", largest_error(cooled, axis, n, 1, wall),
                     1e-12);
      // The flux is the same everywhere.
      const double flux = 0.01;
      set_scalar_faces(p.scalars[0], axis, {ScalarBoundary::flux, flux},
                       {ScalarBoundary::value, 0});
      Flow heated(p);
      heated.advance(8 * steps);
      evidence.below("error with a given flux at one wall",
                     largest_error(heated, axis, n, flux * n / diffusivity, 0), 1e-11);
    }
  }
}

// Sum over cells of the scalar times exp(-i k x).
std::complex<double> mode_along_x(Flow& flow, int n) {
  std::complex<double> sum = 0;
  for (int x = 0; x < n; ++x)
    sum += flow.scalar(0, x, 0, 0) * std::polar(1.0, -2 * std::numbers::pi * x / n);
  return sum;
}

// Errors of a rate of decay: relative to diffusivity k^2, and to that of the lattice equation.
struct Decay {
  double error, against;
};

// Rate at which a wave decays in a fluid at rest. The lattice equation has the modes
//   phi' = (3/4 + cos(k)/4) phi - i sin(k) J,  J' = (1 - omega) (-i sin(k) phi / 4 + cos(k) J).
Decay decay_of_wave(int n, double diffusivity) {
  const double k = 2 * std::numbers::pi / n, omega = scalar_omega(diffusivity);
  Problem p;
  p.cells = {n, 1, 1};
  p.scalars = {scalar_with(diffusivity)};
  p.initial = [=](int, int, const StateRow& row) {
    for (int x = 0; x < n; ++x) row.scalars[0][static_cast<std::size_t>(x)] = std::sin(k * x);
  };
  Flow flow(p);
  const double expected = diffusivity * k * k;
  flow.advance(std::llround(0.5 / expected) + 20);
  const double before = std::abs(mode_along_x(flow, n));
  const auto steps = std::llround(1 / expected);
  flow.advance(steps);
  const double rate =
      std::log(before / std::abs(mode_along_x(flow, n))) / static_cast<double>(steps);
  const double a = 0.75 + std::cos(k) / 4, d = (1 - omega) * std::cos(k);
  const double product = -(1 - omega) * std::sin(k) * std::sin(k) / 4;
  const double factor = (a + d) / 2 + std::sqrt((a - d) * (a - d) / 4 + product);
  return {rate / expected - 1, rate / -std::log(factor) - 1};
}

TEST(Scalars, WavesDecayWithSecondOrder) {
  Evidence evidence("decay of a wave of a scalar", "exp(-D k^2 t)");
  evidence.on("16, 32, 64 cells a wavelength");
  Table& table = evidence.table("errors of the rate", {"diffusivity",
                                                       {"16 cells", "{:.3f} %"},
                                                       {"32 cells", "{:.4f} %"},
                                                       {"64 cells", "{:.5f} %"},
                                                       {"order", "{:.2f}"},
                                                       {"order", "{:.2f}"}});
  for (const double diffusivity : {0.005, 0.02, 0.225}) {
    double error[3];
    for (int i = 0; i < 3; ++i) {
      const Decay decay = decay_of_wave(16 << i, diffusivity);
      error[i] = std::abs(decay.error);
      evidence.against("exact rate of the lattice equation")
          .within("error of the rate", decay.against, 1e-9);
    }
    evidence.against("exp(-D k^2 t)");
    const double order[2] = {order_of(error[0], error[1]), order_of(error[1], error[2])};
    table.row({diffusivity, 100 * error[0], 100 * error[1], 100 * error[2], order[0], order[1]});
    for (const double each : order) evidence.headline().above("order of convergence", each, 1.9);
  }
}

// A Gaussian hill on a uniform stream in the plane of x and y, n cells a side, first n/16 cells
// wide (standard deviation), until its variance has doubled.
class Hill {
 public:
  Hill(int n, double diffusivity, const std::array<double, 2>& stream)
      : n_(n), d_(diffusivity), u_(stream), first_(n * n / 256.0), flow_(problem()) {}

  // Until the variance has grown by that share of the first one.
  void advance_to(double share) { flow_.advance(steps_to(share) - flow_.step()); }
  double steps() const { return static_cast<double>(flow_.step()); }

  // Variance along and across the stream.
  std::array<double, 2> variances() {
    const double speed = std::hypot(u_[0], u_[1]), ax = u_[0] / speed, ay = u_[1] / speed;
    double sum = 0, along = 0, across = 0;
    visit([&](double x, double y, double value) {
      const double a = ax * x + ay * y, b = ax * y - ay * x;
      sum += value;
      along += value * a * a;
      across += value * b * b;
    });
    return {along / sum, across / sum};
  }
  // Relative to the exact hill, in the L2 norm.
  double error() {
    const double variance = first_ + 2 * d_ * steps();
    double difference = 0, norm = 0;
    visit([&](double x, double y, double value) {
      const double exact = first_ / variance * std::exp(-(x * x + y * y) / (2 * variance));
      difference += (value - exact) * (value - exact);
      norm += exact * exact;
    });
    return std::sqrt(difference / norm);
  }

 private:
  std::int64_t steps_to(double share) const { return std::llround(share * first_ / (2 * d_)); }
  Problem problem() const {
    Problem p;
    p.cells = {n_, n_, 1};
    p.scalars = {scalar_with(d_)};
    p.initial = [n = n_, u = u_, first = first_](int y, int, const StateRow& row) {
      for (int x = 0; x < n; ++x) {
        const auto i = static_cast<std::size_t>(x);
        const double a = x - n / 2, b = y - n / 2;
        row.ux[i] = u[0];
        row.uy[i] = u[1];
        row.scalars[0][i] = std::exp(-(a * a + b * b) / (2 * first));
      }
    };
    return p;
  }
  // visit(x, y, value): distance from where the stream has carried the middle.
  template <class Visit>
  void visit(const Visit& visit) {
    const auto from = [&](int i, double u) {
      return std::remainder(i - n_ / 2 - u * steps(), static_cast<double>(n_));
    };
    for (int y = 0; y < n_; ++y) {
      for (int x = 0; x < n_; ++x) visit(from(x, u_[0]), from(y, u_[1]), flow_.scalar(0, x, y, 0));
    }
  }

  int n_;
  double d_;
  std::array<double, 2> u_;
  double first_;  // variance
  Flow flow_;
};

constexpr double s = 0.70710678118654752;
constexpr std::array<std::array<double, 2>, 2> directions{{{1, 0}, {s, s}}};

TEST(Scalars, StreamsDoNotChangeTheDiffusivity) {
  Evidence evidence("Gaussian hill on a stream of 0.1", "variance + 2 D t");
  evidence.on("64 x 64");
  for (const auto& [x, y] : directions) {
    for (const double diffusivity : {0.005, 0.02, 0.1}) {
      Hill hill(64, diffusivity, {0.1 * x, 0.1 * y});
      hill.advance_to(0.2);
      const auto before = hill.variances();
      const double begin = hill.steps();
      hill.advance_to(1);
      const auto after = hill.variances();
      const double expected = 2 * diffusivity * (hill.steps() - begin);
      const double along = (after[0] - before[0]) / expected - 1;
      const double across = (after[1] - before[1]) / expected - 1;
      evidence.headline().within("error of the diffusivity along the stream", along, 0.002,
                                 percent);
      evidence.within("error of the diffusivity across the stream", across, 0.002, percent);
    }
  }
}

// The speed falls as the cells do: diffusive scaling.
TEST(Scalars, HillsOnAStreamConvergeWithSecondOrder) {
  Evidence evidence("Gaussian hill on a stream", "exact hill");
  Table& table = evidence.table("L2 errors", {"stream",
                                              {"32 x 32", "{:.2e}"},
                                              {"64 x 64", "{:.2e}"},
                                              {"128 x 128", "{:.2e}"},
                                              {"order", "{:.2f}"},
                                              {"order", "{:.2f}"}});
  for (const auto& [x, y] : directions) {
    double error[3];
    for (int i = 0; i < 3; ++i) {
      const double speed = 0.2 / (1 << i);
      Hill hill(32 << i, 0.02, {speed * x, speed * y});
      hill.advance_to(1);
      error[i] = hill.error();
    }
    const double order[2] = {order_of(error[0], error[1]), order_of(error[1], error[2])};
    table.row({y == 0 ? "along x" : "diagonal", error[0], error[1], error[2], order[0], order[1]});
    evidence.on("64 x 64 to 128 x 128").headline().above("order of convergence", order[1], 1.8);
    evidence.on("128 x 128").below("L2 error", error[2], 0.005);
  }
}

// A stream from a face to another, n cells away; the scalar is 0.5 at first.
Problem stream(int n, double speed, double diffusivity, const ScalarFace& in,
               const ScalarFace& out) {
  Problem p;
  p.cells = {n, 1, 1};
  p.faces[0].condition.kind = BoundaryKind::velocity;
  p.faces[0].condition.velocity = {speed, 0, 0};
  p.faces[1].condition.kind = BoundaryKind::outflow;
  p.scalars = {scalar_with(diffusivity)};
  set_scalar_faces(p.scalars[0], 0, in, out);
  p.initial = [=](int, int, const StateRow& row) {
    std::fill(row.ux.begin(), row.ux.end(), speed);
    std::fill(row.scalars[0].begin(), row.scalars[0].end(), 0.5);
  };
  return p;
}

TEST(Scalars, EnterAndLeaveWithAStream) {
  Evidence evidence("scalar on a stream between two faces", "exponential layer, exact");
  double error[3];
  for (int i = 0; i < 3; ++i) {
    const int n = 16 << i;
    const double diffusivity = 0.1, speed = 8 * diffusivity / n;
    Flow flow(
        stream(n, speed, diffusivity, {ScalarBoundary::value, 1}, {ScalarBoundary::value, 0}));
    flow.advance(std::llround(2 * n * n / diffusivity));
    double sum = 0;
    for (int x = 0; x < n; ++x) {
      const double exact = std::expm1(8 * ((x + 0.5) / n - 1)) / std::expm1(-8.0);
      sum += std::pow(flow.scalar(0, x, 0, 0) - exact, 2);
    }
    error[i] = std::sqrt(sum / n);
  }
  evidence.on("16, 32, 64 cells, Peclet number 8").headline();
  evidence.above("order of convergence", order_of(error[0], error[1]), 1.8);
  evidence.above("order of convergence", order_of(error[1], error[2]), 1.8);
  evidence.on("64 cells, Peclet number 8").below("L2 error", error[2], 1e-3);

  constexpr int n = 32;
  const auto left = [&](const ScalarFace& in) {
    Flow flow(stream(n, 0.1, 0.02, in, {ScalarBoundary::open}));
    flow.advance(20 * n);
    return std::array{flow.scalar(0, 0, 0, 0), flow.scalar(0, n - 1, 0, 0)};
  };
  evidence.on("32 cells, an open face behind").against("the value of the inlet");
  for (const double found : left({ScalarBoundary::value, 1})) {
    evidence.within("error behind a face with a value", found - 1, 1e-3);
  }
  for (const double found : left({ScalarBoundary::no_flux}))
    evidence.within("what is left behind a face without flux", found, 1e-3);
}

// The scalar's sum over all cells, and its largest value.
std::array<double, 2> sum_and_most(Flow& flow) {
  std::array<double, 2> found{0, -1};
  flow.for_each_cell([&](int x, int y, int z, const Cell&) {
    const double value = flow.scalar(0, x, y, z);
    found[0] += value;
    found[1] = std::max(found[1], value);
  });
  return found;
}

TEST(Scalars, ClosedBoxKeepsTheirSum) {
  Evidence evidence("scalar in a box with a moving lid", "its sum at the start");
  constexpr int n = 12, steps = 1000;
  Problem p;
  p.cells = {n, n, n};
  for (int axis = 0; axis < 3; ++axis) set_faces(p.faces, axis, BoundaryKind::wall);
  p.faces[5].condition.velocity = {0.1, 0.05, 0};
  p.collision.omega = 1 / 0.6;
  p.scalars = {scalar_with(0.01)};
  for (ScalarFace& face : p.scalars[0].faces) face.kind = ScalarBoundary::no_flux;
  p.initial = [](int, int z, const StateRow& row) {
    for (std::size_t x = 0; x < row.ux.size(); ++x) row.scalars[0][x] = z < n / 2 ? 1 : 0;
  };
  Flow flow(p);
  const auto before = sum_and_most(flow);
  flow.advance(steps);
  const auto after = sum_and_most(flow);
  evidence.on("12 x 12 x 12")
      .headline()
      .within("change of the sum", after[0] / before[0] - 1, 1e-12);
  // The lid has mixed it.
  evidence.below("largest value, 1 at the start", after[1], 0.9);

  p.scalars[0].source = 1e-4;
  p.scalars[0].faces[0] = {ScalarBoundary::flux, 1e-3};
  Flow fed(p);
  fed.advance(steps);
  const double gain = steps * (1e-4 * n * n * n + 1e-3 * n * n);
  evidence.against("what a source and a flux bring")
      .within("error of the gain", (sum_and_most(fed)[0] - before[0]) / gain - 1, 1e-11);
}

// Nusselt number of a square cavity whose side walls x_min and x_max are hot and cold (de Vahl
// Davis, Int. J. Numer. Methods Fluids 3 (1983) 249), from the mean of u_x times the scalar.
double nusselt_of_cavity(int n, double rayleigh) {
  constexpr double prandtl = 0.71, speed = 0.1;
  const double viscosity = speed * n / std::sqrt(rayleigh / prandtl);
  const double diffusivity = viscosity / prandtl;
  Problem p;
  p.cells = {n, n, 1};
  for (int axis = 0; axis < 2; ++axis) set_faces(p.faces, axis, BoundaryKind::wall);
  p.collision.kind = CollisionKind::trt;
  p.collision.omega = 1 / tau_of(viscosity);
  p.scalars = {scalar_with(diffusivity)};
  p.scalars[0].buoyancy = {0, speed * speed / n, 0};
  set_scalar_faces(p.scalars[0], 0, {ScalarBoundary::value, 0.5}, {ScalarBoundary::value, -0.5});
  set_scalar_faces(p.scalars[0], 1, {ScalarBoundary::no_flux}, {ScalarBoundary::no_flux});
  Flow flow(p);
  flow.advance(std::llround(80 * n / speed));
  double sum = 0;
  flow.for_each_cell(
      [&](int x, int y, int z, const Cell& c) { sum += c.ux * flow.scalar(0, x, y, z); });
  return 1 + sum / (n * n) * n / diffusivity;
}

// Hortmann, Peric & Scheuerer, Int. J. Numer. Methods Fluids 11 (1990) 189, extrapolated to no cell
// size; de Vahl Davis (1983) has 2.238 and 4.509.
TEST(Scalars, HeatedCavity) {
  Evidence evidence("square cavity with a hot and a cold side", "Hortmann et al. (1990)");
  struct Point {
    double rayleigh, reference, share;
    int cells;
  };
  constexpr Point points[]{
      {1e4, 2.24475, 0.03, 16}, {1e4, 2.24475, 0.01, 32}, {1e5, 4.52164, 0.01, 64}};
  for (const auto& [rayleigh, reference, share, cells] : points) {
    evidence.on(fmt::format("{0} x {0}", cells));
    evidence.headline().matches(fmt::format("Nusselt number, Ra {:g}", rayleigh),
                                nusselt_of_cavity(cells, rayleigh), reference, share);
  }
}

}  // namespace
}  // namespace lbm::verification
