// SPDX-License-Identifier: Apache-2.0

// The cylinder in a channel of Schaefer & Turek (1996), 2D-2: Re 100, a vortex street. Their
// bounds: St 0.2950 to 0.3050, largest drag 3.22 to 3.24, largest lift 0.99 to 1.01.
//
// LBM_VERIFICATION=full: finer grids, some minutes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "cases/geometry/body_set.hpp"
#include "cases/geometry/primitives/primitives.hpp"
#include "tests/verification/support/cylinder_channel.hpp"
#include "tests/verification/support/evidence.hpp"

namespace lbm::verification {
namespace {

struct Street {
  double strouhal, drag, lift;
  double unsteady;  // change of the lift's amplitude from one half of the record to the other
  std::int64_t steps;
};

// Diameters that the mean flow travels before the record begins, and during it: 9 periods.
constexpr int settle = 90, watch = 30;

Street street(int d, double mean, CollisionKind kind) {
  Problem p = cylinder_channel(d, mean, 100, BoundaryKind::pressure, kind);
  const double centre = 2.0 * d;
  const geometry::BodySet bodies(
      p.cells, {false, false, true},
      {{"cylinder",
        geometry::make_cylinder({centre, centre, -30}, {centre, centre, 30}, d / 2.0)}});
  p.geometry = &bodies;
  p.bodies = {{{}, true}};
  Flow flow(p);
  flow.advance(static_cast<std::int64_t>(settle * d / mean));
  const double scale = 0.5 * mean * mean * d;
  // A few steps a sample: together they are the mean, which is less of sound than one alone.
  const int every = std::max(1, static_cast<int>(d / mean / 100));
  const auto samples = static_cast<int>(watch * d / mean / every);
  std::vector<double> drag, lift;
  for (int i = 0; i < samples; ++i) {
    flow.advance(every);
    drag.push_back(flow.load(0).force[0] / scale);
    lift.push_back(flow.load(0).force[1] / scale);
  }
  // Where the lift rises through its mean.
  const auto [low, high] = std::minmax_element(lift.begin(), lift.end());
  const double middle = (*low + *high) / 2;
  double first = -1, last = -1;
  int periods = -1;
  for (std::size_t i = 1; i < lift.size(); ++i) {
    if (lift[i - 1] >= middle || lift[i] < middle) continue;
    last = static_cast<double>(i) - (lift[i] - middle) / (lift[i] - lift[i - 1]);
    if (++periods == 0) first = last;
  }
  const auto half = lift.begin() + static_cast<std::ptrdiff_t>(lift.size() / 2);
  const double early = *std::max_element(lift.begin(), half);
  const double late = *std::max_element(half, lift.end());
  return {periods * d / (mean * (last - first) * every),
          *std::max_element(drag.begin(), drag.end()), *high, late / early - 1, flow.step()};
}

// Shares by which a grid may differ from the middle of the bounds.
struct Bounds {
  int d;
  double mean, strouhal, drag, lift;
};

TEST(VortexStreet, HasTheFrequencyDragAndLiftOfTheBenchmark) {
  Evidence evidence(
      "vortex street behind a cylinder, Re 100",
      "Schaefer & Turek 1996, 2D-2: St 0.295 to 0.305, cd max 3.22 to 3.24, cl max 0.99 "
      "to 1.01");
  Table& table =
      evidence.table("middle of the bounds: St 0.300, cd 3.23, cl 1.00", {"diameter",
                                                                          "mean velocity",
                                                                          {"St", "{:.4f}"},
                                                                          {"cd max", "{:.3f}"},
                                                                          {"cl max", "{:.3f}"},
                                                                          "steps"});
  std::vector<Bounds> grids{{10, 0.06, 0.03, 0.06, 0.4}};
  if (full_run()) {
    grids.push_back({20, 0.04, 0.01, 0.02, 0.1});
    grids.push_back({30, 0.03, 0.01, 0.02, 0.08});
  }
  for (const Bounds& g : grids) {
    const Street s = street(g.d, g.mean, CollisionKind::bgk);
    table.row({g.d, g.mean, s.strouhal, s.drag, s.lift, static_cast<double>(s.steps)});
    evidence.on(std::to_string(22 * g.d) + " x " + std::to_string(41 * g.d / 10) +
                " x 1, diameter " + std::to_string(g.d));
    if (g.d == grids.back().d) evidence.headline();
    evidence.matches("St", s.strouhal, 0.300, g.strouhal);
    evidence.matches("largest drag", s.drag, 3.23, g.drag);
    evidence.matches("largest lift", s.lift, 1.00, g.lift);
    EXPECT_NEAR(s.unsteady, 0, 0.01) << "the street still grows";
  }
}

}  // namespace
}  // namespace lbm::verification
