// The cylinder in a channel of Schaefer & Turek (1996), 2D-1: Re 20, steady. Reference values of
// featflow (Nabh 1998; John & Matthies 2001): cd 5.57953523384, cl 0.010618948146,
// dp 0.11752016697.
//
// LBM_CYLINDER="20 30": these diameters in cells instead of those that a test has time for.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "cases/geometry/body_set.hpp"
#include "cases/geometry/primitives.hpp"
#include "tests/verification/flow.hpp"

namespace lbm::verification {
namespace {

struct Result {
  double drag, lift, pressure;
  std::int64_t steps;
};

constexpr double drag = 5.57953523384, lift = 0.010618948146, pressure = 0.11752016697;

Problem channel(int d, double mean, FaceKind out) {
  Problem p;
  const int height = 41 * d / 10;
  p.cells = {22 * d, height, 1};
  set_faces(p.faces, 1, FaceKind::wall);
  p.faces[0].rule.kind = FaceKind::velocity;
  p.faces[1].rule.kind = out;
  const auto parabola = [=](int j) {
    const double y = (j + 0.5) / height;
    return 6 * mean * y * (1 - y);
  };
  for (int j = 0; j < height; ++j) {
    p.faces[0].rule.profile.insert(p.faces[0].rule.profile.end(),
                                   {static_cast<float>(parabola(j)), 0.0F, 0.0F});
  }
  p.initial = [=](int y, int, const StateRow& row) {
    for (double& u : row.ux) u = parabola(y);
  };
  p.storage = StorageType::fp32;
  p.collision.kind = CollisionKind::trt;
  p.collision.omega = 1 / tau_of(mean * d / 20);
  return p;
}

// Density in the row through the middle, y = 2 d, taken on to the surface from the two cells
// before it; step: away from it.
double at_surface(Flow& flow, int x, int d, int step) {
  const auto row = [&](int i) {
    return (flow.cell(i, 2 * d - 1, 0).rho + flow.cell(i, 2 * d, 0).rho) / 2;
  };
  return 1.5 * row(x) - 0.5 * row(x + step);
}

Result cylinder(int d, double mean, FaceKind out, bool interpolated) {
  Problem p = channel(d, mean, out);
  const double radius = d / 2.0, centre = 2.0 * d;
  const geometry::BodySet bodies(
      p.cells, {false, false, true},
      {{"cylinder", geometry::make_cylinder({centre, centre, -30}, {centre, centre, 30}, radius)}});
  p.geometry = &bodies;
  p.bodies = {{{}, interpolated}};
  Flow flow(p);
  const auto interval = static_cast<std::int64_t>(d / mean);
  Load before{};
  for (int i = 0; i < 80; ++i) {
    flow.advance(interval);
    const Load now = flow.load(0);
    const bool steady = std::abs(now.force[0] - before.force[0]) < 2e-5 * now.force[0] &&
                        std::abs(now.force[1] - before.force[1]) < 2e-6 * now.force[0];
    before = now;
    if (steady && i > 20) break;
  }
  const double scale = 0.5 * mean * mean * d;
  const int left = 3 * d / 2 - 1, right = 5 * d / 2;
  const double fall = (at_surface(flow, left, d, -1) - at_surface(flow, right, d, 1)) / 3;
  // Of the benchmark: mean velocity 0.2, density 1.
  return {before.force[0] / scale, before.force[1] / scale, fall / (mean * mean) * 0.04,
          flow.step()};
}

Result report(int d, double mean, FaceKind out, bool interpolated) {
  const Result r = cylinder(d, mean, out, interpolated);
  std::printf(
      "  d %d, velocity %.3f, %s, %s: cd %.4f (%+.2f %%), cl %.5f, dp %.5f (%+.2f %%), %lld "
      "steps\n",
      d, mean, out == FaceKind::pressure ? "pressure" : "outflow",
      interpolated ? "interpolated" : "staircase", r.drag, 100 * (r.drag / drag - 1), r.lift,
      r.pressure, 100 * (r.pressure / pressure - 1), static_cast<long long>(r.steps));
  std::fflush(stdout);
  return r;
}

TEST(CylinderInAChannel, HasTheDragOfTheBenchmark) {
  if (const char* sizes = std::getenv("LBM_CYLINDER")) {
    std::istringstream list(sizes);
    for (int d = 0; list >> d;) report(d, 0.5 / d, FaceKind::pressure, true);
    return;
  }
  const Result r = report(10, 0.05, FaceKind::pressure, true);
  EXPECT_NEAR(r.drag / drag, 1, 0.03);
  EXPECT_NEAR(r.pressure / pressure, 1, 0.05);
  EXPECT_NEAR(r.lift, lift, 0.02);
  const Result open = report(10, 0.05, FaceKind::outflow, true);
  EXPECT_NEAR(open.drag / r.drag, 1, 0.01);
}

}  // namespace
}  // namespace lbm::verification
