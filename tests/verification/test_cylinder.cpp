// SPDX-License-Identifier: Apache-2.0

// The cylinder in a channel of Schaefer & Turek (1996), 2D-1: Re 20, steady. Reference values of
// featflow (Nabh 1998; John & Matthies 2001): cd 5.57953523384, cl 0.010618948146,
// dp 0.11752016697.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "cases/geometry/body_set.hpp"
#include "cases/geometry/primitives/primitives.hpp"
#include "tests/verification/support/cylinder_channel.hpp"
#include "tests/verification/support/evidence.hpp"

namespace lbm::verification {
namespace {

struct Result {
  double drag, lift, pressure;
  std::int64_t steps;
};

constexpr double drag = 5.57953523384, lift = 0.010618948146, pressure = 0.11752016697;

// Density in the row through the middle, y = 2 d, taken on to the surface from the two cells
// before it; step: away from it.
double at_surface(Flow& flow, int x, int d, int step) {
  const auto row = [&](int i) {
    return (flow.cell(i, 2 * d - 1, 0).drho + flow.cell(i, 2 * d, 0).drho) / 2;
  };
  return 1.5 * row(x) - 0.5 * row(x + step);
}

Result cylinder(int d, double mean, BoundaryKind out, bool conserving) {
  Problem p = cylinder_channel(d, mean, 20, out, CollisionKind::trt);
  const double radius = d / 2.0, centre = 2.0 * d;
  const geometry::BodySet bodies(
      p.cells, {false, false, true},
      {{"cylinder", geometry::make_cylinder({centre, centre, -30}, {centre, centre, 30}, radius)}});
  p.geometry = &bodies;
  p.bodies.resize(1);
  p.bodies[0].motion.conserves_mass = conserving;
  Flow flow(p);
  // The transient dies out as an oscillation of many intervals, so two equal samples in a row show
  // no steady flow: the mean of ten counts, once they differ little.
  const auto interval = static_cast<std::int64_t>(d / mean);
  constexpr std::size_t window = 10;
  std::vector<double> drags, lifts;
  const auto range_of_last = [](const std::vector<double>& v) {
    const auto [least, most] = std::minmax_element(v.end() - window, v.end());
    return *most - *least;
  };
  const auto mean_of_last = [](const std::vector<double>& v) {
    return std::accumulate(v.end() - window, v.end(), 0.0) / window;
  };
  for (int i = 0; i < 100; ++i) {
    flow.advance(interval);
    const Load now = flow.load(0);
    drags.push_back(now.force[0]);
    lifts.push_back(now.force[1]);
    if (i > 20 && range_of_last(drags) < 1e-4 * now.force[0] &&
        range_of_last(lifts) < 2e-5 * now.force[0]) {
      break;
    }
  }
  const double scale = 0.5 * mean * mean * d;
  const int left = 3 * d / 2 - 1, right = 5 * d / 2;
  const double fall = (at_surface(flow, left, d, -1) - at_surface(flow, right, d, 1)) / 3;
  // The pressure difference is in the benchmark's units: mean velocity 0.2, density 1.
  return {mean_of_last(drags) / scale, mean_of_last(lifts) / scale, fall / (mean * mean) * 0.04,
          flow.step()};
}

constexpr const char* name_of(BoundaryKind kind) {
  return kind == BoundaryKind::pressure ? "pressure" : "outflow";
}

// In full runs the velocity falls with the grid, so that the error of compressibility does.
TEST(CylinderInAChannel, HasTheDragOfTheBenchmark) {
  Evidence evidence("cylinder in a channel, Re 20 (Schaefer & Turek 2D-1)",
                    "Nabh (1998), John & Matthies (2001)");
  Table& table = evidence.table("TRT, fp32, one plane", {"cells in the diameter",
                                                         {"mean velocity", "{:.3f}"},
                                                         "outlet",
                                                         "walls",
                                                         {"cd", "{:.4f}"},
                                                         {"error", "{:+.2f} %"},
                                                         {"cl", "{:.5f}"},
                                                         {"error", "{:+.1f} %"},
                                                         {"dp", "{:.4f}"},
                                                         {"error", "{:+.2f} %"},
                                                         {"steps", "{:.0f}"}});
  const auto run = [&](int d, BoundaryKind out, bool conserving = false) {
    const Result r = cylinder(d, 0.5 / d, out, conserving);
    table.row({d, 0.5 / d, name_of(out), conserving ? "conserving" : "interpolated", r.drag,
               100 * (r.drag / drag - 1), r.lift, 100 * (r.lift / lift - 1), r.pressure,
               100 * (r.pressure / pressure - 1), static_cast<double>(r.steps)});
    evidence.on(fmt::format("{} cells in the diameter", d));
    return r;
  };
  const Result r = run(10, BoundaryKind::pressure);
  evidence.headline().matches("drag", r.drag, drag, 0.03);
  evidence.matches("drop of pressure", r.pressure, pressure, 0.05);
  evidence.within("error of the lift coefficient", r.lift - lift, 0.005);
  const Result open = run(10, BoundaryKind::outflow);
  evidence.against("pressure outlet").matches("drag, outflow", open.drag, r.drag, 0.01);
  if (!full_run()) return;
  evidence.against("Nabh (1998), John & Matthies (2001)");
  run(16, BoundaryKind::pressure);
  for (const int d : {20, 30}) {
    const Result fine = run(d, BoundaryKind::pressure);
    evidence.headline().matches("drag", fine.drag, drag, 0.01);
    evidence.matches("drop of pressure", fine.pressure, pressure, 0.02);
    // The lift is 1/500 of the drag. 20 cells end 2.1 % off, in fp64 as in fp32.
    evidence.matches("lift", fine.lift, lift, d == 20 ? 0.03 : 0.02);
  }
  const Result tight = run(20, BoundaryKind::pressure, true);
  evidence.matches("drag, conserving walls", tight.drag, drag, 0.01);
  evidence.matches("lift, conserving walls", tight.lift, lift, 0.1);
}

}  // namespace
}  // namespace lbm::verification
