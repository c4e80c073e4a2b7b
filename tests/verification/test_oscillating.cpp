// SPDX-License-Identifier: Apache-2.0

// Flows that follow an oscillating wall or force between two plates, against their exact solutions.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "tests/verification/support/evidence.hpp"
#include "tests/verification/support/flow.hpp"

namespace lbm::verification {
namespace {

using Complex = std::complex<double>;
constexpr double tau = 0.8, pi = std::numbers::pi;

// n cells between the plates; periods grow with n^2, velocities fall with n.
struct Oscillation {
  int n;
  double period() const { return 4.0 * n * n; }
  double omega() const { return 2 * pi / period(); }
  double speed() const { return 0.4 / n; }
  Complex wave_number() const { return std::sqrt(Complex(0, omega() / viscosity_of(tau))); }
};

using Exact = std::function<Complex(double y)>;  // amplitude; times exp(i omega t)

// Largest L2 deviation in eight moments of a period, relative to the speed.
double deviation(const Oscillation& o, Problem p, int axis, const Exact& exact) {
  const auto place = [=](int x, int y, int z) { return std::array{x, y, z}[axis] + 0.5; };
  p.initial = [=](int y, int z, const StateRow& row) {
    auto& u = axis == 0 ? row.uy : row.ux;
    for (int x = 0; x < static_cast<int>(u.size()); ++x) u[x] = exact(place(x, y, z)).real();
  };
  Flow flow(p);
  const auto eighth = static_cast<std::int64_t>(o.period() / 8);
  flow.advance(40 * eighth);
  double largest = 0;
  for (int i = 1; i <= 8; ++i) {
    flow.advance(eighth);
    const Complex turn = std::exp(Complex(0, o.omega() * static_cast<double>(flow.step())));
    double sum = 0;
    std::int64_t cells = 0;
    flow.for_each_cell([&](int x, int y, int z, const Cell& c) {
      const double u = axis == 0 ? c.uy : c.ux;
      sum += std::pow((u - (exact(place(x, y, z)) * turn).real()) / o.speed(), 2);
      ++cells;
    });
    largest = larger(largest, std::sqrt(sum / static_cast<double>(cells)));
  }
  return largest;
}

Problem plates(int n, int axis, CollisionKind kind) {
  Problem p;
  p.cells = {4, 2, 2};
  p.cells[axis] = n;
  set_faces(p.faces, axis, BoundaryKind::wall);
  p.collision.kind = kind;
  p.collision.omega = 1 / tau;
  return p;
}

// The plate at 0 moves with speed cos(omega t), the other rests.
double oscillating_wall(int n, int axis, CollisionKind kind) {
  const Oscillation o{n};
  Problem p = plates(n, axis, kind);
  BoundaryCondition& wall = p.faces[2 * axis].condition;
  wall.velocity[axis == 0 ? 1 : 0] = o.speed();
  wall.factor = {TimeFactor::Kind::wave, o.period()};
  return deviation(o, p, axis, [=](double y) {
    const Complex k = o.wave_number();
    return o.speed() * std::sinh(k * (n - y)) / std::sinh(k * double(n));
  });
}

// Both plates rest, a force oscillates along them (Womersley).
double oscillating_force(int n, int axis, CollisionKind kind) {
  const Oscillation o{n};
  Problem p = plates(n, axis, kind);
  const double force = o.speed() * o.omega();
  p.collision.force.amplitude[axis == 0 ? 1 : 0] = force;
  p.collision.force.period = o.period();
  return deviation(o, p, axis, [=](double y) {
    const Complex k = o.wave_number();
    return Complex(0, -force / o.omega()) *
           (1.0 - std::cosh(k * (y - n / 2.0)) / std::cosh(k * (n / 2.0)));
  });
}

using Run = double (*)(int n, int axis, CollisionKind kind);

// Bounds at the finest grid: half a step too early or too late is 8e-4.
double bound_of(CollisionKind kind) {
  switch (kind) {
    case CollisionKind::bgk:
      return 6e-4;
    case CollisionKind::regularised:
      return 3e-4;
    default:
      return 1.5e-4;
  }
}

void expect_second_order(Evidence& evidence, const char* name, Run run) {
  Table& table = evidence.table(fmt::format("{}: largest L2 error over a period", name),
                                {"model", "cells", {"L2", "{:.2e}"}, {"order", "{:.2f}"}});
  for (const auto kind : {CollisionKind::bgk, CollisionKind::trt, CollisionKind::regularised,
                          CollisionKind::regularised_filtered}) {
    for (int axis = 0; axis < 3; ++axis) {
      if (axis != 1 && kind != CollisionKind::trt) continue;
      double first = NAN, before = NAN;
      for (const int n : {8, 16, 32}) {
        const double error = run(n, axis, kind);
        if (axis == 1) table.row({to_string(kind), n, error, order_of(before, error)});
        if (n == 8) first = error;
        before = error;
      }
      evidence.on("8 to 32 cells").above("order of convergence", order_of(first, before, 4), 1.9);
      evidence.on("32 cells")
          .headline()
          .below(fmt::format("L2 error, {}", to_string(kind)), before, bound_of(kind));
    }
  }
}

TEST(OscillatingWall, ConvergesWithSecondOrder) {
  Evidence evidence("plate that oscillates beside one at rest", "exact solution");
  expect_second_order(evidence, "oscillating plate", oscillating_wall);
}

TEST(OscillatingForce, ConvergesWithSecondOrder) {
  Evidence evidence("oscillating force between two plates", "exact solution (Womersley)");
  expect_second_order(evidence, "oscillating force", oscillating_force);
}

}  // namespace
}  // namespace lbm::verification
