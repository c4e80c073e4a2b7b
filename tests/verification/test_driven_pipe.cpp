// SPDX-License-Identifier: Apache-2.0

// Pipes with an interpolated wall: driven by a drop of pressure (Poiseuille) and by a force that
// swings (Womersley).
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <string>

#include "cases/geometry/body_set.hpp"
#include "cases/geometry/primitives/primitives.hpp"
#include "cases/geometry/shape.hpp"
#include "tests/verification/support/evidence.hpp"
#include "tests/verification/support/flow.hpp"

namespace lbm::verification {
namespace {

using geometry::BodySet;
using std::numbers::pi;

constexpr double tau = 0.8;

// A hole along z through a box of n x n cells, its axis off the middle; all around it is solid.
struct Pipe {
  int n;
  double radius, x, y;
  geometry::ShapePtr around;

  explicit Pipe(int cells)
      : n(cells),
        radius(0.41 * n),
        x(0.487 * n),
        y(0.513 * n),
        around(make_difference(geometry::make_box({n / 2.0, n / 2.0, 1}, {2.0 * n, 2.0 * n, 60}),
                               {geometry::make_cylinder({x, y, -40}, {x, y, 40}, radius)})) {}
  double distance(int i, int j) const { return std::hypot(i + 0.5 - x, j + 0.5 - y); }
  Problem problem(int length, const BodySet& bodies) const {
    Problem p;
    p.cells = {n, n, length};
    set_faces(p.faces, 0, BoundaryKind::wall);
    set_faces(p.faces, 1, BoundaryKind::wall);
    p.geometry = &bodies;
    p.bodies = {{{}, true}};
    p.collision.kind = CollisionKind::trt;
    p.collision.omega = 1 / tau;
    return p;
  }
};

// Errors of velocity and flux; force on the wall over the drop times the section, less 1; what the
// mean density changes by in a time radius^2 / viscosity, when all is steady; largest difference of
// the velocity along the pipe, over its top.
struct Errors {
  double l2 = 0, flux = 0, wall = 0, mass = 0, along = 0;
};

Errors pressure_driven(int n, bool conserving) {
  const Pipe pipe(n);
  const int length = 6;
  const double nu = viscosity_of(tau), top = 0.02 / n;
  const double gradient = 4 * nu * top / (pipe.radius * pipe.radius);  // of p / rho
  const BodySet bodies({n, n, length}, {false, false, true}, {{"pipe", pipe.around}});
  Problem p = pipe.problem(length, bodies);
  p.faces[4].density_drop = p.faces[5].density_drop = 3 * gradient * length;
  p.bodies[0].motion.conserves_mass = conserving;
  const auto exact = [=](int x, int y) {
    const double r = pipe.distance(x, y) / pipe.radius;
    return std::fmax(0, top * (1 - r * r));
  };
  p.initial = [=](int y, int z, const StateRow& row) {
    for (int x = 0; x < n; ++x) {
      row.uz[x] = 0.95 * exact(x, y);
      row.drho[x] = -3 * gradient * (z + 0.5 - length / 2.0);
    }
  };
  Flow flow(p);
  const auto interval = static_cast<std::int64_t>(pipe.radius * pipe.radius / nu / 10);
  EXPECT_TRUE(flow.advance_until_steady(interval, 1e-5, 200 * interval));
  const double before = flow.mass();
  flow.advance(10 * interval);
  Errors e;
  e.mass = (flow.mass() - before) / static_cast<double>(flow.fluid_cells());
  double norm = 0, flux = 0;
  flow.for_each_cell([&](int x, int y, int z, const Cell& c) {
    if (flow.solid(x, y, z)) return;
    const double want = exact(x, y);
    e.l2 += (c.uz - want) * (c.uz - want);
    norm += want * want;
    flux += c.uz / length;
    const Cell first = flow.cell(x, y, 0);
    const double off = std::hypot(c.ux - first.ux, c.uy - first.uy, c.uz - first.uz);
    e.along = std::fmax(e.along, off / top);
  });
  e.l2 = std::sqrt(e.l2 / norm);
  e.flux = flux / (pi * pipe.radius * pipe.radius * top / 2) - 1;
  e.wall = flow.load(0).force[2] / (gradient * static_cast<double>(flow.fluid_cells())) - 1;
  return e;
}

TEST(PressureDrivenPipe, HasTheFluxOfPoiseuille) {
  Evidence evidence("pipe driven by a drop of pressure", "Hagen-Poiseuille");
  Table& table = evidence.table("wall between the cells, 6 cells from face to face",
                                {"wall",
                                 {"diameter", "{:.1f}"},
                                 {"L2", "{:.2e}"},
                                 {"order", "{:.2f}"},
                                 {"flux", "{:+.2e}"},
                                 {"force on the wall / (drop A) - 1", "{:+.1e}"},
                                 {"mass in R^2 / nu", "{:+.1e}"},
                                 {"along the pipe", "{:.1e}"}});
  for (const bool conserving : {false, true}) {
    const std::string wall = conserving ? "conserving" : "interpolated";
    Errors first{}, before{};
    before.l2 = NAN;
    for (const int n : {8, 16, 32}) {
      const Errors e = pressure_driven(n, conserving);
      table.row({wall, 0.82 * n, e.l2, order_of(before.l2, e.l2), e.flux, e.wall, e.mass, e.along});
      evidence.on("diameters 6.6 to 26.2");
      evidence.within("change of the mean density in a time R^2 / nu, " + wall, e.mass,
                      conserving ? 1e-13 : 5e-6);
      evidence.within("force on the wall over drop x section, less 1", e.wall, 1e-4);
      if (n == 8) first = e;
      before = e;
    }
    evidence.above("order of convergence, " + wall, order_of(first.l2, before.l2, 4), 1.8);
    evidence.on("diameter 26.2").within("flux, " + wall, before.flux, 5e-3, percent);
    evidence.below("L2 error of the velocity, " + wall, before.l2, 3e-3, percent);
    evidence.below("largest difference of velocities along the pipe, " + wall, before.along, 1e-4);
  }
}

// J0, by its series: enough for |x| < 15 in double precision.
std::complex<double> bessel(std::complex<double> x) {
  std::complex<double> term = 1, sum = 1;
  for (int i = 1; i < 60; ++i) {
    term *= -x * x / (4.0 * i * i);
    sum += term;
  }
  return sum;
}

// Relative L2 error over one period of a force f cos(w t). Exact solution:
// u = Re(f / (i w) (1 - J0(i^1.5 a r / R) / J0(i^1.5 a)) e^(i w t)), a = R sqrt(w / nu) (Womersley,
// J. Physiol. 127 (1955) 553).
double swinging(int n) {
  const Pipe pipe(n);
  const double womersley = 4, nu = viscosity_of(tau), radius = pipe.radius;
  const auto period = static_cast<int>(
      std::lround(2 * pi * radius * radius / (nu * womersley * womersley) / 20) * 20);
  const double w = 2 * pi / period, a = radius * std::sqrt(w / nu), force = 0.01 / n * w;
  const BodySet bodies({n, n, 1}, {false, false, true}, {{"pipe", pipe.around}});
  Problem p = pipe.problem(1, bodies);
  p.collision.force.amplitude[2] = force;
  p.collision.force.period = period;
  const std::complex<double> root = std::polar(1.0, 0.75 * pi), i{0, 1};
  const auto exact = [&](int x, int y, double t) {
    const double r = pipe.distance(x, y) / radius;
    if (r >= 1) return 0.0;
    const auto u = force / (i * w) * (1.0 - bessel(root * a * r) / bessel(root * a));
    return (u * std::polar(1.0, w * t)).real();
  };
  p.initial = [&](int y, int, const StateRow& row) {
    for (int x = 0; x < n; ++x) row.uz[x] = exact(x, y, 0);
  };
  Flow flow(p);
  flow.advance(2 * period);
  double error = 0, norm = 0;
  for (int k = 0; k < 20; ++k) {
    flow.advance(period / 20);
    flow.for_each_cell([&](int x, int y, int z, const Cell& c) {
      if (flow.solid(x, y, z)) return;
      const double want = exact(x, y, static_cast<double>(flow.step()));
      error += (c.uz - want) * (c.uz - want);
      norm += want * want;
    });
  }
  return std::sqrt(error / norm);
}

TEST(SwingingPipe, ConvergesToWomersley) {
  Evidence evidence("pipe driven by a force that swings, Womersley number 4", "Womersley 1955");
  Table& table = evidence.table("interpolated wall, over one period",
                                {{"diameter", "{:.1f}"}, {"L2", "{:.2e}"}, {"order", "{:.2f}"}});
  double first = 0, before = NAN;
  for (const int n : {8, 16, 32}) {
    const double e = swinging(n);
    table.row({0.82 * n, e, order_of(before, e)});
    if (n == 8) first = e;
    before = e;
  }
  evidence.on("diameter 26.2").below("L2 error of the velocity", before, 6e-3, percent);
  evidence.on("diameters 6.6 to 26.2")
      .above("order of convergence", order_of(first, before, 4), 1.8);
}

}  // namespace
}  // namespace lbm::verification
