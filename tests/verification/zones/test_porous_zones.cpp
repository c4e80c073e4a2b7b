// SPDX-License-Identifier: Apache-2.0

// Zones that resist the flow: the pressure drop of a plug, the flow of Brinkman in a channel that
// is porous in part, and an actuator disc against momentum theory.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "cases/case/model/moving_bodies.hpp"
#include "cases/geometry/body_set.hpp"
#include "cases/geometry/primitives/primitives.hpp"
#include "tests/verification/support/evidence.hpp"
#include "tests/verification/support/flow.hpp"

namespace lbm::verification {
namespace {

using geometry::ShapePtr;

// A zone has no solid cells.
const SolidGeometry& no_cells(const std::array<int, 3>& cells) {
  static std::vector<std::unique_ptr<geometry::BodySet>> kept;
  const auto nowhere = geometry::make_intersection(
      {geometry::make_sphere({-50, -50, -50}, 1), geometry::make_sphere({-60, -60, -60}, 1)});
  kept.push_back(std::make_unique<geometry::BodySet>(
      cells, std::array<bool, 3>{}, std::vector<geometry::Body>{{"zone", nowhere}}));
  return *kept.back();
}

// Adds a zone to a problem whose faces are set already.
void add_zone(Problem& p, const ShapePtr& shape, const Resistance& resistance) {
  std::array<bool, 3> periodic{};
  for (std::size_t a = 0; a < 3; ++a) periodic[a] = p.faces[2 * a].periodic();
  auto zone = std::make_shared<PorousZone>();
  zone->fraction =
      cases::sample_solid_fraction(*shape, p.cells, periodic, {}, cases::FractionSamples::of_cells);
  zone->resistance = resistance;
  p.geometry = &no_cells(p.cells);
  p.bodies.resize(1);
  p.bodies[0].zone = zone;
}

CollisionSpec trt(double tau) {
  CollisionSpec collision;
  collision.kind = CollisionKind::trt;
  collision.omega = 1 / tau;
  return collision;
}

struct PlugErrors {
  double speed, inside, drop, force;
};

// A plug from x = 10 to 10 + length in a periodic channel with slip at the sides, driven by a
// force.
PlugErrors errors_of_plug(double length, double linear, double quadratic, double u) {
  constexpr int nx = 40;
  Problem p;
  p.cells = {nx, 4, 1};
  set_faces(p.faces, 1, BoundaryKind::slip);
  p.collision = trt(0.8);
  const double drop = length * (linear * u + quadratic * u * u);
  p.collision.force.mean = {drop / nx, 0, 0};
  const ShapePtr plug = geometry::make_box({10 + length / 2, 2, 0.5}, {length, 60, 60});
  Resistance resistance;
  resistance.linear = static_cast<float>(linear);
  resistance.quadratic = static_cast<float>(quadratic);
  add_zone(p, plug, resistance);
  p.initial = [=](int, int, const StateRow& row) {
    for (int x = 0; x < nx; ++x) row.ux[static_cast<std::size_t>(x)] = u;
  };
  Flow flow(p);
  flow.advance_until_steady(200, 1e-11, 200000);
  const auto mass_flux = [&](int x) {
    const Cell c = flow.cell(x, 1, 0);
    return c.rho() * c.ux;
  };
  // The pressure falls along the plug, less the force there, and rises along the rest.
  const double between = (flow.cell(4, 1, 0).drho - flow.cell(35, 1, 0).drho) / 3;
  return {mass_flux(3) / u - 1, mass_flux(20) / mass_flux(3) - 1,
          (between + drop / nx * 31) / drop - 1, flow.load(0).force[0] / (drop * 4) - 1};
}

TEST(PorousZones, DropAcrossAPlug) {
  Evidence evidence("plug of a porous medium across a channel",
                    "length x (viscosity / permeability u + C u^2)");
  evidence.on("40 x 4");
  Table& table = evidence.table("errors, velocity 0.01", {{"length, cells", "{:.2f}"},
                                                          "viscosity / permeability",
                                                          "C",
                                                          {"mass flux", "{:+.1e}"},
                                                          {"mass flux inside", "{:+.1e}"},
                                                          {"pressure drop", "{:+.1e}"},
                                                          {"force on the plug", "{:+.1e}"}});
  struct Plug {
    double length, linear, quadratic;
  };
  for (const Plug& plug : {Plug{16, 0.001, 0}, Plug{16, 0.8, 0}, Plug{16, 0, 1}, Plug{16, 0.2, 20},
                           Plug{15.5, 0.01, 1}}) {
    const PlugErrors e = errors_of_plug(plug.length, plug.linear, plug.quadratic, 0.01);
    table.row({plug.length, plug.linear, plug.quadratic, e.speed, e.inside, e.drop, e.force});
    evidence.within("error of the mass flux", e.speed, 2e-3);
    evidence.within("mass flux inside over that outside, less 1", e.inside, 1e-5);
    evidence.within("error of the pressure drop", e.drop, 2e-3);
    evidence.within("error of the force on the plug", e.force, 1e-6);
  }
}

// Largest error, over the largest velocity, in a channel from y = 0 to n that is porous up to n/2.
double error_of_brinkman(int n, double darcy) {
  constexpr double tau = 0.8, u = 0.02;
  const double viscosity = viscosity_of(tau), height = n, a = height / 2;
  const double permeability = darcy * height * height, linear = viscosity / permeability;
  const double g = 8 * viscosity * u / (height * height), m = 1 / std::sqrt(permeability);
  Problem p;
  p.cells = {2, n, 1};
  set_faces(p.faces, 1, BoundaryKind::wall);
  p.collision = trt(tau);
  p.collision.force.mean = {g, 0, 0};
  Resistance resistance;
  resistance.linear = static_cast<float>(linear);
  add_zone(p, geometry::make_box({1, a / 2 - 25, 0.5}, {200, a + 50, 200}), resistance);
  Flow flow(p);
  flow.advance(std::llround(3 * height * height / viscosity));
  // Porous: g / linear + b cosh(m y) + c sinh(m y), at rest at y = 0; beyond it a parabola with the
  // same velocity and slope at y = a, at rest at y = height.
  const double b = -g / linear, rest = height - a;
  const double fixed_part = g / linear + b * std::cosh(m * a) + rest * b * m * std::sinh(m * a);
  const double c = (g * rest * rest / (2 * viscosity) - fixed_part) /
                   (std::sinh(m * a) + rest * m * std::cosh(m * a));
  const double at_a = g / linear + b * std::cosh(m * a) + c * std::sinh(m * a);
  const double slope = m * (b * std::sinh(m * a) + c * std::cosh(m * a));
  double largest = 0, error = 0;
  for (int j = 0; j < n; ++j) {
    const double y = j + 0.5, d = y - a;
    const double exact = y < a ? g / linear + b * std::cosh(m * y) + c * std::sinh(m * y)
                               : at_a + slope * d - g / (2 * viscosity) * d * d;
    largest = larger(largest, exact);
    error = larger(error, std::abs(flow.cell(0, j, 0).ux - exact));
  }
  return error / largest;
}

TEST(PorousZones, FlowOfBrinkman) {
  Evidence evidence("channel that is porous in one half",
                    "flow of Brinkman: cosh and sinh in the medium, a parabola beside it");
  Table& table = evidence.table("largest error over the largest velocity",
                                {"cells across",
                                 {"permeability 0.01 of the height squared", "{:.1e}"},
                                 {"order", "{:.2f}"},
                                 {"0.001", "{:.1e}"},
                                 {"order", "{:.2f}"}});
  double before[2] = {NAN, NAN}, orders[2] = {};
  for (const int n : {16, 32, 64}) {
    const double errors[2] = {error_of_brinkman(n, 0.01), error_of_brinkman(n, 0.001)};
    for (int i = 0; i < 2; ++i) orders[i] = order_of(before[i], errors[i]);
    table.row({n, errors[0], orders[0], errors[1], orders[1]});
    std::copy(errors, errors + 2, before);
  }
  evidence.on("64 cells across");
  for (int i = 0; i < 2; ++i) {
    evidence.below("largest error", before[i], 5e-3);
    evidence.above("order of convergence", orders[i], 1.8);
  }
}

// Velocity in a disc of local thrust coefficient c that covers the share b of a channel, over that
// far away: mass, momentum and Bernoulli's equation for the wake (w) and the stream beside it (s)
// (Garrett & Cummins, J. Fluid Mech. 588 (2007) 243). b = 0: 1 / (1 + c/4).
double speed_in_disc(double c, double b) {
  double low = 0.3, high = 1;
  for (int i = 0; i < 60; ++i) {
    const double u = (low + high) / 2, thrust = c * u * u / 2;
    // The bypass (s) and the wake (w) have the pressure of both ends.
    double s = 1, w = 1;
    for (int k = 0; k < 200; ++k) {
      w = std::sqrt(std::max(s * s - 2 * thrust, 1e-6));
      s = (1 - b * u) / (1 - b * u / w);
    }
    const double fluxes = s * (1 - b * u) + w * b * u - 1;
    const double excess = (s * s - 1) / 2 - b * thrust - fluxes;
    (excess > 0 ? high : low) = u;
  }
  return (low + high) / 2;
}

struct DiscResult {
  double speed, thrust;
};

// A strip of 12 cells across the stream, 3 thick, in a plane channel with slip at the sides.
DiscResult plane_disc(double local, int across) {
  constexpr int nx = 240;
  constexpr double u = 0.05, width = 12, thickness = 3;
  Problem p;
  p.cells = {nx, across, 1};
  set_faces(p.faces, 1, BoundaryKind::slip);
  p.faces[0].condition.kind = BoundaryKind::velocity;
  p.faces[0].condition.velocity = {u, 0, 0};
  p.faces[1].condition.kind = BoundaryKind::pressure;
  p.collision.kind = CollisionKind::central_moments;
  p.collision.omega = 1 / 0.51;
  p.collision.least_odd_rate = 1;
  Resistance resistance;
  resistance.quadratic = static_cast<float>(local / (2 * thickness));
  resistance.all = 0;
  resistance.along = 1;
  resistance.axis[0] = 1;
  const double middle = across / 2.0;
  add_zone(p, geometry::make_box({80, middle, 0.5}, {thickness, width, 200}), resistance);
  p.initial = [=](int, int, const StateRow& row) {
    for (int x = 0; x < nx; ++x) row.ux[static_cast<std::size_t>(x)] = u;
  };
  Flow flow(p);
  flow.advance(20000);
  double speed = 0;
  for (int i = 0; i < 4 * 12; ++i) {
    const double share = i % 4 == 0 || i % 4 == 3 ? 0.5 : 1;  // of the cell in the disc
    speed += share * flow.cell(78 + i % 4, across / 2 - 6 + i / 4, 0).ux / (width * thickness * u);
  }
  return {speed, flow.load(0).force[0] / (width * u * u / 2)};
}

TEST(PorousZones, DiscInAChannel) {
  Evidence evidence("actuator disc in a plane channel",
                    "momentum theory (Garrett & Cummins, J. Fluid Mech. 588 (2007) 243)");
  Table& table = evidence.table("local thrust coefficient, plane disc of 12 cells",
                                {"coefficient",
                                 {"share of the channel", "{:.3f}"},
                                 {"speed in the disc", "{:.4f}"},
                                 {"momentum theory", "{:.4f}"},
                                 {"the same, no sides", "{:.4f}"},
                                 {"thrust coefficient", "{:.4f}"},
                                 {"momentum theory", "{:.4f}"}});
  std::vector<int> widths{60, 120};
  if (full_run()) widths = {60, 120, 240};
  for (const int across : widths) {
    for (const double local : {0.2, 0.5, 1.0}) {
      const DiscResult found = plane_disc(local, across);
      const double share = 12.0 / across, speed = speed_in_disc(local, share);
      const double thrust = local * speed * speed;
      table.row({local, share, found.speed, speed, 1 / (1 + local / 4), found.thrust, thrust});
      evidence.on(fmt::format("240 x {}", across));
      evidence.matches("speed in the disc over the theory", found.speed / speed, 1, 0.02);
      evidence.matches("thrust over the theory", found.thrust / thrust, 1, 0.04);
    }
  }
}

}  // namespace
}  // namespace lbm::verification
