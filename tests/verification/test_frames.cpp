// SPDX-License-Identifier: Apache-2.0

// Forces and torques on bodies do not depend on the frame in which the flow is seen.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "cases/geometry/body_set.hpp"
#include "cases/geometry/primitives/primitives.hpp"
#include "tests/verification/support/evidence.hpp"
#include "tests/verification/support/flow.hpp"

namespace lbm::verification {
namespace {

using geometry::BodySet;

enum class Wall { staircase, interpolated, conserving, multireflection };
constexpr Wall walls[] = {Wall::staircase, Wall::interpolated, Wall::conserving};

std::string name_of(Wall wall) {
  constexpr const char* names[] = {"staircase", "interpolated", "conserving", "multireflection"};
  return names[static_cast<int>(wall)];
}

BodySpec body_of(Wall wall, BodyMotion motion) {
  motion.conserves_mass = wall == Wall::conserving;
  motion.multireflection = wall == Wall::multireflection ? 0.5 : 0;
  return {motion, wall != Wall::staircase};
}

double size_of(const std::array<double, 3>& v) { return std::hypot(v[0], v[1], v[2]); }

// In a stream along with a body: deviation of the stream, force and torque, the latter two relative
// to the momentum flux rho u^2 through the section of the body (times its radius).
struct Rest {
  double stream, force, torque;
};

Rest carried_along(const geometry::ShapePtr& shape, double radius, Wall wall,
                   const std::array<double, 3>& u, CollisionKind kind = CollisionKind::trt,
                   const FaceBoundaries& faces = periodic_faces()) {
  Problem p;
  p.cells = {15, 14, 13};
  p.faces = faces;
  const auto periodic = [&](int axis) { return faces[2 * axis].periodic(); };
  const BodySet bodies(p.cells, {periodic(0), periodic(1), periodic(2)}, {{"body", shape}});
  p.geometry = &bodies;
  BodyMotion motion;
  for (int a = 0; a < 3; ++a) {
    motion.velocity[a] = u[a];
    motion.center[a] = 7.1 - 0.3 * a;
  }
  p.bodies = {body_of(wall, motion)};
  p.collision.kind = kind;
  p.collision.omega = 1 / 0.6;
  p.collision.least_odd_rate = kind == CollisionKind::central_moments ? 1 : 0;  // magic: auto
  p.initial = [=](int, int, const StateRow& row) {
    std::fill(row.ux.begin(), row.ux.end(), u[0]);
    std::fill(row.uy.begin(), row.uy.end(), u[1]);
    std::fill(row.uz.begin(), row.uz.end(), u[2]);
  };
  Flow flow(p);
  flow.advance(100);
  Rest rest{};
  flow.for_each_cell([&](int x, int y, int z, const Cell& c) {
    if (flow.solid(x, y, z)) return;
    const double off = size_of({c.ux - u[0], c.uy - u[1], c.uz - u[2]});
    rest.stream = std::max({rest.stream, off, std::abs(c.drho)});
  });
  const Load load = flow.load(0);
  const double uu = u[0] * u[0] + u[1] * u[1] + u[2] * u[2], area = radius * radius * 3.14159;
  rest.force = size_of(load.force) / (uu * area);
  rest.torque = size_of(load.torque) / (uu * area * radius);
  return rest;
}

TEST(Frame, AStreamThatCarriesTheBodyPushesNothing) {
  Evidence evidence("a body carried by a uniform stream", "no force (Galilean invariance)");
  Table& table = evidence.table(
      "force over rho u^2 A, torque over rho u^2 A r",
      {"body", "wall", {"stream off", "{:.1e}"}, {"force", "{:.1e}"}, {"torque", "{:.1e}"}});
  const double r = 3.3;
  const std::array<double, 3> u{0.05, 0.03, -0.02};
  const struct {
    const char* name;
    geometry::ShapePtr shape;
  } bodies[] = {
      {"sphere", geometry::make_sphere({7.13, 6.81, 6.4}, r)},
      {"slanted cylinder", geometry::make_cylinder({5.2, 5.1, 4.3}, {9.4, 8.6, 8.9}, 2.2)}};
  evidence.on("15 x 14 x 13, r 3.3");
  for (const auto& body : bodies) {
    for (const Wall wall : walls) {
      const Rest rest = carried_along(body.shape, r, wall, u);
      const std::string name = name_of(wall);
      const bool steps = wall == Wall::staircase;
      table.row({body.name, name, rest.stream, rest.force, rest.torque});
      evidence.below("largest deviation of the stream", rest.stream, 1e-13);
      evidence.below("force", rest.force, 1e-9);
      // Staircase: only the rounding of the fixed-point records is left. Other walls: links end
      // anywhere, and the volumes that the links of each direction see differ a little.
      evidence.below("torque, " + name, rest.torque, steps ? 1e-8 : 0.02);
    }
  }
}

// The box of carried_along() with such faces, the last one pressure or as the others. profile:
// which needs the second pass.
FaceBoundaries moving_faces(BoundaryKind kind, BoundaryKind last, const std::array<double, 3>& u,
                            bool profile = false) {
  FaceBoundaries faces;
  for (int f = 0; f < 6; ++f) {
    BoundaryCondition& condition = faces[f].condition;
    condition.kind = f < 5 ? kind : last;
    condition.velocity = u;
    for (std::int64_t i = profile ? face_cells(f, 15, 14, 13) : 0; i > 0; --i) {
      condition.profile.insert(condition.profile.end(), u.begin(), u.end());
    }
  }
  return faces;
}

// The equilibrium of central moments and cumulants has products of velocities that bgk and trt
// lack.
TEST(Frame, EveryModelKeepsAStreamThatAllBoundariesCarry) {
  Evidence evidence("a sphere and boundaries that a stream carries", "the uniform stream");
  evidence.on("15 x 14 x 13, r 3.3");
  const std::array<double, 3> u{0.0625, -0.046875, 0.03125};  // exact in profiles
  constexpr auto inlet = BoundaryKind::velocity, far = BoundaryKind::far_field;
  const FaceBoundaries boxes[] = {periodic_faces(), moving_faces(inlet, inlet, u),
                                  moving_faces(inlet, inlet, u, true), moving_faces(far, far, u),
                                  moving_faces(inlet, BoundaryKind::pressure, u)};
  const auto sphere = geometry::make_sphere({7.13, 6.81, 6.4}, 3.3);
  for (const auto kind :
       {CollisionKind::trt, CollisionKind::central_moments, CollisionKind::cumulant}) {
    double largest = 0;
    for (const Wall wall : {Wall::staircase, Wall::conserving, Wall::multireflection}) {
      for (const FaceBoundaries& box : boxes) {
        const double stream = carried_along(sphere, 3.3, wall, u, kind, box).stream;
        EXPECT_LT(stream, 1e-13) << to_string(kind) << ", " << name_of(wall) << ", box "
                                 << &box - boxes;
        largest = std::max(largest, stream);
      }
    }
    evidence.below(std::string("largest deviation, ") + to_string(kind), largest, 1e-13);
  }
}

// Flow across a cylinder along z that turns about its axis, in a periodic box, driven along x at
// Re about 1; all of it, fluid and wall, moves along z with `along`.
struct Across {
  std::array<double, 3> force, torque;
  double mean = 0, reynolds = 0;  // of ux
};

Across cylinder(double along, Wall wall, CollisionKind kind) {
  const int n = 17;
  const double tau = 0.6, nu = viscosity_of(tau), radius = 3.3, centre = 8.71;
  Problem p;
  p.cells = {n, n, 1};
  const BodySet bodies(
      p.cells, {true, true, true},
      {{"cylinder", geometry::make_cylinder({centre, centre, -30}, {centre, centre, 30}, radius)}});
  p.geometry = &bodies;
  BodyMotion motion;
  motion.velocity[2] = along;
  motion.center[0] = motion.center[1] = centre;
  motion.angular_velocity[2] = 1e-3;
  p.bodies = {body_of(wall, motion)};
  p.collision.kind = kind;
  p.collision.omega = 1 / tau;
  p.collision.force.mean[0] = 2e-5;
  p.initial = [=](int, int, const StateRow& row) {
    std::fill(row.uz.begin(), row.uz.end(), along);
  };
  Flow flow(p);
  flow.advance(10000);
  Across a{flow.load(0).force, flow.load(0).torque};
  flow.for_each_cell([&](int x, int y, int z, const Cell& c) {
    if (flow.solid(x, y, z)) return;
    a.mean += c.ux / (double(n) * n * p.cells[2]);
  });
  a.reynolds = a.mean * 2 * radius / nu;
  return a;
}

TEST(Frame, ACylinderThatMovesAlongItselfHasTheSameDrag) {
  Evidence evidence("a cylinder that moves along its axis, with the fluid", "the same at rest");
  Table& table = evidence.table(
      "flow across a turning cylinder at Re 1; all moves along it at 0.05, against nothing does",
      {"collision",
       "wall",
       {"drag", "{:+.1e}"},
       {"lift / drag", "{:+.1e}"},
       {"force along / drag", "{:+.1e}"},
       {"torque", "{:+.1e}"},
       {"mean velocity", "{:+.1e}"}});
  evidence.on("17 x 17 x 1, diameter 6.6");
  for (const auto kind : {CollisionKind::bgk, CollisionKind::trt, CollisionKind::regularised}) {
    for (const Wall wall : walls) {
      if (wall != Wall::staircase && kind == CollisionKind::regularised) continue;
      const Across rest = cylinder(0, wall, kind);
      const Across moves = cylinder(0.05, wall, kind);
      const double drag = rest.force[0], more = moves.force[0] / drag - 1;
      const double lift = (moves.force[1] - rest.force[1]) / drag, along = moves.force[2] / drag;
      const double torque = moves.torque[2] / rest.torque[2] - 1, mean = moves.mean / rest.mean - 1;
      const std::string name = name_of(wall);
      const bool exact = wall != Wall::interpolated;
      table.row({to_string(kind), name, more, lift, along, torque, mean});
      EXPECT_NEAR(rest.reynolds, 1, 0.5);
      evidence.within("drag, " + name, more, exact ? 1e-6 : 1e-4);
      evidence.within("lift over drag, " + name, lift, exact ? 1e-6 : 1e-4);
      // Interpolated walls make or lose mass, which has its share of the momentum along.
      evidence.within("force along over drag, " + name, along, exact ? 1e-6 : 5e-3);
      evidence.within("torque", torque, 1e-3);
      evidence.within("mean velocity", mean, 1e-3);
    }
  }
}

}  // namespace
}  // namespace lbm::verification
