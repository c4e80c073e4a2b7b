// SPDX-License-Identifier: Apache-2.0

// Taylor vortices between a cylinder that turns and one at rest, radius ratio 1/2: the growth of a
// small disturbance. tools/taylor_vortices.py computes it from the linear equations of stability
// (Chandrasekhar, Hydrodynamic and Hydromagnetic Stability, 1961, chapter 7).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "cases/geometry/body_set.hpp"
#include "cases/geometry/primitives/primitives.hpp"
#include "cases/geometry/shape.hpp"
#include "tests/verification/support/evidence.hpp"
#include "tests/verification/support/flow.hpp"

namespace lbm::verification {
namespace {

constexpr double pi = std::numbers::pi;
// Speed of the inner cylinder x gap / viscosity; growth in viscosity / gap^2 for vortices as high
// as the gap; the rise of the growth with the Reynolds number, and the one at which it is 0.
constexpr double reynolds = 70, growth = 0.71178, rise = 0.3935, critical = 68.188;

// So many cells in the gap. The axis is along z, beside the middle of a cell.
double growth_of(int gap, double speed, const CollisionSpec& kind) {
  const int n = 4 * gap + 6, height = 2 * gap;
  const double nu = speed * gap / reynolds, k = 2 * pi / height;
  const geometry::Vec axis{n / 2.0 + 0.37, n / 2.0 + 0.21, 0};
  const auto along = [&](double radius) {
    return geometry::make_cylinder({axis[0], axis[1], -4.0 * gap}, {axis[0], axis[1], 6.0 * gap},
                                   radius);
  };
  Problem p;
  p.cells = {n, n, height};
  const geometry::BodySet bodies(
      p.cells, {false, false, true},
      {{"cylinder", along(gap)},
       {"hole", geometry::make_difference(geometry::make_box({n / 2.0, n / 2.0, gap * 1.0},
                                                             {2.0 * n, 2.0 * n, 4.0 * gap}),
                                          {along(2 * gap)})}});
  set_faces(p.faces, 0, BoundaryKind::wall);
  set_faces(p.faces, 1, BoundaryKind::wall);
  p.geometry = &bodies;
  BodyMotion at_rest;
  for (int a = 0; a < 2; ++a) at_rest.center[a] = axis[a];
  at_rest.conserves_mass = true;
  BodyMotion turns = at_rest;
  turns.angular_velocity[2] = speed / gap;
  p.bodies = {{turns, true}, {at_rest, true}};
  p.collision = kind;
  p.collision.omega = 1 / tau_of(nu);
  p.storage = StorageType::fp32;
  // Couette flow and vortices without divergence, near those that grow.
  p.initial = [=](int y, int z, const StateRow& row) {
    for (int x = 0; x < n; ++x) {
      const double dx = (x + 0.5 - axis[0]) / gap, dy = (y + 0.5 - axis[1]) / gap;
      const double r = std::hypot(dx, dy), s = pi * (r - 1);
      if (r <= 1 || r >= 2) continue;
      const double size = 1e-3 * speed, shape = std::pow(std::sin(s), 2);
      const double radial = -size * shape * std::cos(k * (z + 0.5));
      const double around = speed * (4 / (3 * r) - r / 3) + 2.06 * radial;
      row.ux[x] = (radial * dx - around * dy) / r;
      row.uy[x] = (radial * dy + around * dx) / r;
      row.uz[x] = size * (shape / r + pi * std::sin(2 * s)) / (k * gap) * std::sin(k * (z + 0.5));
    }
  };
  Flow flow(p);
  const double unit = gap * gap / nu;
  // The axial velocity, which is upwards inside where it is downwards outside.
  const auto size_of_vortices = [&] {
    double sum = 0;
    flow.for_each_cell([&](int x, int y, int z, const Cell& c) {
      if (flow.solid(x, y, z)) return;
      const double r = std::hypot(x + 0.5 - axis[0], y + 0.5 - axis[1]) / gap;
      sum += c.uz * std::sin(k * (z + 0.5)) * std::cos(pi * (r - 1)) / r;
    });
    return sum;
  };
  const auto begin = std::llround(0.15 * unit), steps = begin;
  flow.advance(begin);
  const double before = size_of_vortices();
  flow.advance(steps);
  return std::log(size_of_vortices() / before) / static_cast<double>(steps) * unit;
}

TEST(TaylorVortices, GrowAsTheLinearEquationsSay) {
  Evidence evidence("Taylor vortices, radius ratio 1/2, Re 70",
                    "linear stability (Chandrasekhar 1961)");
  Table& table = evidence.table("TRT, magic 3/16, fp32, conserving walls, 0.05 cells per step",
                                {"cells in the gap",
                                 {"growth", "{:.4f}"},
                                 {"critical Reynolds number", "{:.2f}"},
                                 {"error", "{:+.2f} %"}});
  CollisionSpec trt;
  trt.kind = CollisionKind::trt;
  const auto run = [&](int gap) {
    const double found = growth_of(gap, 0.05, trt);
    const double found_critical = critical + (growth - found) / rise;
    table.row({gap, found, found_critical, 100 * (found_critical / critical - 1)});
    evidence.on(fmt::format("{} cells in the gap", gap));
    return found_critical;
  };
  evidence.matches("critical Reynolds number", run(8), critical, 0.03);
  evidence.headline().matches("critical Reynolds number", run(10), critical, 0.02);
  if (!full_run()) return;
  evidence.matches("critical Reynolds number", run(16), critical, 0.01);
  evidence.matches("critical Reynolds number", run(24), critical, 0.005);
}

}  // namespace
}  // namespace lbm::verification
