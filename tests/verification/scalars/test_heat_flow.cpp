// SPDX-License-Identifier: Apache-2.0

// The heat that bodies give to the fluid: the balance of a step, and conduction between cylinders
// and between spheres, from surfaces with a value, a flux or convection.
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
  ScalarSpec smoke = dye;
  smoke.bounds.reset();
  p.bodies[0].slanted = p.bodies[1].slanted = true;
  smoke.bodies = {{0, 0.02, ScalarBoundary::flux}, {1, 0.7, ScalarBoundary::convection, 0.1}};
  p.scalars = {heat, dye, smoke};
  Flow flow(p);
  const auto sum_of = [&](int s) {
    double sum = 0;
    flow.for_each_cell([&](int x, int y, int z, const Cell&) {
      if (!flow.solid(x, y, z)) sum += flow.scalar(s, x, y, z);
    });
    return sum;
  };
  std::array<double, 3> before{sum_of(0), sum_of(1), sum_of(2)};
  double most = 0;
  for (int step = 0; step < 200; ++step) {
    flow.advance(1);
    for (int s = 0; s < 3; ++s) {
      const double after = sum_of(s);
      const double given = flow.heat(0, s) + flow.heat(1, s) + flow.heat(2, s);
      most = larger(most, std::abs(after - before[s] - given));
      before[s] = after;
    }
  }
  evidence.on("14 x 14 x 14, three bodies, three scalars").headline();
  evidence.below("difference in a step, stored values x cells", most, 1e-9);
  EXPECT_GT(flow.heat(0, 0), 0.1);
  EXPECT_GT(flow.heat(1, 0), 0.01);
  EXPECT_LT(flow.heat(1, 1), -0.1);
  EXPECT_EQ(flow.heat(2, 0), 0) << "gives to a body alone";
  EXPECT_EQ(flow.heat(0, 1), 0) << "nothing passes its surface";
  EXPECT_GT(flow.heat(0, 2), 0.5);
  EXPECT_GT(flow.heat(1, 2), 0.1);
  EXPECT_EQ(flow.heat(2, 2), 0) << "nothing passes its surface";
}

// A body inside a hole of twice its radius, in a fluid at rest. The surface of the hole has the
// value 0.
struct Gap {
  double radius;
  bool spheres;
  double diffusivity;
  geometry::Vec shift{0.37, 0.21, -0.13};  // from the corner of the cells in the middle of the box

  // Heat through the gap over the value at the inner surface; what is left of this value at r.
  double conductance() const {
    return spheres ? 8 * pi * diffusivity * radius : 2 * pi * diffusivity / std::log(2.0);
  }
  double share_at(double r) const {
    return spheres ? 2 * radius / r - 1 : std::log(2 * radius / r) / std::log(2.0);
  }
  double area() const { return spheres ? 4 * pi * radius * radius : 2 * pi * radius; }
};

struct HeatFlows {
  double inner, outer;
  double error;  // L2 norm of the error of the scalar over that of the scalar
};

// After so many steps from the exact solution, of which the inner surface has the value `start`.
HeatFlows heat_of(const Gap& gap, const ScalarBody& inner, double start, double steps) {
  const int n = static_cast<int>(4 * gap.radius) + 4;
  geometry::Vec middle = gap.shift;
  for (std::size_t a = 0; a < 3; ++a) middle[a] += n / 2.0;
  if (!gap.spheres) middle[2] = 0;
  const auto round = [&](double r) {
    if (gap.spheres) return geometry::make_sphere(middle, r);
    return geometry::make_cylinder({middle[0], middle[1], -9}, {middle[0], middle[1], 9}, r);
  };
  Problem p;
  p.cells = {n, n, gap.spheres ? n : 1};
  const geometry::BodySet bodies(
      p.cells, {false, false, !gap.spheres},
      {{"inner", round(gap.radius)},
       {"outer", geometry::make_difference(
                     geometry::make_box(middle, {2.0 * n, 2.0 * n, gap.spheres ? 2.0 * n : 4}),
                     {round(2 * gap.radius)})}});
  for (int axis = 0; axis < (gap.spheres ? 3 : 2); ++axis) {
    set_faces(p.faces, axis, BoundaryKind::wall);
  }
  p.geometry = &bodies;
  p.bodies.resize(2);
  p.bodies[0].slanted = true;
  p.scalars = {scalar_with(gap.diffusivity)};
  for (std::size_t f = 0; f < (gap.spheres ? 6 : 4); ++f) {
    p.scalars[0].faces[f].kind = ScalarBoundary::no_flux;
  }
  p.scalars[0].bodies = {inner, {1, 0}};
  const auto exact = [&](int x, int y, int z) {
    return start * gap.share_at(std::hypot(x + 0.5 - middle[0], y + 0.5 - middle[1],
                                           gap.spheres ? z + 0.5 - middle[2] : 0));
  };
  p.initial = [&](int y, int z, const StateRow& row) {
    for (int x = 0; x < n; ++x) row.scalars[0][static_cast<std::size_t>(x)] = exact(x, y, z);
  };
  Flow flow(p);
  flow.advance(std::llround(steps));
  double sum = 0, squares = 0;
  flow.for_each_cell([&](int x, int y, int z, const Cell&) {
    if (flow.solid(x, y, z)) return;
    sum += std::pow(flow.scalar(0, x, y, z) - exact(x, y, z), 2);
    squares += std::pow(exact(x, y, z), 2);
  });
  return {flow.heat(0, 0), flow.heat(1, 0), std::sqrt(sum / squares)};
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
      const Gap gap{radius * 1.0, spheres, diffusivity};
      const HeatFlows heat = heat_of(gap, {0, 1}, 0, 2 * radius * radius / diffusivity);
      const double exact = gap.conductance();
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

// The flux is that of the true area in each step, on whichever cells the body lies.
TEST(HeatFlow, OfASurfaceWithAFluxIsThatOfItsArea) {
  Evidence evidence("heat that a body with a flux gives in a step", "flux x area");
  Table& table =
      evidence.table("heat of a surface with a flux, the worst of four places between the cells",
                     {"", "radius in cells", {"error", "{:+.3f} %"}});
  for (const bool spheres : {false, true}) {
    for (const double radius : {4.0, 8.0, 16.0}) {
      constexpr double flux = 0.01;
      double worst = 0;
      for (const geometry::Vec& shift :
           {geometry::Vec{}, {0.5, 0, 0}, {0.5, 0.5, 0.5}, {0.37, 0.21, -0.13}}) {
        const Gap gap{radius, spheres, 0.1, shift};
        const double given = heat_of(gap, {0, flux, ScalarBoundary::flux}, 0, 1).inner;
        const double error = given / (flux * gap.area()) - 1;
        if (std::abs(error) > std::abs(worst)) worst = error;
      }
      table.row({spheres ? "sphere" : "cylinder", radius, 100 * worst});
      if (radius < 16) continue;
      evidence.on(spheres ? "sphere, radius of 16 cells" : "cylinder, radius of 16 cells")
          .headline();
      evidence.within("error of the heat", worst, 0.005, percent);
    }
  }
}

TEST(HeatFlow, ByFluxAndConvectionBetweenCylindersAndSpheres) {
  Evidence evidence("scalar between cylinders and between spheres, flux or convection inside",
                    "conduction, with a Biot number h r / D of 2");
  Table& table = evidence.table("inner surface with a flux or convection",
                                {"",
                                 "inside",
                                 "radius in cells",
                                 {"exact heat", "{:.5f}"},
                                 {"computed", "{:.5f}"},
                                 {"error", "{:+.3f} %"},
                                 {"L2 error of the scalar", "{:.2e}"}});
  constexpr double diffusivity = 0.1, biot = 2;
  for (const bool spheres : {false, true}) {
    for (const ScalarBoundary kind : {ScalarBoundary::flux, ScalarBoundary::convection}) {
      const bool flux = kind == ScalarBoundary::flux;
      double before = NAN;
      for (int radius = 4; radius <= (spheres ? 8 : 16); radius *= 2) {
        const Gap gap{radius * 1.0, spheres, diffusivity};
        // Surroundings at 1: what they give passes the surface and the gap.
        const double h = biot * diffusivity / radius;
        const double inside = 1 / (1 + gap.conductance() / (h * gap.area()));
        const double exact = gap.conductance() * inside;
        const ScalarBody body =
            flux ? ScalarBody{0, exact / gap.area(), kind} : ScalarBody{0, 1, kind, h};
        const HeatFlows heat = heat_of(gap, body, inside, 2 * radius * radius / diffusivity);
        const double error = heat.inner / exact - 1;
        table.row({spheres ? "spheres" : "cylinders", to_string(kind), radius, exact, heat.inner,
                   100 * error, heat.error});
        evidence.on(std::string(spheres ? "spheres, " : "cylinders, ") + to_string(kind) +
                    ", radius of " + std::to_string(radius) + " cells");
        evidence.within("inner + outer over exact", (heat.inner + heat.outer) / exact, 1e-3);
        evidence.within("error of the heat flow", error, radius < 8 ? 0.02 : 0.01, percent);
        if (!std::isnan(before)) evidence.above("order", order_of(before, heat.error), 1);
        before = heat.error;
      }
      evidence.headline().below("L2 error of the scalar", before, 0.01, percent);
    }
  }
}

}  // namespace
}  // namespace lbm::verification
