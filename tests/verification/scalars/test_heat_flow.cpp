// SPDX-License-Identifier: Apache-2.0

// The heat that bodies give to the fluid: the balance of a step, and conduction between cylinders
// and between spheres.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "cases/geometry/body_set.hpp"
#include "cases/geometry/primitives/primitives.hpp"
#include "cases/geometry/shape.hpp"
#include "tests/solver/update/cell_solids.hpp"
#include "tests/verification/support/evidence.hpp"
#include "tests/verification/support/flow.hpp"

namespace lbm::verification {
namespace {

constexpr double pi = std::numbers::pi;

ScalarSpec scalar_with(double diffusivity) {
  ScalarSpec spec;
  spec.omega = scalar_omega(diffusivity);
  return spec;
}

// A box with a lid around three bodies: 0 and 1, with walls anywhere between cells, and 2 inside 1.
// Nothing passes the faces of the box.
TEST(HeatFlow, IsWhatTheFluidGets) {
  Evidence evidence("heat that bodies give in a step", "change of the sum over the fluid");
  constexpr int n = 14;
  const lbm::test::CellSolids solids(n, n, n, [](int x, int y, int z) {
    if (std::hypot(x - 4.2, y - 6.1, z - 4.4) < 2.7) return 1;
    if (std::hypot(x - 9.1, y - 6.6, z - 8.8) < 1.5) return 3;
    return std::hypot(x - 9.1, y - 6.6, z - 8.8) < 3.2 ? 2 : 0;
  });
  Problem p;
  p.cells = {n, n, n};
  for (int axis = 0; axis < 3; ++axis) set_faces(p.faces, axis, BoundaryKind::wall);
  p.faces[5].condition.velocity = {0.1, 0, 0};
  p.geometry = &solids;
  p.bodies.resize(3);
  for (BodySpec& body : p.bodies) body.conducts = true;
  ScalarSpec heat = scalar_with(0.02);
  for (ScalarFace& face : heat.faces) face.kind = ScalarBoundary::no_flux;
  heat.buoyancy = {0, 0, 1e-4};
  ScalarSpec dye = heat;
  heat.bodies = {{0, 0.8}};
  heat.conductors = {{1, 5, 0.5, 1e-3}, {2, 0.2, 3, 0}};
  dye.bodies = {{1, -0.5}};
  dye.bounds = {-1, 1};
  p.scalars = {heat, dye};
  Flow flow(p);
  const auto sum_of = [&](int s) {
    double sum = 0;
    flow.for_each_cell([&](int x, int y, int z, const Cell&) {
      if (!flow.solid(x, y, z)) sum += flow.scalar(s, x, y, z);
    });
    return sum;
  };
  std::array<double, 2> before{sum_of(0), sum_of(1)};
  double most = 0;
  for (int step = 0; step < 200; ++step) {
    flow.advance(1);
    for (int s = 0; s < 2; ++s) {
      const double after = sum_of(s);
      const double given = flow.heat(0, s) + flow.heat(1, s) + flow.heat(2, s);
      most = larger(most, std::abs(after - before[s] - given));
      before[s] = after;
    }
  }
  evidence.on("14 x 14 x 14, three bodies, two scalars").headline();
  evidence.below("difference in a step, stored values x cells", most, 1e-9);
  EXPECT_GT(flow.heat(0, 0), 0.1);
  EXPECT_GT(flow.heat(1, 0), 0.01);
  EXPECT_LT(flow.heat(1, 1), -0.1);
  EXPECT_EQ(flow.heat(2, 0), 0) << "gives to a body alone";
  EXPECT_EQ(flow.heat(0, 1), 0) << "nothing passes its surface";
}

struct HeatFlows {
  double inner, outer;
};

// A body inside a hole of twice its radius, with the values 1 and 0, in the steady state.
HeatFlows between(double radius, bool spheres, double diffusivity) {
  const int n = static_cast<int>(4 * radius) + 4;
  const geometry::Vec middle{n / 2.0 + 0.37, n / 2.0 + 0.21, spheres ? n / 2.0 - 0.13 : 0};
  const auto round = [&](double r) {
    if (spheres) return geometry::make_sphere(middle, r);
    return geometry::make_cylinder({middle[0], middle[1], -9}, {middle[0], middle[1], 9}, r);
  };
  Problem p;
  p.cells = {n, n, spheres ? n : 1};
  const geometry::BodySet bodies(
      p.cells, {false, false, !spheres},
      {{"inner", round(radius)},
       {"outer", geometry::make_difference(
                     geometry::make_box(middle, {2.0 * n, 2.0 * n, spheres ? 2.0 * n : 4}),
                     {round(2 * radius)})}});
  for (int axis = 0; axis < (spheres ? 3 : 2); ++axis) {
    set_faces(p.faces, axis, BoundaryKind::wall);
  }
  p.geometry = &bodies;
  p.bodies.resize(2);
  p.scalars = {scalar_with(diffusivity)};
  for (std::size_t f = 0; f < (spheres ? 6 : 4); ++f) {
    p.scalars[0].faces[f].kind = ScalarBoundary::no_flux;
  }
  p.scalars[0].bodies = {{0, 1}, {1, 0}};
  Flow flow(p);
  flow.advance(std::llround(2 * radius * radius / diffusivity));
  return {flow.heat(0, 0), flow.heat(1, 0)};
}

TEST(HeatFlow, BetweenCylindersAndSpheres) {
  Evidence evidence("heat flow between cylinders, and between spheres",
                    "2 pi D / ln 2 and 8 pi D r");
  Table& table = evidence.table("heat flow from the inner body", {"",
                                                                  "radius in cells",
                                                                  {"exact", "{:.5f}"},
                                                                  {"computed", "{:.5f}"},
                                                                  {"error", "{:+.3f} %"},
                                                                  {"inner + outer", "{:.1e}"}});
  constexpr double diffusivity = 0.1;
  for (const bool spheres : {false, true}) {
    double before = NAN;
    for (int radius = 4; radius <= (spheres ? 8 : 16); radius *= 2) {
      const HeatFlows heat = between(radius, spheres, diffusivity);
      const double exact =
          spheres ? 8 * pi * diffusivity * radius : 2 * pi * diffusivity / std::log(2.0);
      const double error = heat.inner / exact - 1, balance = (heat.inner + heat.outer) / exact;
      table.row(
          {spheres ? "spheres" : "cylinders", radius, exact, heat.inner, 100 * error, balance});
      evidence.on("radius of " + std::to_string(radius) + " cells").headline();
      evidence.within("error of the heat flow", error, 0.02, percent);
      evidence.within("inner + outer over exact", balance, 1e-7);
      if (!std::isnan(before)) evidence.above("order of convergence", order_of(before, error), 1.9);
      before = error;
    }
  }
}

}  // namespace
}  // namespace lbm::verification
