// SPDX-License-Identifier: Apache-2.0

// Reflections at an outlet: of a sound wave, and of a vortex that flows out.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/verification/support/evidence.hpp"
#include "tests/verification/support/flow.hpp"

namespace lbm::verification {
namespace {

const double sound = std::sqrt(1.0 / 3);

constexpr const char* name_of(BoundaryKind kind) {
  return kind == BoundaryKind::pressure ? "pressure" : "outflow";
}

// The largest deviation of the density, relative to that of the pulse that went out, when what
// came back has reached the middle of the box.
double reflected(BoundaryKind out, int axis, double width) {
  const int length = 160;
  const double height = 1e-4, begin = length / 2.0;
  Problem p;
  p.cells = {2, 2, 2};
  p.cells[axis] = length;
  set_faces(p.faces, axis, BoundaryKind::wall);
  p.faces[2 * axis + 1].condition.kind = out;
  p.collision.kind = CollisionKind::trt;
  p.collision.omega = 1 / 0.52;
  p.initial = [=](int y, int z, const StateRow& row) {
    for (int x = 0; x < static_cast<int>(row.ux.size()); ++x) {
      const double at = std::array{x, y, z}[axis] + 0.5 - begin;
      const double up = height * std::exp(-at * at / (width * width));
      row.drho[x] = up;
      (axis == 0 ? row.ux : (axis == 1 ? row.uy : row.uz))[x] = sound * up;
    }
  };
  Flow flow(p);
  flow.advance(static_cast<std::int64_t>(length / sound));
  double largest = 0;
  flow.for_each_cell(
      [&](int, int, int, const Cell& c) { largest = larger(largest, std::abs(c.drho)); });
  return largest / height;
}

TEST(Outlet, GivesBackLittleOfASoundWave) {
  Evidence evidence("pulse of sound that leaves a box", "the pulse");
  evidence.on("160 cells");
  Table& table = evidence.table(
      "what comes back of a pulse of sound, tau 0.52, box of 160 cells",
      {"along", "width in cells", {"outflow", "{:.1f} %"}, {"pressure", "{:.1f} %"}});
  for (int axis = 0; axis < 3; ++axis) {
    for (const double width : {4.0, 8.0, 16.0}) {
      const double open = reflected(BoundaryKind::outflow, axis, width);
      const double closed = reflected(BoundaryKind::pressure, axis, width);
      table.row({std::string(1, "xyz"[axis]), width, 100 * open, 100 * closed});
      evidence.below("share that comes back, outflow", open, 0.1, percent);
      evidence.above("share that comes back, pressure, which reflects", closed, 0.5, percent);
    }
  }
}

// A vortex that the stream carries out. Largest deviation from the stream once it is gone, relative
// to its own largest velocity.
struct Left {
  double at_most, after;
};

Left vortex_through(BoundaryKind out) {
  const int nx = 96, ny = 80;
  const double stream = 0.06, swirl = 0.02, core = 6, x0 = 56, y0 = 40;
  Problem p;
  p.cells = {nx, ny, 1};
  set_faces(p.faces, 1, BoundaryKind::slip);
  p.faces[0].condition.kind = BoundaryKind::velocity;
  p.faces[0].condition.velocity[0] = stream;
  p.faces[1].condition.kind = out;
  p.collision.kind = CollisionKind::trt;
  p.collision.omega = 1 / 0.53;
  p.initial = [=](int y, int, const StateRow& row) {
    for (int x = 0; x < nx; ++x) {
      // Without circulation: exp(-r^2 / core^2) times the distance; largest velocity `swirl`.
      const double dx = (x + 0.5 - x0) / core, dy = (y + 0.5 - y0) / core;
      const double turn = swirl * std::exp(0.5 - dx * dx - dy * dy) * std::sqrt(2.0);
      row.ux[x] = stream - turn * dy;
      row.uy[x] = turn * dx;
      row.drho[x] = -1.5 * std::exp(1.0) * swirl * swirl * std::exp(-2 * (dx * dx + dy * dy));
    }
  };
  Flow flow(p);
  const auto deviation = [&] {
    double largest = 0;
    flow.for_each_cell([&](int, int, int, const Cell& c) {
      largest = larger(largest, std::hypot(c.ux - stream, c.uy));
    });
    return largest / swirl;
  };
  Left left{};
  for (int i = 0; i < 10; ++i) {
    flow.advance(200);
    left.after = deviation();
    left.at_most = larger(left.at_most, left.after);
  }
  return left;
}

TEST(Outlet, LetsAVortexOut) {
  Evidence evidence("vortex that a stream carries out", "the stream");
  evidence.on("96 x 80");
  for (const BoundaryKind out : {BoundaryKind::outflow, BoundaryKind::pressure}) {
    const Left left = vortex_through(out);
    evidence.headline().below(fmt::format("velocity left behind, {}", name_of(out)), left.after,
                              0.15, percent);
    evidence.below(fmt::format("velocity on the way out, {}", name_of(out)), left.at_most, 1.5,
                   percent);
  }
}

}  // namespace
}  // namespace lbm::verification
