// SPDX-License-Identifier: Apache-2.0

// Bodies that move through the lattice: the place of a wall between cells, Couette flow between
// cylinders, a sphere that turns in a sphere, the mass of a closed box with a stirrer, a sphere
// that sinks.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>

#include "cases/case/model/moving_bodies.hpp"
#include "cases/geometry/body_set.hpp"
#include "cases/geometry/primitives/primitives.hpp"
#include "solver/boundary/free_body.hpp"
#include "tests/verification/support/evidence.hpp"
#include "tests/verification/support/flow.hpp"

namespace lbm::verification {
namespace {

using geometry::ShapePtr;
using std::numbers::pi;

// A shape in its place that turns about `center` and moves at a constant velocity.
std::shared_ptr<const MovingBody> moving(const ShapePtr& shape, const std::array<int, 3>& cells,
                                         const std::array<bool, 3>& periodic,
                                         const geometry::Vec& center, const geometry::Vec& velocity,
                                         double rate) {
  auto body = std::make_shared<MovingBody>();
  body->fraction = cases::sample_solid_fraction(*shape, cells, periodic, {});
  body->pivot = center;
  body->place = [=](double step) {
    BodyPlace place;
    const double c = std::cos(rate * step), s = std::sin(rate * step);
    place.rotation = {{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
    for (std::size_t a = 0; a < 3; ++a) place.center[a] = center[a] + velocity[a] * step;
    place.velocity = velocity;
    place.angular_velocity = {0, 0, rate};
    return place;
  };
  return body;
}

CollisionSpec trt(double tau) {
  CollisionSpec collision;
  collision.kind = CollisionKind::trt;
  collision.omega = 1 / tau;
  return collision;
}

// Where the flow between a wall at y = 0 and a slab that slides along x from y = 12 + share on
// says that the slab begins, less that, in cells.
double error_of_place(double tau, double share) {
  constexpr int gap = 12;
  constexpr double u = 0.02;
  Problem p;
  p.cells = {2, gap + 8, 1};
  set_faces(p.faces, 1, BoundaryKind::wall);
  p.faces[3].condition.velocity = {u, 0, 0};
  p.collision = trt(tau);
  const ShapePtr slab = geometry::make_box({1, gap + share + 5, 0}, {200, 10, 200});
  p.bodies.resize(1);
  p.bodies[0].moving = moving(slab, p.cells, {true, false, true}, {1, 0, 0.5}, {u, 0, 0}, 0);
  Flow flow(p);
  flow.advance(std::llround(4 * gap * gap / viscosity_of(tau)));
  const double low = flow.cell(0, 3, 0).ux, high = flow.cell(0, 8, 0).ux;
  const double slope = (high - low) / 5;
  const double wall = 3.5 - low / slope;  // of y = 0
  return u / slope + wall - (gap + share);
}

TEST(MovingBodies, SlabBeginsBetweenCells) {
  Evidence evidence("slab that slides along a wall: where the flow has its surface",
                    "the place of the slab");
  evidence.on("12 cells");
  Table& table = evidence.table("error of the place, cells", {{"share of a cell", "{:.2f}"},
                                                              {"tau 0.52", "{:+.3f}"},
                                                              {"0.6", "{:+.3f}"},
                                                              {"1", "{:+.3f}"}});
  for (const double share : {0.1, 0.3, 0.5, 0.7, 0.9}) {
    const std::array errors{error_of_place(0.52, share), error_of_place(0.6, share),
                            error_of_place(1, share)};
    table.row({share, errors[0], errors[1], errors[2]});
    for (const double error : errors) evidence.within("error of the place", error, 0.06);
  }
}

// A body that moves has no solid cells.
ShapePtr nowhere() {
  return geometry::make_intersection(
      {geometry::make_sphere({-50, -50, -50}, 1), geometry::make_sphere({-60, -60, -60}, 1)});
}

// A round hole or cavity in a solid block, around the middle of the box.
class Around {
 public:
  Around(const std::array<int, 3>& cells, const std::array<bool, 3>& periodic,
         const geometry::Vec& center, const ShapePtr& cavity)
      : set_(cells, periodic,
             {{"block",
               geometry::make_difference(
                   geometry::make_box(center, {4.0 * cells[0], 4.0 * cells[1], 1000.0}), {cavity})},
              {"rotor", nowhere()}}) {}
  const SolidGeometry& geometry() const { return set_; }

 private:
  geometry::BodySet set_;
};

// The torque on a body of radius r that turns in the middle of a hole of radius 2 r, over the known
// one. Re: speed of the surface x r / viscosity.
double relative_torque(int r, bool sphere) {
  constexpr double tau = 0.8, reynolds = 0.5;
  const int n = 4 * r + 6;
  const double middle = 0.5 * n + 0.21, viscosity = viscosity_of(tau);
  const double rate = reynolds * viscosity / (r * r);
  Problem p;
  p.cells = {n, n, sphere ? n : 2};
  const std::array<bool, 3> periodic{false, false, !sphere};
  const geometry::Vec center{middle, middle + 0.13, sphere ? middle - 0.37 : 1};
  const auto round = [&](double radius) {
    return sphere ? geometry::make_sphere(center, radius)
                  : geometry::make_cylinder({center[0], center[1], -600},
                                            {center[0], center[1], 600}, radius);
  };
  const Around around(p.cells, periodic, center, round(2.0 * r));
  p.collision = trt(tau);
  p.geometry = &around.geometry();
  p.bodies.resize(2);
  p.bodies[1].moving = moving(round(r), p.cells, periodic, center, {}, rate);
  Flow flow(p);
  flow.advance(std::llround(3.0 * r * r / viscosity));
  // Spheres: Landau & Lifshitz, Fluid Mechanics, section 20, problem 1. Cylinders: section 18.
  const double outer = 2.0 * r;
  const double exact =
      sphere ? 8 * pi * viscosity * rate * std::pow(r * outer, 3) /
                   (std::pow(outer, 3) - std::pow(r, 3))
             : 4 * pi * viscosity * rate * r * r * outer * outer / (outer * outer - r * r) * 2;
  return -flow.load(1).torque[2] / exact;
}

TEST(MovingBodies, TorqueBetweenCylindersAndSpheres) {
  Evidence evidence("body that turns in a hole twice as wide: torque",
                    "creeping flow (Landau & Lifshitz, Fluid Mechanics, sections 18 and 20)");
  Table& table =
      evidence.table("error of the torque",
                     {"cells in the radius", {"cylinder", "{:+.2f} %"}, {"sphere", "{:+.2f} %"}});
  std::vector<int> radii{8};
  if (full_run()) radii = {8, 12, 16};
  for (const int r : radii) {
    const double cylinder = relative_torque(r, false), sphere = relative_torque(r, true);
    table.row({r, 100 * (cylinder - 1), 100 * (sphere - 1)});
    evidence.on(fmt::format("{} cells in the radius", r));
    const double limit = 0.03 * 8 / r;
    evidence.matches("torque of a cylinder", cylinder, 1, limit);
    evidence.matches("torque of a sphere", sphere, 1, limit);
  }
}

TEST(MovingBodies, StirrerKeepsTheMassOfAClosedBox) {
  Evidence evidence("closed box with a blade that turns", "the mass at the start");
  Problem p;
  p.cells = {24, 24, 24};
  for (int axis = 0; axis < 3; ++axis) set_faces(p.faces, axis, BoundaryKind::wall);
  p.collision = trt(0.55);
  const geometry::Vec center{12.3, 11.8, 12};
  p.bodies.resize(1);
  p.bodies[0].moving =
      moving(geometry::make_box(center, {16, 3, 8}), p.cells, {}, center, {}, 0.005);
  Flow flow(p);
  const std::int64_t steps = full_run() ? 100000 : 2000;
  flow.advance(steps);
  evidence.on(fmt::format("24^3 cells, {} steps", steps));
  evidence.within("change of the mass over the mass", flow.mass() / (24.0 * 24 * 24), 1e-10);
  // The blade sets all of the fluid in motion.
  EXPECT_GT(flow.largest_speed(), 0.03);
}

// The largest speed of a sphere with so many cells in its diameter of 15 mm, 1120 kg/m^3, that
// sinks from 120 mm above the bottom of a box of 100 x 100 x 160 mm, over that in a large bath.
double settling_speed(int diameter) {
  constexpr double density = 960, viscosity = 0.058, speed = 0.128, lattice_speed = 0.05;
  const double spacing = 0.015 / diameter, step = lattice_speed * spacing / speed;
  const auto cells = [&](double length) { return static_cast<int>(std::lround(length / spacing)); };
  Problem p;
  p.cells = {cells(0.1), cells(0.1), cells(0.16)};
  for (int axis = 0; axis < 3; ++axis) set_faces(p.faces, axis, BoundaryKind::wall);
  p.collision = trt(tau_of(viscosity / density * step / (spacing * spacing)));
  const geometry::Vec center{0.05 / spacing, 0.05 / spacing, 0.1275 / spacing};
  auto body = std::make_shared<MovingBody>();
  body->fraction =
      cases::sample_solid_fraction(*geometry::make_sphere(center, 0.5 * diameter), p.cells, {}, {});
  FreeBodyMotion motion;
  motion.density_ratio = 1120 / density;
  motion.gravity = {0, 0, -9.81 * step * step / spacing};
  body->free = std::make_shared<FreeBody>(displaced_fluid(body->fraction, p.cells), motion,
                                          std::vector<Vector3>{});
  body->pivot = body->free->centroid();
  body->place = [free = body->free](double) { return free->place(); };
  const geometry::BodySet set(p.cells, {}, {{"ball", nowhere()}});
  p.geometry = &set;
  p.bodies.resize(1);
  p.bodies[0].moving = body;
  Flow flow(p);
  double fastest = 0;
  while (static_cast<double>(body->free->state().step) * step < 0.9) {
    flow.advance(1);
    const Load load = flow.load(0);
    body->free->advance(load.force, load.torque);
    fastest = std::max(fastest, -body->free->state().velocity[2]);
  }
  return fastest / lattice_speed;
}

TEST(MovingBodies, SphereSinksInABox) {
  Evidence evidence(
      "sphere that sinks in a box, Reynolds number 31.9: largest speed over that in a large bath",
      "experiment of ten Cate et al., Phys. Fluids 14 (2002) 4012");
  constexpr double experiment = 0.955;
  Table& table = evidence.table(
      "largest speed", {"cells in the diameter", {"speed", "{:.4f}"}, {"difference", "{:+.2f} %"}});
  std::vector<int> diameters{6};
  if (full_run()) diameters = {6, 9};
  for (const int diameter : diameters) {
    const double speed = settling_speed(diameter);
    table.row({diameter, speed, 100 * (speed / experiment - 1)});
    evidence.on(fmt::format("{} cells in the diameter", diameter));
    evidence.matches("largest speed", speed, experiment, 0.02);
  }
}

}  // namespace
}  // namespace lbm::verification
