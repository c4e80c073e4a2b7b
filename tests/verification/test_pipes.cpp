// SPDX-License-Identifier: Apache-2.0

// Ducts and pipes driven by a force, and fluid between turning cylinders: walls that lie anywhere
// between the cells.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "cases/geometry/body_set.hpp"
#include "cases/geometry/primitives/primitives.hpp"
#include "cases/geometry/shape.hpp"
#include "solver/boundary/conditions/multireflection.hpp"
#include "tests/verification/support/evidence.hpp"
#include "tests/verification/support/flow.hpp"

namespace lbm::verification {
namespace {

using geometry::BodySet;
using std::numbers::pi;

CollisionSpec trt(double tau) {
  CollisionSpec spec;
  spec.kind = CollisionKind::trt;
  spec.omega = 1 / tau;
  return spec;
}

// Velocity in a duct 2 b wide (z) and 2 a high (y), driven by g = force / viscosity (White, Viscous
// Fluid Flow, 3-48). y and z are distances from the middle.
double duct_velocity(double y, double z, double a, double b, double g) {
  double sum = 0;
  for (int i = 1; i < 200; i += 2) {
    const double k = i * pi / (2 * a);
    // cosh(k z) / cosh(k b) without overflow
    const double ratio = std::exp(k * (std::abs(z) - b)) * (1 + std::exp(-2 * k * std::abs(z))) /
                         (1 + std::exp(-2 * k * b));
    sum += (i % 4 == 1 ? 1 : -1) * (1 - ratio) * std::cos(k * y) / (double(i) * i * i);
  }
  return 16 * a * a * g / (pi * pi * pi) * sum;
}

struct DuctErrors {
  double l2, flux;
};

DuctErrors duct(int height, CollisionKind kind) {
  const double tau = 0.8, top = 0.2 / height, nu = viscosity_of(tau);
  const double force = 8 * nu * top / (double(height) * height);
  Problem p;
  p.cells = {2 * height, height, 1};
  set_faces(p.faces, 0, BoundaryKind::wall);
  set_faces(p.faces, 1, BoundaryKind::wall);
  p.collision = trt(tau);
  p.collision.kind = kind;
  p.collision.force.mean[2] = force;
  const auto exact = [=](int x, int y) {
    return duct_velocity(y + 0.5 - height / 2.0, x + 0.5 - height, height / 2.0, height,
                         force / nu);
  };
  p.initial = [=](int y, int, const StateRow& row) {
    for (int x = 0; x < 2 * height; ++x) row.uz[x] = 0.95 * exact(x, y);
  };
  Flow flow(p);
  const auto interval = static_cast<std::int64_t>(height * height / nu / 20);
  EXPECT_TRUE(flow.advance_until_steady(interval, 1e-7, 100 * interval));
  double error = 0, norm = 0, flux = 0, exact_flux = 0;
  flow.for_each_cell([&](int x, int y, int, const Cell& c) {
    const double want = exact(x, y);
    error += (c.uz - want) * (c.uz - want);
    norm += want * want;
    flux += c.uz;
    exact_flux += want;
  });
  return {std::sqrt(error / norm), flux / exact_flux - 1};
}

TEST(Duct, ConvergesToTheSeries) {
  Evidence evidence("2:1 duct driven by a force", "series (White, Viscous Fluid Flow, 3-48)");
  Table& table = evidence.table(
      "2:1 duct, tau 0.8",
      {"model", "cells high", {"L2", "{:.2e}"}, {"order", "{:.2f}"}, {"flux", "{:+.2e}"}});
  for (const auto kind : {CollisionKind::trt, CollisionKind::regularised_filtered}) {
    double before = NAN;
    for (const int n : {8, 16, 32}) {
      const DuctErrors e = duct(n, kind);
      const double order = order_of(before, e.l2);
      table.row({to_string(kind), n, e.l2, order, e.flux});
      if (n > 8) evidence.on("8, 16, 32 cells high").above("order of convergence", order, 1.8);
      before = e.l2;
    }
    evidence.on("64 x 32").headline().below(fmt::format("L2 error, {}", to_string(kind)), before,
                                            5e-4);
  }
}

// A pipe along z through a box of n x n cells, its axis off the middle; everything around it is
// solid.
struct PipeErrors {
  double l2, flux;
};

PipeErrors pipe(Evidence& evidence, int n, bool interpolated) {
  const double tau = 0.8, nu = viscosity_of(tau), radius = 0.41 * n;
  const geometry::Vec axis{0.487 * n, 0.513 * n, 0};
  // Slow: interpolated walls leak mass with the square of the velocity.
  const double top = 0.02 / n, force = 4 * nu * top / (radius * radius);
  const auto around = make_difference(
      geometry::make_box({n / 2.0, n / 2.0, 1}, {2.0 * n, 2.0 * n, 40}),
      {geometry::make_cylinder({axis[0], axis[1], -30}, {axis[0], axis[1], 30}, radius)});
  Problem p;
  p.cells = {n, n, 1};
  const BodySet bodies(p.cells, {false, false, true}, {{"pipe", around}});
  set_faces(p.faces, 0, BoundaryKind::wall);
  set_faces(p.faces, 1, BoundaryKind::wall);
  p.geometry = &bodies;
  p.bodies = {{{}, interpolated}};
  p.collision = trt(tau);
  p.collision.force.mean[2] = force;
  const auto exact = [=](int x, int y) {
    const double dx = x + 0.5 - axis[0], dy = y + 0.5 - axis[1];
    return top * (1 - (dx * dx + dy * dy) / (radius * radius));
  };
  p.initial = [=](int y, int, const StateRow& row) {
    for (int x = 0; x < n; ++x) row.uz[x] = std::fmax(0, 0.95 * exact(x, y));
  };
  Flow flow(p);
  const auto interval = static_cast<std::int64_t>(radius * radius / nu / 10);
  EXPECT_TRUE(flow.advance_until_steady(interval, 1e-6, 200 * interval));
  EXPECT_EQ(bodies.missed(), 0U);
  double error = 0, norm = 0, flux = 0, exact_flux = 0;
  flow.for_each_cell([&](int x, int y, int z, const Cell& c) {
    if (flow.solid(x, y, z)) return;
    const double want = exact(x, y);
    error += (c.uz - want) * (c.uz - want);
    norm += want * want;
    flux += c.uz;
    exact_flux += want;
  });
  // The force that drives the fluid ends up at the wall.
  const double driven = force * static_cast<double>(flow.fluid_cells());
  evidence.on("all");
  evidence.within("force on the wall over the force that drives, less 1",
                  flow.load(0).force[2] / driven - 1, 1e-5);
  evidence.within("force across the pipe over the force that drives",
                  flow.load(0).force[0] / driven, 1e-5);
  return {std::sqrt(error / norm), flux / exact_flux - 1};
}

TEST(Pipe, ConvergesWithSecondOrderBetweenTheCells) {
  Evidence evidence("pipe driven by a force, axis off the middle", "Poiseuille flow");
  Table& table = evidence.table("pipe, TRT, tau 0.8: interpolated walls and staircase walls",
                                {{"diameter", "{:.1f}"},
                                 {"interpolated L2", "{:.1e}"},
                                 {"order", "{:.2f}"},
                                 {"flux", "{:+.2f} %"},
                                 {"staircase L2", "{:.1e}"},
                                 {"order", "{:.2f}"},
                                 {"flux", "{:+.2f} %"}});
  Figure& figure = evidence.figure("convergence", "pipe", "diameter in cells",
                                   "L2 error of the velocity", {true, true});
  std::vector<double> diameters, interpolated, staircase;
  PipeErrors between{NAN, NAN}, steps = between;
  for (const int n : {8, 16, 32, 64}) {
    const PipeErrors fine = pipe(evidence, n, true), coarse = pipe(evidence, n, false);
    table.row({0.82 * n, fine.l2, order_of(between.l2, fine.l2), 100 * fine.flux, coarse.l2,
               order_of(steps.l2, coarse.l2), 100 * coarse.flux});
    diameters.push_back(0.82 * n);
    interpolated.push_back(fine.l2);
    staircase.push_back(coarse.l2);
    between = fine;
    steps = coarse;
  }
  figure.line("interpolated", diameters, interpolated);
  figure.line("staircase", diameters, staircase);
  evidence.on("diameter 6.6 to 52.5 cells");
  evidence.above("order of convergence over the series",
                 order_of(interpolated.front(), between.l2, 8), 1.8);
  evidence.on("diameter 52.5 cells").headline().below("L2 error", between.l2, 1e-3);
  evidence.above("L2 error of staircase over interpolated walls", steps.l2 / between.l2, 5);
}

// Fluid between a cylinder that turns and a hole at rest, around one axis along z.
struct GapErrors {
  double l2, torque, other;
};

enum class Walls { interpolated, conserving, multireflection };

GapErrors turning(int n, double spin, Walls walls, double tau) {
  const double nu = viscosity_of(tau), inner = 0.2 * n, outer = 0.44 * n;
  const geometry::Vec axis{0.493 * n, 0.511 * n, 0};
  const auto along = [&](double radius) {
    return geometry::make_cylinder({axis[0], axis[1], -30}, {axis[0], axis[1], 30}, radius);
  };
  Problem p;
  p.cells = {n, n, 1};
  const BodySet bodies(
      p.cells, {false, false, true},
      {{"cylinder", along(inner)},
       {"hole", make_difference(geometry::make_box({n / 2.0, n / 2.0, 1}, {2.0 * n, 2.0 * n, 40}),
                                {along(outer)})}});
  set_faces(p.faces, 0, BoundaryKind::wall);
  set_faces(p.faces, 1, BoundaryKind::wall);
  p.geometry = &bodies;
  BodyMotion motion;
  for (int a = 0; a < 2; ++a) motion.center[a] = axis[a];
  motion.conserves_mass = walls == Walls::conserving;
  if (walls == Walls::multireflection) motion.multireflection = multireflection_share(tau);
  BodyMotion turns = motion;
  const double omega = spin / (double(n) * n);
  turns.angular_velocity[2] = omega;
  p.bodies = {{turns, true}, {motion, true}};
  p.collision = trt(tau);
  const double r1 = inner * inner, r2 = outer * outer;
  const auto exact = [=](double x, double y) {  // times the distance gives the velocity
    return omega * r1 / (r2 - r1) * (r2 / (x * x + y * y) - 1);
  };
  p.initial = [=](int y, int, const StateRow& row) {
    for (int x = 0; x < n; ++x) {
      const double dx = x + 0.5 - axis[0], dy = y + 0.5 - axis[1], rr = dx * dx + dy * dy;
      if (rr <= r1 || rr >= r2) continue;
      row.ux[x] = -0.9 * exact(dx, dy) * dy;
      row.uy[x] = 0.9 * exact(dx, dy) * dx;
    }
  };
  Flow flow(p);
  const auto interval = static_cast<std::int64_t>(n * n / nu / 50);
  EXPECT_TRUE(flow.advance_until_steady(interval, 1e-6, 200 * interval));
  double error = 0, norm = 0;
  flow.for_each_cell([&](int x, int y, int z, const Cell& c) {
    if (flow.solid(x, y, z)) return;
    const double dx = x + 0.5 - axis[0], dy = y + 0.5 - axis[1], turn = exact(dx, dy);
    error += std::pow(c.ux + turn * dy, 2) + std::pow(c.uy - turn * dx, 2);
    norm += turn * turn * (dx * dx + dy * dy);
  });
  const double torque = -4 * pi * nu * r1 * r2 * omega / (r2 - r1) * p.cells[2];
  return {std::sqrt(error / norm), flow.load(0).torque[2] / torque - 1,
          flow.load(1).torque[2] / -torque - 1};
}

void expect_circular(Walls kind, double order, double l2, double tau = 0.8) {
  constexpr const char* names[] = {"interpolated", "conserving", "multireflection"};
  const char* walls = names[static_cast<int>(kind)];
  Evidence evidence(fmt::format("cylinder that turns in a hole, {} walls{}", walls,
                                tau == 0.8 ? "" : fmt::format(", tau {}", tau)),
                    "circular Couette flow (exact)");
  Table& table = evidence.table(fmt::format("turning cylinder, {} walls, TRT, tau {}", walls, tau),
                                {{"gap in cells", "{:.1f}"},
                                 {"L2", "{:.1e}"},
                                 {"order", "{:.2f}"},
                                 {"torque", "{:+.2f} %"},
                                 {"torque on the hole", "{:+.2f} %"}});
  GapErrors before{NAN, NAN, NAN}, first{};
  for (const int n : {16, 32, 64}) {
    const GapErrors e = turning(n, 0.02, kind, tau);
    table.row({0.24 * n, e.l2, order_of(before.l2, e.l2), 100 * e.torque, 100 * e.other});
    evidence.on(fmt::format("gap of {:.1f} cells", 0.24 * n));
    evidence.within("error of the torque", e.torque, n == 16 ? 0.04 : 0.02, percent);
    evidence.within("error of the torque on the hole less that of the cylinder", e.other - e.torque,
                    1e-3, percent);
    if (n == 16) first = e;
    before = e;
  }
  evidence.headline().below("L2 error", before.l2, l2);
  evidence.on("gap of 3.8 to 15.4 cells")
      .above("order of convergence over the series", order_of(first.l2, before.l2, 4), order);
}

TEST(TurningCylinder, ConvergesWithSecondOrder) { expect_circular(Walls::interpolated, 1.8, 5e-3); }

TEST(TurningCylinder, ConvergesWithConservingWalls) {
  expect_circular(Walls::conserving, 1.8, 5e-3);
}

TEST(TurningCylinder, ConvergesWithMultireflection) {
  expect_circular(Walls::multireflection, 1.8, 5e-3);
}

// The relaxation time of the odd parts is 4.25: without its term the error is many times as large.
TEST(TurningCylinder, ConvergesWithMultireflectionAtALowViscosity) {
  expect_circular(Walls::multireflection, 1.8, 5e-3, 0.55);
}

}  // namespace
}  // namespace lbm::verification
