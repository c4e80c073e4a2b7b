// SPDX-License-Identifier: Apache-2.0

// Plane channels: driven by a force, a sliding wall, a drop of density, an inlet and an outlet.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/verification/support/evidence.hpp"
#include "tests/verification/support/flow.hpp"

namespace lbm::verification {
namespace {

constexpr double steady = 1e-13;

CollisionSpec collision(CollisionKind kind, double tau) {
  CollisionSpec spec;
  spec.kind = kind;
  spec.omega = 1 / tau;
  return spec;
}

// Between walls half a cell outside: y from 0 to n.
double parabola(int j, int n, double largest) {
  const double y = (j + 0.5) / n;
  return 4 * largest * y * (1 - y);
}

// The walls of a channel along x, n cells apart in y; periodic along x and z.
Problem channel(int n, const CollisionSpec& spec) {
  Problem p;
  p.cells = {4, n, 1};
  set_faces(p.faces, 1, BoundaryKind::wall);
  p.collision = spec;
  return p;
}

// Deviation from the parabola, relative to its top.
struct Deviation {
  double largest = -1e300, smallest = 1e300, l2 = 0;
};

Deviation force_driven(int n, CollisionSpec spec, double top,
                       Representation representation = Representation::populations) {
  const double tau = 1 / spec.omega;
  spec.force.mean[0] = 8 * viscosity_of(tau) * top / (double(n) * n);
  Problem p = channel(n, spec);
  p.representation = representation;
  // From near the answer: the steady flow does not depend on it.
  p.initial = [=](int y, int, const StateRow& row) {
    for (double& u : row.ux) u = 0.9 * parabola(y, n, top);
  };
  Flow flow(p);
  const auto interval = static_cast<std::int64_t>(2 + n * n / viscosity_of(tau) / 10);
  EXPECT_TRUE(flow.advance_until_steady(interval, steady, 400 * interval));
  Deviation d;
  for (int j = 0; j < n; ++j) {
    const double error = flow.cell(1, j, 0).ux / top - parabola(j, n, 1);
    d.largest = larger(d.largest, error);
    d.smallest = std::fmin(d.smallest, error);
    d.l2 += error * error / n;
  }
  d.l2 = std::sqrt(d.l2);
  return d;
}

// The steady solution of every model is the parabola plus a slip velocity, which depends only on
// Lambda = (tau - 1/2)(tau_odd - 1/2). Relative to the top of the parabola the slip is
// (16 Lambda - 3) / (3 n^2). Regularised has tau_odd = 1.
double slip_of(const CollisionSpec& spec, int n) {
  const double even = 1 / spec.omega - 0.5;
  const double lambda = spec.kind == CollisionKind::trt   ? spec.magic
                        : spec.kind == CollisionKind::bgk ? even * even
                                                          : even / 2;
  return (16 * lambda - 3) / (3.0 * n * n);
}

TEST(ForceDrivenChannel, ConvergesWithSecondOrder) {
  Evidence evidence("channel driven by a force", "parabola");
  Table& table =
      evidence.table("channel driven by a force, tau 0.8, TRT with magic number 1/4",
                     {"model", "cells", {"L2", "{:.2e}"}, {"order", "{:.3f}"}, {"slip", "{:.2e}"}});
  Figure& figure = evidence.figure("convergence", "channel driven by a force", "cells",
                                   "L2 error of the velocity", {true, true});
  for (const auto kind : {CollisionKind::bgk, CollisionKind::trt, CollisionKind::regularised}) {
    CollisionSpec spec = collision(kind, 0.8);
    spec.magic = 0.25;
    double before = NAN;
    std::vector<double> cells, errors;
    for (const int n : {4, 8, 16, 32}) {
      const Deviation d = force_driven(n, spec, 0.2 / n);
      const double order = order_of(before, d.l2);
      table.row({to_string(kind), n, d.l2, order, d.largest});
      evidence.against("(16 Lambda - 3) / (3 n^2)").on("4 to 32 cells");
      evidence.within("slip at the wall, relative to the top", d.largest - slip_of(spec, n), 1e-9);
      evidence.within("slip at the wall, relative to the top", d.smallest - slip_of(spec, n), 1e-9);
      evidence.against("parabola");
      if (n > 4) evidence.headline().above("order of convergence", order, 1.9);
      before = d.l2;
      cells.push_back(n);
      errors.push_back(d.l2);
    }
    evidence.on("32 cells").below("L2 error", before, 2.5e-3);
    figure.line(to_string(kind), cells, errors);
  }
}

TEST(ForceDrivenChannel, IsExactWithTheMagicNumber) {
  Evidence evidence("channel driven by a force, TRT with magic number 3/16", "parabola");
  evidence.on("8 cells");
  Table& table =
      evidence.table("TRT with magic number 3/16, 8 cells: deviations relative to the top",
                     {"tau", {"smallest", "{:.1e}"}, {"largest", "{:.1e}"}});
  for (const double tau : {0.51, 0.55, 0.8, 1.0, 2.0, 5.0}) {
    const Deviation d = force_driven(8, collision(CollisionKind::trt, tau), 0.02);
    table.row({tau, d.smallest, d.largest});
    evidence.below("largest deviation, tau from 0.51 to 5", larger(d.largest, -d.smallest), 1e-10);
  }
}

TEST(ForceDrivenChannel, IsExactWithShiftedWalls) {
  Evidence evidence("channel driven by a force, regularised_filtered", "parabola");
  evidence.on("8 cells");
  Table& table = evidence.table("regularised_filtered, 8 cells: deviations relative to the top",
                                {"stored", "tau", {"smallest", "{:.1e}"}, {"largest", "{:.1e}"}});
  for (const auto stored : {Representation::populations, Representation::moments}) {
    for (const double tau : {0.51, 0.55, 0.8, 1.0, 1.25}) {
      const CollisionSpec spec = collision(CollisionKind::regularised_filtered, tau);
      const Deviation d = force_driven(8, spec, 0.02, stored);
      table.row({to_string(stored), tau, d.smallest, d.largest});
      evidence.below("largest deviation, tau from 0.51 to 1.25", larger(d.largest, -d.smallest),
                     1e-10);
    }
  }
}

// The boundary conditions that drive the flow along x.
enum class Drive { inlet_pressure, inlet_outflow, pressures, drop };

constexpr const char* name_of(Drive drive) {
  constexpr const char* names[] = {"inlet, pressure", "inlet, outflow", "two pressures", "drop"};
  return names[static_cast<int>(drive)];
}

// Errors of the velocity (largest of any component, relative to the top of the parabola) and of the
// density's slope (relative).
struct Errors {
  double velocity = 0, slope = 0, l2 = 0;
};

Errors driven(Drive drive, int n, const CollisionSpec& spec, double top) {
  const double nu = viscosity_of(1 / spec.omega);
  const int length = 3 * n;
  const double slope = -24 * nu * top / (double(n) * n);  // of the density: p = rho / 3
  Problem p = channel(n, spec);
  p.cells = {length, n, 1};
  FaceBoundary& in = p.faces[0];
  FaceBoundary& out = p.faces[1];
  if (drive == Drive::drop) {
    in.density_drop = out.density_drop = -slope * length;
  } else {
    in.condition.kind = drive == Drive::pressures ? BoundaryKind::pressure : BoundaryKind::velocity;
    out.condition.kind =
        drive == Drive::inlet_outflow ? BoundaryKind::outflow : BoundaryKind::pressure;
    in.condition.drho = -slope * length;
    for (int j = 0; drive != Drive::pressures && j < n; ++j) {
      in.condition.profile.insert(in.condition.profile.end(),
                                  {static_cast<float>(parabola(j, n, top)), 0.0F, 0.0F});
    }
  }
  p.initial = [=](int y, int, const StateRow& row) {
    for (int x = 0; x < length; ++x) {
      row.ux[x] = 0.9 * parabola(y, n, top);
      row.drho[x] = slope * (x + 0.5 - length) * 0.9;
    }
  };
  Flow flow(p);
  const auto interval = static_cast<std::int64_t>(200 + n * n / nu / 10);
  EXPECT_TRUE(flow.advance_until_steady(interval, 1e-7, 400 * interval)) << name_of(drive);
  Errors e;
  flow.for_each_cell([&](int, int j, int, const Cell& c) {
    const double error = larger(std::abs(c.ux / top - parabola(j, n, 1)), std::abs(c.uy) / top);
    e.velocity = larger(e.velocity, error);
    e.l2 += error * error / (length * n);
  });
  e.l2 = std::sqrt(e.l2);
  const double fall = flow.cell(2 * n, n / 2, 0).drho - flow.cell(n, n / 2, 0).drho;
  e.slope = std::abs(fall / (slope * n) - 1);
  return e;
}

class DrivenChannel : public ::testing::TestWithParam<Drive> {};

TEST_P(DrivenChannel, ConvergesWithSecondOrder) {
  const Drive drive = GetParam();
  Evidence evidence(fmt::format("channel, {}", name_of(drive)), "parabola");
  Table& table = evidence.table(fmt::format("channel three heights long, {}", name_of(drive)),
                                {"model",
                                 "cells",
                                 {"L2", "{:.2e}"},
                                 {"order", "{:.2f}"},
                                 {"largest", "{:.2e}"},
                                 {"order", "{:.2f}"},
                                 {"slope of the density", "{:.1e}"}});
  for (const auto kind : {CollisionKind::bgk, CollisionKind::trt}) {
    Errors before{NAN, NAN, NAN};
    for (const int n : {6, 12, 24}) {
      const Errors e = driven(drive, n, collision(kind, 0.8), 0.2 / n);
      const double order = order_of(before.l2, e.l2);
      table.row({to_string(kind), n, e.l2, order, e.velocity, order_of(before.velocity, e.velocity),
                 e.slope});
      if (n > 6) evidence.on("6, 12, 24 cells").above("order of convergence", order, 1.85);
      before = e;
    }
    evidence.on("24 cells");
    evidence.headline().below("L2 error", before.l2, 6e-3);
    evidence.below("largest error", before.velocity, 9e-3);
    evidence.below("error of the slope of the density", before.slope, 2e-3);
  }
}

INSTANTIATE_TEST_SUITE_P(All, DrivenChannel,
                         ::testing::Values(Drive::inlet_pressure, Drive::inlet_outflow,
                                           Drive::pressures, Drive::drop));

// The faces hold at any viscosity.
TEST(DrivenChannel, IsStableAtAnyViscosity) {
  Evidence evidence("channel with open ends at any viscosity", "parabola");
  evidence.on("24 x 8 cells");
  Table& table =
      evidence.table("channels with open ends, TRT, 24 x 8 cells",
                     {"driven by", "tau", {"L2", "{:.1e}"}, {"slope of the density", "{:.1e}"}});
  for (const Drive drive : {Drive::inlet_pressure, Drive::inlet_outflow, Drive::pressures}) {
    for (const double tau : {0.505, 0.9, 1.2, 1.6, 2.0, 5.0}) {
      const Errors e = driven(drive, 8, collision(CollisionKind::trt, tau), 0.02 / (1 + tau));
      table.row({name_of(drive), tau, e.l2, e.slope});
      evidence.below("L2 error, tau from 0.505 to 5", e.l2, 0.1);
    }
  }
}

}  // namespace
}  // namespace lbm::verification
