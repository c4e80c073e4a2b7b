// SPDX-License-Identifier: Apache-2.0

// Spheres: the drag of a periodic array in slow flow, and that force does not depend on who moves.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "cases/geometry/body_set.hpp"
#include "cases/geometry/primitives/primitives.hpp"
#include "tests/verification/support/evidence.hpp"
#include "tests/verification/support/flow.hpp"

namespace lbm::verification {
namespace {

using geometry::BodySet;
using std::numbers::pi;

CollisionSpec collision(CollisionKind kind, double tau) {
  CollisionSpec spec;
  spec.kind = kind;
  spec.omega = 1 / tau;
  return spec;
}

struct Array {
  double drag, balance;
};

// K = F / (6 pi mu a U) of a simple cubic array, U the velocity averaged over the whole cube, a the
// radius; F with the pressure that drives the flow, which the body force stands for: so that of all
// the cube (Zick & Homsy, J. Fluid Mech. 115 (1982) 13).
Array simple_cubic(int n, double share, CollisionKind kind, bool interpolated) {
  const double tau = 0.9, nu = viscosity_of(tau), radius = n * std::cbrt(0.75 * share / pi);
  const double centre = n / 2.0 + 0.137;
  const double force = 1e-3 * nu / (double(n) * n);
  Problem p;
  p.cells = {n, n, n};
  const BodySet bodies(p.cells, {true, true, true},
                       {{"sphere", geometry::make_sphere({centre, centre, centre}, radius)}});
  p.geometry = &bodies;
  p.bodies = {{{}, interpolated}};
  p.collision = collision(kind, tau);
  p.collision.force.mean[0] = force;
  Flow flow(p);
  const auto interval = static_cast<std::int64_t>(n * n / nu / 50);
  EXPECT_TRUE(flow.advance_until_steady(interval, 2e-6, 100 * interval));
  double flux = 0;
  flow.for_each_cell([&](int, int, int, const Cell& c) { flux += c.ux; });
  const double mean = flux / (double(n) * n * n), driven = force * n * n * n;
  return {driven / (6 * pi * nu * radius * mean),
          flow.load(0).force[0] / (force * static_cast<double>(flow.fluid_cells())) - 1};
}

const char zick_homsy[] = "Zick & Homsy (1982), table 2";

TEST(SphereArray, DragOfTheTables) {
  Evidence evidence("drag of a simple cubic array of spheres, slow flow", zick_homsy);
  Table& table = evidence.table("K = F / (6 pi mu a U), TRT, tau 0.9, interpolated walls",
                                {"solid share",
                                 "cells",
                                 {"K", "{:.4f}"},
                                 {"reference", "{:.3f}"},
                                 {"error", "{:+.2f} %"},
                                 {"order", "{:.2f}"},
                                 {"force balance", "{:.1e}"}});
  struct Known {
    double share, drag;
  };
  for (const Known& known : {Known{0.027, 2.008}, Known{0.125, 4.292}}) {
    double before = NAN;
    for (const int n : full_run() ? std::vector{12, 24} : std::vector{10, 20}) {
      const Array a = simple_cubic(n, known.share, CollisionKind::trt, true);
      const double error = a.drag / known.drag - 1;
      const double order = order_of(std::abs(before), std::abs(error));
      table.row({known.share, n, a.drag, known.drag, 100 * error, order, a.balance});
      const bool fine = n >= 20;
      evidence.on(fmt::format("{}^3", n));
      evidence.within("force on the sphere over the force that drives, less 1", a.balance, 2e-5);
      if (fine) evidence.headline();
      evidence.matches(fmt::format("K, solid share {}", known.share), a.drag, known.drag,
                       fine ? 0.03 : 0.08);
      if (fine) evidence.above("order of convergence", order, 1.5);
      before = error;
    }
  }
}

TEST(SphereArray, DragOfOtherModelsAndOfSteps) {
  Evidence evidence("the same with other models and with staircase walls", zick_homsy);
  evidence.on("16^3");
  const double known = 4.292;
  for (const auto kind : {CollisionKind::bgk, CollisionKind::regularised}) {
    const Array a = simple_cubic(16, 0.125, kind, true);
    evidence.matches(fmt::format("K, solid share 0.125, {}", to_string(kind)), a.drag, known, 0.04);
  }
  const Array steps = simple_cubic(16, 0.125, CollisionKind::trt, false);
  evidence.matches("K, solid share 0.125, trt, staircase", steps.drag, known, 0.15);
}

}  // namespace
}  // namespace lbm::verification
