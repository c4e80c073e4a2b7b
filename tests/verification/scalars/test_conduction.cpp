// SPDX-License-Identifier: Apache-2.0

// Scalars in bodies that conduct, and scalars with a macroscopic gradient: walls of two materials,
// a sphere in a block, dispersion in channels, sharp fronts that keep their bounds.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "tests/solver/update/cell_solids.hpp"
#include "tests/verification/support/evidence.hpp"
#include "tests/verification/support/flow.hpp"

namespace lbm::verification {
namespace {

using lbm::test::CellSolids;

ScalarSpec scalar_with(double diffusivity) {
  ScalarSpec spec;
  spec.omega = scalar_omega(diffusivity);
  return spec;
}

std::vector<BodySpec> conducting_body() {
  std::vector<BodySpec> bodies(1);
  bodies[0].interpolated = false;
  bodies[0].conducts = true;
  return bodies;
}

// A wall of n cells along x between the values 1 and 0, the left half of which is a body.
class TwoLayers {
 public:
  TwoLayers(int n, double diffusivity, const ScalarConductor& body, const InitialState& initial,
            const std::optional<std::array<double, 2>>& bounds = {})
      : n_(n),
        solids_(n, 1, 1, [n](int x, int, int) { return x < n / 2 ? 1 : 0; }),
        flow_(problem(diffusivity, body, initial, bounds)) {}
  Flow& flow() { return flow_; }
  double operator()(int x) { return flow_.scalar(0, x, 0, 0); }

 private:
  Problem problem(double diffusivity, const ScalarConductor& body, const InitialState& initial,
                  const std::optional<std::array<double, 2>>& bounds) {
    Problem p;
    p.cells = {n_, 1, 1};
    set_faces(p.faces, 0, BoundaryKind::wall);
    p.geometry = &solids_;
    p.bodies = conducting_body();
    p.scalars = {scalar_with(diffusivity)};
    p.scalars[0].conductors = {body};
    p.scalars[0].bounds = bounds;
    p.scalars[0].faces[0] = {ScalarBoundary::value, 1};
    p.scalars[0].faces[1] = {ScalarBoundary::value, 0};
    p.initial = initial;
    return p;
  }
  int n_;
  CellSolids solids_;
  Flow flow_;
};

TEST(Conduction, WallsOfTwoMaterials) {
  Evidence evidence("conduction through a fluid and a body in series",
                    "straight lines with the same heat flow");
  constexpr int n = 16;
  evidence.on("16 cells");
  for (const double ratio : {0.3, 5.0, 200.0}) {
    for (const double capacity : {0.4, 1.0, 3.0}) {
      const double diffusivity = 0.1;
      TwoLayers wall(n, diffusivity, {0, ratio, capacity, 0}, {});
      wall.flow().advance(
          std::llround(20 * n * n / diffusivity * std::max({1.0, capacity / ratio, capacity})));
      // The value where both meet.
      const double middle = ratio / (ratio + 1);
      double most = 0;
      for (int x = 0; x < n; ++x) {
        const double at = (x + 0.5) / n;
        const double exact = at < 0.5 ? 1 + (middle - 1) * 2 * at : middle * 2 * (1 - at);
        most = larger(most, std::abs(wall(x) - exact));
      }
      evidence.headline().below("error of the scalar", most, 1e-10);
    }
  }
}

TEST(Conduction, BodiesWithSources) {
  Evidence evidence("a body with a source beside fluid", "parabola and straight line");
  constexpr int n = 16;
  const double diffusivity = 0.1, ratio = 4, capacity = 2, source = 1e-4;
  TwoLayers wall(n, diffusivity, {0, ratio, capacity, source}, {});
  wall.flow().advance(std::llround(30 * n * n / diffusivity));
  // In the body ratio D T'' = -capacity source; T and the flux are continuous.
  const double half = n / 2.0, heat = capacity * source, k = ratio * diffusivity;
  const double flux = (1 + heat * half * half / (2 * k)) / (half / k + half / diffusivity);
  double most = 0;
  for (int x = 0; x < n; ++x) {
    const double at = x + 0.5;
    // flux: out of the body; at its left face flux - heat half enters.
    const double in_body = 1 - (flux - heat * half) * at / k - heat * at * at / (2 * k);
    const double exact = at < half ? in_body : flux * (n - at) / diffusivity;
    most = larger(most, std::abs(wall(x) / exact - 1));
  }
  evidence.on("16 cells").below("relative error of the scalar", most, 2e-3);
}

// The slowest mode of two layers of length 1/2, with the value 0 at both ends: its rate is mu^2.
struct Mode {
  double mu, left, right;  // left, right: mu over the root of the diffusivity there

  Mode(double diffusivity, const ScalarConductor& body) {
    const double in_body = diffusivity * body.conductivity / body.capacity;
    const double share = body.conductivity / std::sqrt(in_body) * std::sqrt(diffusivity);
    const auto balance = [&](double m) {
      return share / std::tan(0.5 * m / std::sqrt(in_body)) +
             1 / std::tan(0.5 * m / std::sqrt(diffusivity));
    };
    // The balance falls from +inf at 0 to -inf at the first pole of either cotangent.
    double low = 0, high = 2 * std::numbers::pi * std::sqrt(std::min(in_body, diffusivity));
    for (int i = 0; i < 200; ++i) {
      const double middle = (low + high) / 2;
      (balance(middle) > 0 ? low : high) = middle;
    }
    mu = low;
    left = mu / std::sqrt(in_body);
    right = mu / std::sqrt(diffusivity);
  }
  double at(double x) const {
    return x < 0.5 ? std::sin(left * x) / std::sin(0.5 * left)
                   : std::sin(right * (1 - x)) / std::sin(0.5 * right);
  }
};

TEST(Conduction, LayersCoolWithSecondOrder) {
  Evidence evidence("cooling of a fluid and a body in series", "slowest mode of two layers");
  Table& table = evidence.table("errors of the rate", {"conductivity",
                                                       "capacity",
                                                       {"16 cells", "{:.3f} %"},
                                                       {"32 cells", "{:.4f} %"},
                                                       {"64 cells", "{:.5f} %"},
                                                       {"order", "{:.2f}"},
                                                       {"order", "{:.2f}"}});
  const double diffusivity = 0.05;
  for (const auto& [ratio, capacity] : {std::array{4.0, 1.0}, {0.3, 1.0}, {4.0, 2.5}, {2.0, 0.4}}) {
    const ScalarConductor body{0, ratio, capacity, 0};
    const Mode mode(diffusivity, body);
    double error[3];
    for (int i = 0; i < 3; ++i) {
      const int n = 16 << i;
      TwoLayers wall(n, diffusivity, body, [&](int, int, const StateRow& row) {
        // Less the steady state, which is linear in the layers: the left value is 1.
        const double middle = ratio / (ratio + 1);
        for (int x = 0; x < n; ++x) {
          const double at = (x + 0.5) / n;
          const double steady = at < 0.5 ? 1 + (middle - 1) * 2 * at : middle * 2 * (1 - at);
          row.scalars[0][static_cast<std::size_t>(x)] = steady + mode.at(at);
        }
      });
      const auto amplitude = [&] {
        const int x = 3 * n / 4;
        const double at = (x + 0.5) / n, middle = ratio / (ratio + 1);
        return wall(x) - middle * 2 * (1 - at);
      };
      const double rate = mode.mu * mode.mu / n / n;
      wall.flow().advance(std::llround(0.3 / rate));
      const double before = amplitude();
      const auto steps = std::llround(1 / rate);
      wall.flow().advance(steps);
      error[i] = std::abs(std::log(before / amplitude()) / static_cast<double>(steps) / rate - 1);
    }
    const double order[2] = {order_of(error[0], error[1]), order_of(error[1], error[2])};
    table.row(
        {ratio, capacity, 100 * error[0], 100 * error[1], 100 * error[2], order[0], order[1]});
    evidence.headline().on("32 to 64 cells").above("order of convergence", order[1], 1.9);
  }
}

// Conductivity of a simple cubic array of spheres, relative to the block around them. Terms of the
// volume share to the power 17/3 are left out: Rayleigh (1892), with the coefficient of Sangani &
// Acrivos, Proc. R. Soc. A 386 (1983) 263.
double conductivity_of_array(double ratio, double share) {
  const double l1 = (ratio - 1) / (ratio + 2), l2 = (ratio - 1) / (ratio + 4.0 / 3);
  return 1 + 3 * share / (1 / l1 - share - 1.3047 * l2 * std::pow(share, 10.0 / 3));
}

// The same, computed in an eighth of a period of the array, n cells a side, between the values 0
// and 1. The block is the fluid, with tau = 1: the flux between two cells of the block is the
// difference of their values / 8.
double computed_conductivity(int n, double ratio, double radius) {
  const CellSolids sphere(n, n, n, [=](int x, int y, int z) {
    return std::hypot(x + 0.5, y + 0.5, z + 0.5) < radius ? 1 : 0;
  });
  Problem p;
  p.cells = {n, n, n};
  for (int axis = 0; axis < 3; ++axis) set_faces(p.faces, axis, BoundaryKind::wall);
  p.geometry = &sphere;
  p.bodies = conducting_body();
  p.scalars = {scalar_with(0.125)};
  p.scalars[0].conductors = {{0, ratio, 1, 0}};
  for (std::size_t f = 0; f < 4; ++f) p.scalars[0].faces[f] = {ScalarBoundary::no_flux};
  p.scalars[0].faces[4] = {ScalarBoundary::value, 0};
  p.scalars[0].faces[5] = {ScalarBoundary::value, 1};
  p.initial = [n](int, int z, const StateRow& row) {
    std::fill(row.scalars[0].begin(), row.scalars[0].end(), (z + 0.5) / n);
  };
  Flow flow(p);
  flow.advance(std::llround(1.5 * n * n / 0.125));
  double flux = 0;  // through the outermost face, which the sphere does not touch
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x) flux += (1 - flow.scalar(0, x, y, n - 1)) / 4;
  }
  return flux / n / 0.125;
}

TEST(Conduction, SphereInABlock) {
  Evidence evidence("heat flow through an array of spheres in a block", "Sangani & Acrivos (1983)");
  Table& table = evidence.table("conductivity of the array", {"sphere / block",
                                                              {"exact", "{:.4f}"},
                                                              "cells in half a period",
                                                              {"computed", "{:.4f}"},
                                                              {"error", "{:+.2f} %"}});
  for (const double ratio : {0.1, 10.0}) {
    const double size = 0.6, share = 4 * std::numbers::pi / 3 * std::pow(size / 2, 3);
    const double exact = conductivity_of_array(ratio, share);
    for (int n = 8; n <= (full_run() ? 32 : 16); n += 8) {
      const double found = computed_conductivity(n, ratio, size * n);
      table.row({ratio, exact, n, found, 100 * (found / exact - 1)});
      if (n == 8) continue;
      evidence.headline().on("16 cells and more in half a period, a radius of 0.6 of them");
      evidence.within("error of the conductivity", found / exact - 1, 0.01, percent);
    }
  }
}

// Dispersion in a channel along x, from a scalar with a macroscopic gradient along x. Dispersion is
// the diffusivity less the mean of (velocity - its mean) x stored scalar, over the gradient
// (Brenner, Phil. Trans. R. Soc. A 297 (1980) 81).
struct Channel {
  Problem problem;
  double diffusivity;

  // Returns dispersion / diffusivity, and the Peclet number U a / D with the mean velocity U.
  std::array<double, 2> dispersion(double a, std::int64_t flow_steps, std::int64_t steps) {
    double mean = 0;
    {
      Flow flow(problem);
      flow.advance(flow_steps);
      mean = mean_of(flow, [](double u, double) { return u; });
    }
    problem.scalars = {scalar_with(diffusivity)};
    for (std::size_t f = 0; f < 6; ++f) {
      const bool closed = problem.faces[f].condition.kind != BoundaryKind::periodic;
      problem.scalars[0].faces[f].kind =
          closed ? ScalarBoundary::no_flux : ScalarBoundary::periodic;
    }
    problem.scalars[0].gradient = {1e-3, 0, 0};
    problem.scalars[0].source = 1e-3 * mean;
    Flow flow(problem);
    flow.advance(flow_steps + steps);
    const double flux = mean_of(flow, [&](double u, double s) { return (u - mean) * s; });
    return {1 - flux / 1e-3 / diffusivity, mean * a / diffusivity};
  }
  template <class Of>
  static double mean_of(Flow& flow, const Of& of) {
    double sum = 0;
    double cells = 0;
    flow.for_each_cell([&](int x, int y, int z, const Cell& c) {
      if (flow.solid(x, y, z)) return;
      sum += of(c.ux, flow.scalar(0, x, y, z));
      cells += 1;
    });
    return sum / cells;
  }
};

TEST(Conduction, DispersionInASlit) {
  Evidence evidence("dispersion in a slit", "Taylor (1953), Aris (1956): 1 + 2/105 Pe^2");
  Table& table = evidence.table("dispersion / diffusivity", {"cells",
                                                             {"Pe", "{:.3f}"},
                                                             {"computed", "{:.4f}"},
                                                             {"error", "{:+.3f} %"},
                                                             {"order", "{:.2f}"}});
  double before = NAN, order = NAN;
  for (const int n : {8, 16, 32}) {
    Channel slit;
    slit.problem.cells = {1, 1, n};
    set_faces(slit.problem.faces, 2, BoundaryKind::wall);
    slit.problem.collision.kind = CollisionKind::trt;
    slit.problem.collision.omega = 1.0;
    slit.diffusivity = 0.02;
    const double a = n / 2.0, viscosity = viscosity_of(1.0), speed = 20 * slit.diffusivity / a;
    slit.problem.collision.force.mean = {3 * viscosity * speed / (a * a), 0, 0};
    const auto [found, peclet] = slit.dispersion(a, std::llround(4 * n * n / viscosity),
                                                 std::llround(2 * n * n / slit.diffusivity));
    const double exact = 1 + 2.0 / 105 * peclet * peclet, error = found / exact - 1;
    order = order_of(std::abs(before), std::abs(error));
    table.row({n, peclet, found, 100 * error, order});
    before = error;
  }
  evidence.on("32 cells").headline().within("error of the dispersion", before, 0.01, percent);
  evidence.on("16 to 32 cells").above("order of convergence", order, 1.9);
}

TEST(Conduction, DispersionInATube) {
  Evidence evidence("dispersion in a tube of cells", "Taylor (1953), Aris (1956): 1 + Pe^2/48");
  Table& table =
      evidence.table("dispersion / diffusivity",
                     {"radius", {"Pe", "{:.3f}"}, {"computed", "{:.4f}"}, {"error", "{:+.2f} %"}});
  double last = NAN;
  for (int radius = 5; radius <= (full_run() ? 20 : 10); radius *= 2) {
    const int n = 2 * radius + 2;
    const CellSolids wall(1, n, n, [=](int, int y, int z) {
      return std::hypot(y + 0.5 - n / 2.0, z + 0.5 - n / 2.0) < radius ? 0 : 1;
    });
    Channel tube;
    tube.problem.cells = {1, n, n};
    tube.problem.geometry = &wall;
    tube.problem.bodies.resize(1);
    tube.problem.bodies[0].interpolated = false;
    tube.problem.collision.kind = CollisionKind::trt;
    tube.problem.collision.omega = 1.0;
    tube.diffusivity = 0.02;
    const double viscosity = viscosity_of(1.0), speed = 20 * tube.diffusivity / radius;
    tube.problem.collision.force.mean = {8 * viscosity * speed / (radius * radius), 0, 0};
    const auto [found, peclet] =
        tube.dispersion(radius, std::llround(4 * radius * radius / viscosity),
                        std::llround(2.0 * radius * radius / tube.diffusivity));
    const double error = found / (1 + peclet * peclet / 48) - 1;
    table.row({radius, peclet, found, 100 * error});
    last = error;
  }
  evidence.on("10 cells in the radius and more").headline();
  evidence.within("error of the dispersion", last, 0.04, percent);
}

TEST(Conduction, FrontsKeepTheirBounds) {
  Evidence evidence("sharp front in a box with a lid", "the bounds 0 and 1");
  constexpr int n = 32, steps = 100'000;
  Problem p;
  p.cells = {n, 1, n};
  for (const int axis : {0, 2}) set_faces(p.faces, axis, BoundaryKind::wall);
  p.faces[5].condition.velocity = {0.05, 0, 0};
  p.collision.kind = CollisionKind::trt;
  p.collision.omega = 1 / 0.52;
  p.storage = StorageType::fp32;
  p.scalars = {scalar_with((0.5005 - 0.5) / 4)};
  p.scalars[0].bounds = {0, 1};
  for (const std::size_t f : {0U, 1U, 4U, 5U}) p.scalars[0].faces[f].kind = ScalarBoundary::no_flux;
  p.initial = [](int, int z, const StateRow& row) {
    for (std::size_t x = 0; x < row.ux.size(); ++x) {
      row.scalars[0][x] = x > 8 && x < 20 && z > 8 && z < 20 ? 1 : 0;
    }
  };
  Flow flow(p);
  double first = 0, low = 0, high = 0;
  const auto sum = [&] {
    double all = 0;
    flow.for_each_cell([&](int x, int y, int z, const Cell&) {
      const double value = flow.scalar(0, x, y, z);
      all += value;
      low = std::min(low, value);
      high = std::max(high, value);
    });
    return all;
  };
  first = sum();
  for (int i = 0; i < 100; ++i) {
    flow.advance(steps / 100);
    sum();
  }
  evidence.on("32 x 32, tau 0.5005, 100,000 steps").headline();
  evidence.within("below the lower bound", low, 0.02);
  evidence.within("above the upper bound", high - 1, 0.02);
  evidence.within("change of the sum", sum() / first - 1, 1e-6);
}

TEST(Conduction, BodiesKeepBounds) {
  Evidence evidence("steps in a body that hardly conducts, and beside it", "the bounds 0 and 1");
  constexpr int n = 16;
  double most = 0;
  const InitialState steps([](int, int, const StateRow& row) {
    for (std::size_t x = 0; x < row.ux.size(); ++x) row.scalars[0][x] = x % 8 < 4 ? 0 : 1;
  });
  TwoLayers wall(n, 0.05, {0, 0.01, 1, 0}, steps, std::array{0.0, 1.0});
  for (int step = 0; step < 400; ++step) {
    wall.flow().advance(1);
    for (int x = 0; x < n; ++x) most = larger(most, std::abs(wall(x) - 0.5) - 0.5);
  }
  evidence.on("16 cells").within("beyond the bounds", most, 1e-12);
}

}  // namespace
}  // namespace lbm::verification
