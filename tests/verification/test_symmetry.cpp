// SPDX-License-Identifier: Apache-2.0

// Slip faces are mirrors; a uniform stream goes through open boxes as it is; forces do not depend
// on who moves.
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

// Largest difference of velocity or density between a part and the same cells of the whole.
double largest_difference(Flow& part, Flow& whole) {
  double largest = 0;
  part.for_each_cell([&](int x, int y, int z, const Cell& c) {
    const Cell want = whole.cell(x, y, z);
    largest = larger(largest, std::abs(c.ux - want.ux));
    largest = larger(largest, std::abs(c.uy - want.uy));
    largest = larger(largest, std::abs(c.uz - want.uz));
    largest = larger(largest, std::abs(c.drho - want.drho));
  });
  return largest;
}

// A body on the mirror plane, of which the half domain has one half. axis: normal of the mirror.
double mirrored_difference(Evidence& evidence, int axis, int second) {
  const std::array<int, 3> whole{16, 16, 16};
  std::array<int, 3> half = whole;
  half[axis] /= 2;
  if (second >= 0) half[second] /= 2;
  const auto make = [&](const std::array<int, 3>& cells, bool mirror) {
    Problem p;
    p.cells = cells;
    set_faces(p.faces, axis, BoundaryKind::wall);
    if (mirror) p.faces[2 * axis + 1].condition.kind = BoundaryKind::slip;
    if (second >= 0) {
      set_faces(p.faces, second, BoundaryKind::wall);
      if (mirror) p.faces[2 * second + 1].condition.kind = BoundaryKind::slip;
    }
    const int along = (axis + 1) % 3 == second ? (axis + 2) % 3 : (axis + 1) % 3;
    p.collision.omega = 1 / 0.6;
    p.collision.force.mean[along] = 1e-5;
    p.bodies = {{{}, true}};
    return p;
  };
  const geometry::ShapePtr sphere = geometry::make_sphere({8, 8, 8}, 3.3);
  Problem a = make(whole, false), b = make(half, true);
  const auto periodic = [](const Problem& p) {
    return std::array{p.faces[0].periodic(), p.faces[2].periodic(), p.faces[4].periodic()};
  };
  const BodySet in_whole(whole, periodic(a), {{"sphere", sphere}});
  const BodySet in_half(half, periodic(b), {{"sphere", sphere}});
  a.geometry = &in_whole;
  b.geometry = &in_half;
  Flow full(a), part(b);
  full.advance(200);
  part.advance(200);
  const double largest = largest_difference(part, full);
  EXPECT_GT(full.largest_speed(), 1e-3);
  const int along = (axis + 1) % 3 == second ? (axis + 2) % 3 : (axis + 1) % 3;
  const double parts = second >= 0 ? 4 : 2;
  evidence.within("force on the part of a sphere",
                  part.load(0).force[along] * parts / full.load(0).force[along] - 1, 1e-9);
  return largest;
}

TEST(SlipFace, IsAMirror) {
  Evidence evidence("half and quarter domains with slip faces through a sphere", "the full domain");
  evidence.on("16^3");
  for (int axis = 0; axis < 3; ++axis) {
    const double one = mirrored_difference(evidence, axis, -1);
    const double two = mirrored_difference(evidence, axis, (axis + 1) % 3);
    evidence.headline().below("largest difference, one mirror", one, 1e-13);
    evidence.headline().below("largest difference, two mirrors", two, 1e-13);
  }
}

// A flow that is symmetric about y = 0 and y = ny / 2, between far fields at x and in a stream
// along z: in the box with free slip at y it is half of the flow in the periodic one.
Flow between_far_fields(int ny, BoundaryKind sides) {
  Problem p;
  p.cells = {12, ny, 12};
  set_faces(p.faces, 0, BoundaryKind::far_field);
  set_faces(p.faces, 1, sides);
  const double stream = 0.05;
  for (const int face : {0, 1}) p.faces[face].condition.velocity = {0, 0, stream};
  p.collision.omega = 1 / 0.55;
  p.initial = [=](int y, int z, const StateRow& row) {
    const double angle = 2 * std::numbers::pi * (y + 0.5) / 16;
    for (std::size_t x = 0; x < row.ux.size(); ++x) {
      // Nowhere 0 at the faces: there rounding would decide between inflow and outflow.
      const double at = 0.5 * static_cast<double>(x) + 0.7 * z + 0.3;
      row.ux[x] = 0.01 * std::cos(angle) * std::sin(at);
      row.uy[x] = 0.01 * std::sin(angle) * std::cos(at);
      row.uz[x] = stream + 0.01 * std::cos(angle) * std::cos(1.3 * at);
    }
  };
  return Flow(p);
}

TEST(SlipFace, IsAMirrorBesideAFarField) {
  Evidence evidence("free slip beside far fields, in a stream",
                    "the periodic box of twice the size");
  evidence.on("12 x 8 x 12");
  Flow whole = between_far_fields(16, BoundaryKind::periodic);
  Flow half = between_far_fields(8, BoundaryKind::slip);
  for (Flow* const flow : {&whole, &half}) flow->advance(200);
  EXPECT_GT(whole.largest_speed(), 0.04);
  evidence.headline().below("largest difference", largest_difference(half, whole), 1e-13);
}

// A flow past a sphere on the plane of symmetry, driven by drops of density along x and z: at the
// edges of the box links cross free slip and the drop, or both drops.
Flow driven_by_drops(int ny, BoundaryKind sides, CollisionKind kind) {
  Problem p;
  p.cells = {16, ny, 12};
  set_faces(p.faces, 1, sides);
  for (const int face : {0, 1}) p.faces[face].density_drop = 0.01;
  for (const int face : {4, 5}) p.faces[face].density_drop = 0.004;
  p.collision.kind = kind;
  p.collision.omega = 1 / 0.6;
  const BodySet sphere(p.cells, {true, sides == BoundaryKind::periodic, true},
                       {{"sphere", geometry::make_sphere({8, 8, 6}, 2.3)}});
  p.bodies = {{}};
  p.geometry = &sphere;
  return Flow(p);
}

TEST(SlipFace, IsAMirrorBesideADensityDrop) {
  Evidence evidence("free slip beside drops of density, past a sphere",
                    "the periodic box of twice the size");
  evidence.on("16 x 8 x 12");
  for (const auto kind : {CollisionKind::trt, CollisionKind::cumulant}) {
    Flow whole = driven_by_drops(16, BoundaryKind::periodic, kind);
    Flow half = driven_by_drops(8, BoundaryKind::slip, kind);
    for (Flow* const flow : {&whole, &half}) flow->advance(200);
    EXPECT_GT(whole.largest_speed(), 0.01);
    evidence.headline().below(fmt::format("largest difference, {}", to_string(kind)),
                              largest_difference(half, whole), 1e-13);
  }
}

// Largest deviation from the stream after some time. axis: along it.
double disturbed(int axis, int side, BoundaryKind sides, BoundaryKind out, StorageType storage) {
  const double speed = 0.05;
  Problem p;
  p.cells = {12, 10, 11};
  p.storage = storage;
  for (FaceBoundary& face : p.faces) {
    face.condition.kind = sides;
    if (sides == BoundaryKind::wall) face.condition.velocity[axis] = speed;
  }
  if (sides == BoundaryKind::wall) set_faces(p.faces, side, BoundaryKind::slip);
  p.faces[2 * axis].condition.kind = BoundaryKind::velocity;
  p.faces[2 * axis].condition.velocity[axis] = speed;
  p.faces[2 * axis + 1].condition.kind = out;
  p.faces[2 * axis + 1].condition.velocity = {};
  p.collision.omega = 1 / 0.55;
  p.initial = [=](int, int, const StateRow& row) {
    for (double& u : axis == 0 ? row.ux : (axis == 1 ? row.uy : row.uz)) u = speed;
  };
  Flow flow(p);
  flow.advance(300);
  double largest = 0;
  flow.for_each_cell([&](int, int, int, const Cell& c) {
    const double u[3] = {c.ux, c.uy, c.uz};
    for (int a = 0; a < 3; ++a) {
      largest = larger(largest, std::abs(u[a] - (a == axis ? speed : 0)));
    }
    largest = larger(largest, std::abs(c.drho));
  });
  return largest;
}

// Between slip faces, or between floors that move with it.
TEST(UniformStream, GoesThroughAsItIs) {
  Evidence evidence("uniform stream through an open box", "nothing happens");
  evidence.on("12 x 10 x 11");
  for (int axis = 0; axis < 3; ++axis) {
    for (const BoundaryKind out : {BoundaryKind::pressure, BoundaryKind::outflow}) {
      const double slip = disturbed(axis, 0, BoundaryKind::slip, out, StorageType::fp64);
      const double floor =
          disturbed(axis, (axis + 1) % 3, BoundaryKind::wall, out, StorageType::fp64);
      const double fp32 = disturbed(axis, 0, BoundaryKind::slip, out, StorageType::fp32);
      const char* outlet = out == BoundaryKind::pressure ? "pressure" : "outflow";
      const std::string what = fmt::format("largest deviation, {} outlet, ", outlet);
      evidence.headline().below(what + "slip faces", slip, 1e-13);
      evidence.below(what + "floors that move along", floor, 1e-13);
      evidence.below(what + "slip faces, fp32", fp32, 1e-5);
    }
  }
}

}  // namespace
}  // namespace lbm::verification
