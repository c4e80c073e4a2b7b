// SPDX-License-Identifier: Apache-2.0

// Mass over many steps: a closed box keeps its mass, an open box lets out as much as flows in.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "cases/geometry/body_set.hpp"
#include "cases/geometry/primitives/primitives.hpp"
#include "tests/verification/support/evidence.hpp"
#include "tests/verification/support/flow.hpp"

namespace lbm::verification {
namespace {

using geometry::BodySet;

// A lid over a box with a sphere in it: the change of the mean density after `steps`. filtered:
// with the collision regularised_filtered, in this representation, in place of `kind`.
double drift(StorageType storage, const BodySpec& body, double speed, std::int64_t steps,
             const std::optional<Representation>& filtered = std::nullopt,
             CollisionKind kind = CollisionKind::bgk) {
  Problem p;
  p.collision.kind = kind;
  if (filtered) {
    p.collision.kind = CollisionKind::regularised_filtered;
    p.representation = *filtered;
  }
  p.cells = {16, 12, 14};
  const BodySet bodies(p.cells, {false, false, false},
                       {{"sphere", geometry::make_sphere({8.2, 5.9, 6.6}, 3.1)}});
  for (FaceBoundary& face : p.faces) face.condition.kind = BoundaryKind::wall;
  p.faces[5].condition.velocity[0] = speed;
  p.geometry = &bodies;
  p.bodies = {body};
  p.collision.omega = 1 / 0.6;
  p.storage = storage;
  Flow flow(p);
  flow.advance(steps);
  EXPECT_GT(flow.kinetic_energy(), 50 * speed * speed) << "the flow must move for this to tell";
  return flow.mass() / static_cast<double>(flow.fluid_cells());
}

const BodySpec staircase{{}, false}, interpolated{{}, true};

BodySpec conserving() {
  BodySpec body;
  body.motion.conserves_mass = true;
  return body;
}

TEST(ClosedBox, KeepsItsMass) {
  Evidence evidence("lid over a box with a sphere, walls half a cell away", "no change");
  evidence.on("16 x 12 x 14");
  const double fp32 = drift(StorageType::fp32, staircase, 0.1, 20000);
  const double fp64 = drift(StorageType::fp64, staircase, 0.1, 2000);
  evidence.within("change of the mean density, fp32, 20000 steps", fp32, 2e-6);
  evidence.within("change of the mean density, fp64, 2000 steps", fp64, 1e-13);
}

TEST(ClosedBox, KeepsItsMassWithShiftedWalls) {
  Evidence evidence("lid over a box with a sphere, regularised_filtered", "no change");
  evidence.on("16 x 12 x 14");
  for (const auto stored : {Representation::populations, Representation::moments}) {
    const char* const name = stored == Representation::moments ? "moments" : "populations";
    evidence.within(fmt::format("change of the mean density, fp32, 5000 steps, {}", name),
                    drift(StorageType::fp32, staircase, 0.1, 5000, stored), 2e-6);
    evidence.within(fmt::format("change of the mean density, fp64, 2000 steps, {}", name),
                    drift(StorageType::fp64, staircase, 0.1, 2000, stored), 1e-13);
  }
}

// With these models wall terms have products of velocities, which change along a link.
TEST(ClosedBox, KeepsItsMassAroundATurningBodyWithEveryEquilibrium) {
  Evidence evidence("lid over a box with a turning sphere", "no change");
  evidence.on("16 x 12 x 14");
  BodySpec body = conserving();
  body.motion.center[0] = 7;
  body.motion.angular_velocity[0] = 0.02;
  body.motion.angular_velocity[1] = -0.015;
  body.motion.angular_velocity[2] = 0.01;
  for (const auto kind : {CollisionKind::central_moments, CollisionKind::cumulant}) {
    const double change = drift(StorageType::fp64, body, 0.1, 500, std::nullopt, kind);
    evidence.below(std::string("change of the mean density, ") + to_string(kind), std::abs(change),
                   1e-13);
  }
}

TEST(ClosedBox, KeepsItsMassWithConservingWalls) {
  Evidence evidence("lid over a box with a sphere, conserving walls", "no change");
  evidence.on("16 x 12 x 14");
  evidence.within("change of the mean density, fp32, 20000 steps",
                  drift(StorageType::fp32, conserving(), 0.1, 20000), 2e-6);
  evidence.within("change of the mean density, fp64, 2000 steps",
                  drift(StorageType::fp64, conserving(), 0.1, 2000), 1e-13);
}

// Interpolated walls leak.
TEST(ClosedBox, LeaksLittleThroughInterpolatedWalls) {
  Evidence evidence("lid over a box with a sphere, interpolated walls", "no change");
  evidence.on("16 x 12 x 14");
  const double fast = drift(StorageType::fp64, interpolated, 0.1, 1000);
  const double slow = drift(StorageType::fp64, interpolated, 0.05, 2000);
  evidence.within("change of the mean density, 1000 steps, lid at 0.1", fast, 4e-3);
  evidence.within("change of the mean density, 2000 steps, lid at 0.05", slow, std::abs(fast));
}

// Mass that passes a plane x in a step, per cell of it.
double flux(Flow& flow, int x) {
  double sum = 0;
  for (int z = 0; z < flow.lattice().nz; ++z) {
    for (int y = 0; y < flow.lattice().layout.ny; ++y) {
      const Cell c = flow.cell(x, y, z);
      if (!flow.solid(x, y, z)) sum += c.rho() * c.ux;
    }
  }
  return sum;
}

// Between the faces everything that passes one plane passes the next.
TEST(OpenBox, LetsOutWhatComesIn) {
  Evidence evidence("box with a sphere between an inlet and an outlet", "what comes in goes out");
  evidence.on("36 x 12 x 12");
  for (const BoundaryKind out : {BoundaryKind::pressure, BoundaryKind::outflow}) {
    const int n = 12, length = 36;
    Problem p;
    p.cells = {length, n, n};
    const BodySet bodies(p.cells, {false, false, false},
                         {{"sphere", geometry::make_sphere({12.2, 6.1, 5.8}, 2.4)}});
    for (FaceBoundary& face : p.faces) face.condition.kind = BoundaryKind::wall;
    p.faces[0].condition.kind = BoundaryKind::velocity;
    p.faces[0].condition.velocity[0] = 0.03;
    p.faces[1].condition.kind = out;
    p.geometry = &bodies;
    p.bodies = {{{}, false}};
    p.collision.omega = 1 / 0.7;
    p.initial = [](int, int, const StateRow& row) {
      for (double& u : row.ux) u = 0.03;
    };
    Flow flow(p);
    EXPECT_TRUE(flow.advance_until_steady(500, 1e-7, 30000));
    const double in = flux(flow, 2), through = flux(flow, length - 3);
    const char* name = out == BoundaryKind::pressure ? "pressure" : "outflow";
    evidence.headline().within(fmt::format("mass out over mass in, less 1, {}", name),
                               through / in - 1, 1e-5);
    // Less the links through the edges of the inlet, 1/6 of the area of each cell there, which rest
    // with the walls.
    evidence.within(fmt::format("mass in over velocity x area of its links, less 1, {}", name),
                    in / (0.03 * (n * n - 4 * n / 6.0)) - 1, 1e-5);
  }
}

}  // namespace
}  // namespace lbm::verification
