// SPDX-License-Identifier: Apache-2.0

// The turbulence of an inlet: strength and correlations as asked for, and that the flow behind the
// inlet has it.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "solver/boundary/inlet_turbulence.hpp"
#include "tests/verification/support/evidence.hpp"
#include "tests/verification/support/flow.hpp"

namespace lbm::verification {
namespace {

using Vec = std::array<float, 3>;

struct Inlet {
  InletTurbulence turbulence;
  std::vector<TurbulenceMode> modes;

  Inlet(const InletTurbulence& t, const std::array<double, 3>& mean)
      : turbulence(t), modes(turbulence_modes(t, mean)) {}
  Vec at(const Vec& x, std::int64_t step) const {
    float u[3] = {};
    add_turbulence(modes.data(), static_cast<int>(modes.size()), x[0], x[1], x[2], step, 1, u);
    return {u[0], u[1], u[2]};
  }
};

// Over time at many points of the plane of an inlet. Samples further apart than the longest wave,
// so that they are independent: the mean of N has the error rms / sqrt(N), the rms that of
// rms / sqrt(2 N), a correlation 1 / sqrt(N).
TEST(InletTurbulence, HasTheMomentsAskedFor) {
  const int samples = 20000;
  const double sigma = 1 / std::sqrt(double(samples));
  Evidence evidence("strength of an inlet's turbulence", "what is asked for");
  evidence.on("20000 points and times, three seeds; bounds of 4 sigma");
  for (const unsigned seed : {1U, 2U, 7U}) {
    const Inlet inlet({0.01, 12, seed}, {0.05, 0, 0});
    std::mt19937 random(seed);
    double sum[3] = {}, product[3][3] = {};
    for (int i = 0; i < samples; ++i) {
      const auto place = [&] { return static_cast<float>(random() % 4000) + 0.5F; };
      const Vec u = inlet.at({0, place(), place()}, random());
      for (int a = 0; a < 3; ++a) {
        sum[a] += double{u[a]} / 0.01 / samples;
        for (int b = 0; b < 3; ++b) product[a][b] += double{u[a]} * double{u[b]} / 1e-4 / samples;
      }
    }
    for (int a = 0; a < 3; ++a) {
      evidence.within("mean of a component, in rms", sum[a], 4 * sigma);
      evidence.within("rms of a component, off", std::sqrt(product[a][a]) - 1, 4 * sigma);
      evidence.within("correlation of two components", product[a][(a + 1) % 3], 4 * sigma);
    }
  }
}

// Longitudinal correlation of isotropic turbulence with E ~ k^(-5/3) from k0 to 16 k0.
double isotropic(double r, double k0) {
  const int steps = 4000;
  double sum = 0, energy = 0;
  for (int i = 0; i < steps; ++i) {
    const double k = k0 * std::pow(16.0, (i + 0.5) / steps), share = std::pow(k, -2.0 / 3);
    const double kr = k * r;
    const double f = kr < 1e-3 ? 1 : 3 * (std::sin(kr) - kr * std::cos(kr)) / (kr * kr * kr);
    sum += share * f;
    energy += share;
  }
  return sum / energy;
}

// Two points at a distance along any axis: f of the components along it, g of the others; mean over
// many inlets.
struct Correlation {
  double f = 0, g = 0;
};

Correlation two_points(double length, double distance) {
  const int seeds = 60, samples = 150;
  Correlation c;
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    const Inlet inlet({1, length, seed}, {0.05, 0, 0});
    std::mt19937 random(seed);
    for (int i = 0; i < samples; ++i) {
      const auto place = [&] { return static_cast<float>(random() % 4000); };
      Vec x{place(), place(), place()};
      const std::int64_t step = random();
      const Vec u = inlet.at(x, step);
      const int axis = i % 3, side = (axis + 1) % 3;
      x[axis] += static_cast<float>(distance);
      const Vec v = inlet.at(x, step);
      c.f += double{u[axis]} * double{v[axis]} / (seeds * samples);
      c.g += double{u[side]} * double{v[side]} / (seeds * samples);
    }
  }
  return c;
}

TEST(InletTurbulence, HasTheCorrelationsOfItsSpectrum) {
  Evidence evidence("two-point correlations of an inlet's turbulence",
                    "isotropic turbulence, E ~ k^(-5/3) over a factor of 16 (Batchelor 1953)");
  Table& table = evidence.table("distances in integral scales; mean of 60 inlets",
                                {"distance",
                                 {"f", "{:+.3f}"},
                                 {"f of the spectrum", "{:+.3f}"},
                                 {"g", "{:+.3f}"},
                                 {"g of the spectrum", "{:+.3f}"}});
  const double length = 20;
  // From the definition of the integral scale: that of isotropic() is 1.1 / k0.
  double unit = 0;
  for (int i = 0; i < 4000; ++i) unit += isotropic((i + 0.5) * 0.05, 1) * 0.05;
  const double k0 = unit / length;
  double largest = 0, integral = 0;
  const double step = 0.5;
  for (double r = 0.25; r < 6; r += step) {
    const Correlation c = two_points(length, r * length);
    const double f = isotropic(r * length, k0), h = 0.01;
    const double slope = isotropic((r + h) * length, k0) - isotropic((r - h) * length, k0);
    const double g = f + r / 2 * slope / (2 * h);  // no divergence
    table.row({r, c.f, f, c.g, g});
    largest = std::fmax(largest, std::fmax(std::abs(c.f - f), std::abs(c.g - g)));
    integral += c.f * step;
  }
  evidence.on("9000 pairs each; one has a sigma of 0.011 to 0.015");
  evidence.below("largest difference of f and g", largest, 0.06);
  evidence.against("what is asked for").below("integral scale, off", std::abs(integral - 1), 0.1);
}

// Velocity fluctuations in the cells at the inlet minus the prescribed ones at that place and time.
// error: by axis. mean: of the component through the inlet.
struct Follows {
  double error[3] = {}, mean = 0;  // unit: rms of the turbulence
};

Follows behind_inlet(int axis) {
  const double speed = 0.08, rms = 0.004, length = 6;
  Problem p;
  p.cells = {10, 10, 10};
  p.cells[axis] = 16;
  for (FaceBoundary& face : p.faces) face.condition.kind = BoundaryKind::slip;
  BoundaryCondition& in = p.faces[2 * axis].condition;
  in.kind = BoundaryKind::velocity;
  in.velocity[axis] = speed;
  in.turbulence = {rms, length, 3};
  p.faces[2 * axis + 1].condition.kind = BoundaryKind::outflow;
  p.collision.omega = 1 / 0.52;
  p.initial = [=](int, int, const StateRow& row) {
    for (double& u : axis == 0 ? row.ux : axis == 1 ? row.uy : row.uz) u = speed;
  };
  const Inlet asked(in.turbulence, in.velocity);
  Flow flow(p);
  flow.advance(300);
  Follows follows;
  int count = 0;
  for (int i = 0; i < 25; ++i) {
    flow.advance(37);
    for (int j = 2; j < 8; ++j) {
      for (int k = 2; k < 8; ++k, ++count) {
        std::array<int, 3> x{};
        x[(axis + 1) % 3] = j;
        x[(axis + 2) % 3] = k;
        const Cell c = flow.cell(x[0], x[1], x[2]);
        Vec at;
        for (int a = 0; a < 3; ++a) at[a] = static_cast<float>(x[a]) + 0.5F;
        const Vec want = asked.at(at, flow.step());
        const double u[3] = {c.ux, c.uy, c.uz};
        for (int a = 0; a < 3; ++a) {
          const double off = (u[a] - (a == axis ? speed : 0) - double{want[a]}) / rms;
          follows.error[a] += off * off;
          if (a == axis) follows.mean += off;
        }
      }
    }
  }
  for (double& e : follows.error) e = std::sqrt(e / count);
  follows.mean /= count;
  return follows;
}

TEST(InletTurbulence, IsInTheFlowBehindIt) {
  Evidence evidence("flow in the cells at a turbulent inlet", "what is asked for there and then");
  evidence.on("16 x 10 x 10 along each axis, eddies of 6 cells");
  for (int axis = 0; axis < 3; ++axis) {
    const Follows f = behind_inlet(axis);
    for (int a = 0; a < 3; ++a) {
      evidence.below(std::string("rms of the difference, in rms of the turbulence, ") +
                         (a == axis ? "through the face" : "along the face"),
                     f.error[a], 0.35);
    }
    evidence.within("mean of the difference, in rms of the turbulence", f.mean, 0.1);
  }
}

}  // namespace
}  // namespace lbm::verification
