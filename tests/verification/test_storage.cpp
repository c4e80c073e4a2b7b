// SPDX-License-Identifier: Apache-2.0

// Effects of storage in fewer bits: on the force on a sphere in a duct, and on weak waves.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "cases/geometry/body_set.hpp"
#include "cases/geometry/primitives/primitives.hpp"
#include "tests/verification/support/evidence.hpp"
#include "tests/verification/support/flow.hpp"

namespace lbm::verification {
namespace {

using geometry::BodySet;

// Re 20 with the diameter; walls half a diameter away. The mean over the last 200 steps: what is
// stored in 16 bits flickers.
Load sphere_in_a_duct(StorageType storage) {
  const int n = 14;
  const double radius = 3.4, speed = 0.04;
  Problem p;
  p.cells = {36, n, n};
  for (FaceBoundary& face : p.faces) face.condition.kind = BoundaryKind::wall;
  p.faces[0].condition.kind = BoundaryKind::velocity;
  p.faces[0].condition.velocity[0] = speed;
  p.faces[1].condition.kind = BoundaryKind::pressure;
  const BodySet bodies(p.cells, {false, false, false},
                       {{"sphere", geometry::make_sphere({12.3, 6.6, 7.8}, radius)}});
  p.geometry = &bodies;
  BodyMotion motion;
  motion.center[0] = 12.3;
  motion.center[1] = 6.6;
  motion.center[2] = 7.8;
  motion.angular_velocity[2] = 0.002;
  p.bodies = {{motion, true}};
  p.collision.kind = CollisionKind::trt;
  p.collision.omega = 1 / tau_of(speed * 2 * radius / 20);
  p.storage = storage;
  p.initial = [=](int, int, const StateRow& row) {
    for (double& u : row.ux) u = speed;
  };
  Flow flow(p);
  flow.advance(1800);
  Load mean{};
  const int samples = 200;
  for (int i = 0; i < samples; ++i) {
    flow.advance(1);
    const Load now = flow.load(0);
    for (int a = 0; a < 3; ++a) {
      mean.force[a] += now.force[a] / samples;
      mean.torque[a] += now.torque[a] / samples;
    }
  }
  return mean;
}

TEST(Storage, ForcesOfFewerBits) {
  Evidence evidence("force and torque on a sphere with fewer bits", "the same in fp64");
  Table& table =
      evidence.table("sphere in a duct that turns, Re 20: largest difference of a component",
                     {"storage", {"force / drag", "{:.1e}"}, {"torque / its largest", "{:.1e}"}});
  const Load exact = sphere_in_a_duct(StorageType::fp64);
  const double drag = exact.force[0], turn = std::abs(exact.torque[2]);
  EXPECT_GT(std::abs(exact.force[2]), 0.01 * drag);
  evidence.on("36 x 14 x 14, diameter 6.8");
  const struct {
    StorageType storage;
    double force, torque;
  } bounds[] = {{StorageType::fp32, 5e-6, 5e-6}, {StorageType::fp16, 2e-3, 5e-3}};
  for (const auto& bound : bounds) {
    const Load load = sphere_in_a_duct(bound.storage);
    double force = 0, torque = 0;
    for (int a = 0; a < 3; ++a) {
      force = std::fmax(force, std::abs(load.force[a] - exact.force[a]) / drag);
      torque = std::fmax(torque, std::abs(load.torque[a] - exact.torque[a]) / turn);
    }
    const std::string name = to_string(bound.storage);
    table.row({name, force, torque});
    evidence.below("force over drag, " + name, force, bound.force);
    evidence.below("torque over its largest component, " + name, torque, bound.torque);
  }
}

// The amplitude after 5000 steps of a shear wave u_y = a sin(k x) that a stream along x carries: in
// a step it changes by less than half a unit in the last place of fp16.
double carried_wave(StorageType storage, Representation representation, double tau, double a) {
  constexpr int n = 64;
  const double k = 2 * std::numbers::pi / n;
  Problem p;
  p.cells = {n, 8, 8};
  p.collision.kind = CollisionKind::regularised;
  p.collision.omega = 1 / tau;
  p.storage = storage;
  p.representation = representation;
  p.initial = [=](int, int, const StateRow& row) {
    for (int x = 0; x < n; ++x) {
      row.ux[x] = 0.05;
      row.uy[x] = a * std::sin(k * (x + 0.5));
    }
  };
  Flow flow(p);
  flow.advance(5000);
  double sine = 0, cosine = 0, cells = 0;
  flow.for_each_cell([&](int x, int, int, const Cell& c) {
    sine += c.uy * std::sin(k * (x + 0.5));
    cosine += c.uy * std::cos(k * (x + 0.5));
    ++cells;
  });
  return 2 * std::hypot(sine, cosine) / cells;
}

TEST(Storage, WeakWavesOnAStream) {
  Evidence evidence("weak shear wave on a stream in fp16", "the same in fp64");
  Table& table = evidence.table("64 x 8 x 8, stream 0.05, regularised, after 5000 steps",
                                {{"tau", "{:.3f}"},
                                 {"amplitude at first", "{:.4f}"},
                                 {"decay in fp64", "{:.4f}"},
                                 {"fp16, populations", "{:+.2f} %"},
                                 {"fp16, moments", "{:+.2f} %"}});
  evidence.on("64 x 8 x 8");
  for (const double tau : {0.505, 0.55}) {
    for (const double a : {0.05, 0.005}) {
      const double exact = carried_wave(StorageType::fp64, Representation::populations, tau, a);
      const double populations =
          carried_wave(StorageType::fp16, Representation::populations, tau, a) / exact - 1;
      const double moments =
          carried_wave(StorageType::fp16, Representation::moments, tau, a) / exact - 1;
      table.row({tau, a, exact / a, 100 * populations, 100 * moments});
      const std::string flow = fmt::format("amplitude {:.3f}, tau {:.3f}", a, tau);
      evidence.within("error of the amplitude, populations, " + flow, populations, 0.03, percent);
      evidence.within("error of the amplitude, moments, " + flow, moments, 0.03, percent);
    }
  }
}

}  // namespace
}  // namespace lbm::verification
