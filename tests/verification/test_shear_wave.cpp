// SPDX-License-Identifier: Apache-2.0

// Viscosity: a transverse wave u = U sin(k.x) in a periodic box is an exact solution of the
// Navier-Stokes equations and decays as exp(-nu k^2 t).
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "tests/verification/support/evidence.hpp"
#include "tests/verification/support/flow.hpp"

namespace lbm::verification {
namespace {

constexpr double amplitude = 1e-4;  // terms of order amplitude^2 must not show

// A wave whose phase is 2 pi (modes . x) / n and whose velocity points along `direction`, which is
// normal to it. The box is n cells long where the phase varies, 4 cells elsewhere.
struct Wave {
  const char* name;
  std::array<int, 3> modes;
  std::array<double, 3> direction;

  friend void PrintTo(const Wave& wave, std::ostream* out) { *out << wave.name; }

  int cells(int axis, int n) const { return modes[axis] != 0 ? n : 4; }
  double phase(int n, int x, int y, int z) const {
    return 2 * std::numbers::pi / n *
           (modes[0] * (x + 0.5) + modes[1] * (y + 0.5) + modes[2] * (z + 0.5));
  }
  double wave_number_squared(int n) const {
    const double k = 2 * std::numbers::pi / n;
    return k * k * (modes[0] * modes[0] + modes[1] * modes[1] + modes[2] * modes[2]);
  }
};

Flow make_wave(const Wave& wave, int n, double tau, const tiling::ScheduleOptions& options) {
  const Lattice lattice = make_lattice(wave.cells(0, n), wave.cells(1, n), wave.cells(2, n),
                                       StorageType::fp64, tau, periodic_box());
  const InitialState initial = [=](int y, int z, const StateRow& row) {
    for (int x = 0; x < static_cast<int>(row.ux.size()); ++x) {
      const double u = amplitude * std::sin(wave.phase(n, x, y, z));
      row.ux[x] = u * wave.direction[0];
      row.uy[x] = u * wave.direction[1];
      row.uz[x] = u * wave.direction[2];
    }
  };
  return Flow(lattice, initial, options);
}

// The Fourier coefficient of the wave's own mode.
double measured_amplitude(Flow& flow, const Wave& wave, int n) {
  const auto& [a, b, c] = wave.direction;
  double projection = 0, norm = 0;
  flow.for_each_cell([&](int x, int y, int z, const Cell& cell) {
    const double shape = std::sin(wave.phase(n, x, y, z));
    projection += shape * (a * cell.ux + b * cell.uy + c * cell.uz);
    norm += shape * shape * (a * a + b * b + c * c);
  });
  return projection / norm;
}

struct Decay {
  double rate;      // per step
  double expected;  // nu k^2
  double error() const { return rate / expected - 1; }
};

// Measured from the time on when the non-equilibrium part of the populations has formed, until the
// wave has fallen by another 1/e. The times grow as n^2: diffusive scaling.
Decay measure_decay(const Wave& wave, int n, double tau, const tiling::ScheduleOptions& options) {
  const double expected = viscosity_of(tau) * wave.wave_number_squared(n);
  const auto begin = std::llround(0.5 / expected) + 20, steps = std::llround(1 / expected);
  Flow flow = make_wave(wave, n, tau, options);
  flow.advance(begin);
  const double before = measured_amplitude(flow, wave, n);
  flow.advance(steps);
  const double after = measured_amplitude(flow, wave, n);
  return {std::log(before / after) / static_cast<double>(steps), expected};
}

// The decay rate that the lattice Boltzmann equation itself has. Its linear transverse modes obey
//   f_q s exp(i k.c_q) = (1 - omega) f_q + omega w_q 3 (c_q.d) j,   j = sum (c_q.d) f_q,
// so the factor s per step solves 1 = omega sum 3 w_q (c_q.d)^2 / (s exp(i k.c_q) - 1 + omega),
// whose sum is real because c and -c both occur. Newton's method from the viscous rate.
double discrete_rate(const Wave& wave, int n, double tau) {
  const double omega = 1 / tau, k = 2 * std::numbers::pi / n;
  std::complex<double> s = std::exp(-viscosity_of(tau) * wave.wave_number_squared(n));
  for (int i = 0; i < 50; ++i) {
    std::complex<double> value = -1, slope = 0;
    for (int q = 1; q < D3Q19::directions; ++q) {
      const int c[3] = {cx(q), cy(q), cz(q)};
      double along = 0, turn = 0;
      for (int axis = 0; axis < 3; ++axis) {
        along += c[axis] * wave.direction[axis];
        turn += k * c[axis] * wave.modes[axis];
      }
      const auto shift = std::polar(1.0, turn), bottom = s * shift - 1.0 + omega;
      const double weight = 3 * omega * D3Q19::weight<double>(q) * along * along;
      value += weight / bottom;
      slope -= weight * shift / (bottom * bottom);
    }
    s -= value / slope;
  }
  return -std::log(s.real());
}

std::vector<Wave> waves() {
  const double s = std::sqrt(0.5);
  return {{"ux_along_z", {0, 0, 1}, {1, 0, 0}},  {"uy_along_x", {1, 0, 0}, {0, 1, 0}},
          {"uz_along_y", {0, 1, 0}, {0, 0, 1}},  {"oblique_xz", {1, 0, 1}, {s, 0, -s}},
          {"oblique_xy", {1, 1, 0}, {s, -s, 0}}, {"oblique_yz", {0, 1, 1}, {0, s, -s}}};
}

class ShearWave : public testing::TestWithParam<Wave> {};

const char title[] = "decay of a shear wave";

TEST_P(ShearWave, DecaysAtTheRateOfItsViscosity) {
  const int n = 32;
  Evidence evidence(title, "exp(-nu k^2 t)");
  evidence.on("32 cells a wavelength");
  for (const double tau : {0.55, 0.6, 0.8, 1.0, 1.4}) {
    const Decay decay = measure_decay(GetParam(), n, tau, in_core);
    const double of_the_lattice = decay.rate / discrete_rate(GetParam(), n, tau) - 1;
    const char* what = "error of the rate, tau from 0.55 to 1.4";
    evidence.against("exact rate of the lattice equation");
    evidence.headline().within(what, of_the_lattice, 1e-9);
    evidence.against("exp(-nu k^2 t)").within(what, decay.error(), 0.012, percent);
  }
}

TEST_P(ShearWave, ConvergesWithSecondOrder) {
  Evidence evidence(title, "exp(-nu k^2 t)");
  Table& table = evidence.table("errors of the rate", {"wave",
                                                       "tau",
                                                       {"8 cells", "{:.2f} %"},
                                                       {"16 cells", "{:.3f} %"},
                                                       {"32 cells", "{:.3f} %"},
                                                       {"order", "{:.2f}"},
                                                       {"order", "{:.2f}"}});
  for (const double tau : {0.8, 1.4}) {
    double error[3];
    for (int i = 0; i < 3; ++i) {
      error[i] = std::abs(measure_decay(GetParam(), 8 << i, tau, in_core).error());
    }
    const double order[2] = {order_of(error[0], error[1]), order_of(error[1], error[2])};
    table.row(
        {GetParam().name, tau, 100 * error[0], 100 * error[1], 100 * error[2], order[0], order[1]});
    evidence.on("8, 16, 32 cells a wavelength");
    for (const double each : order) evidence.headline().above("order of convergence", each, 1.9);
    evidence.on("32 cells a wavelength");
    evidence.below("error of the rate, tau 0.8 and 1.4", error[2], 0.012, percent);
  }
}

TEST_P(ShearWave, OutOfCoreDecaysTheSame) {
  Evidence evidence("decay of a shear wave, out of core", "the run in core");
  const Decay expected = measure_decay(GetParam(), 16, 0.6, in_core);
  const Decay found = measure_decay(GetParam(), 16, 0.6, wavefront(7, 2));
  evidence.on("16 cells a wavelength")
      .holds("the same rate, bit for bit", found.rate == expected.rate);
}

// A weak wave in the plane of x and y whose velocity points along `across`, on a stream.
struct CarriedWave {
  const char* name;
  std::array<int, 2> modes;
  std::array<double, 3> across, stream;  // of length 1
};

// Errors of the viscosity, and of the speed at which the stream carries the wave, relative to the
// stream.
struct Carried {
  double viscosity, speed;
};

Carried measure_carried(CollisionKind kind, const CarriedWave& wave, double speed) {
  constexpr int n = 64;
  const double tau = 0.6, k = 2 * std::numbers::pi / n;
  const auto& [a, b] = wave.modes;
  const auto& [ax, ay, az] = wave.across;
  const std::array<double, 3> u{speed * wave.stream[0], speed * wave.stream[1],
                                speed * wave.stream[2]};
  const double rate = viscosity_of(tau) * k * k * (a * a + b * b), turn = k * (a * u[0] + b * u[1]);
  const auto phase = [&](int x, int y) { return k * (a * x + b * y); };
  Problem p;
  p.cells = {n, b != 0 ? n : 4, 1};
  p.collision.kind = kind;
  p.collision.omega = 1 / tau;
  p.initial = [&](int y, int, const StateRow& row) {
    for (int x = 0; x < n; ++x) {
      const double wave_here = 0.1 * amplitude * std::cos(phase(x, y));
      row.ux[x] = u[0] + wave_here * ax;
      row.uy[x] = u[1] + wave_here * ay;
      row.uz[x] = u[2] + wave_here * az;
    }
  };
  Flow flow(p);
  const auto mode = [&] {
    std::complex<double> sum = 0;
    flow.for_each_cell([&](int x, int y, int, const Cell& c) {
      const double here = (c.ux - u[0]) * ax + (c.uy - u[1]) * ay + (c.uz - u[2]) * az;
      sum += here * std::polar(1.0, -phase(x, y));
    });
    return sum;
  };
  flow.advance(std::llround(0.5 / rate));
  const std::complex<double> before = mode();
  const auto steps = std::llround(1 / rate);
  flow.advance(steps);
  const auto time = static_cast<double>(steps);
  const std::complex<double> change = std::log(mode() / before * std::polar(1.0, turn * time));
  return {-change.real() / time / rate - 1, turn == 0 ? 0 : -change.imag() / time / turn};
}

// With an equilibrium of second order the viscosity falls with the square of the stream's speed.
// Central moments have the terms of third order that D3Q19 can hold.
TEST(ShearWaveOnAStream, HasTheViscosityOfAFluidAtRestWithCentralMoments) {
  const double s = std::sqrt(0.5);
  const CarriedWave waves[] = {
      {"along x, stream along x", {1, 0}, {0, 1, 0}, {1, 0, 0}},
      {"along x, stream at 45 degrees", {1, 0}, {0, 0, 1}, {s, s, 0}},
      {"at 45 degrees, stream along it", {1, 1}, {s, -s, 0}, {s, s, 0}},
      {"at 45 degrees, stream along x", {1, 1}, {0, 0, 1}, {1, 0, 0}},
      {"at 45 degrees in the plane, stream along x", {1, 1}, {s, -s, 0}, {1, 0, 0}}};
  Evidence evidence("shear wave on a stream", "the same wave in a fluid at rest");
  Table& table = evidence.table("change of the viscosity by the stream; error of the wave's speed",
                                {"wave",
                                 "Mach",
                                 {"bgk", "{:.1e}"},
                                 {"trt", "{:.1e}"},
                                 {"central_moments", "{:.1e}"},
                                 {"cumulant", "{:.1e}"},
                                 {"speed, bgk", "{:.1e}"},
                                 {"speed, trt", "{:.1e}"},
                                 {"speed, central_moments", "{:.1e}"},
                                 {"speed, cumulant", "{:.1e}"}});
  evidence.on("64 cells a wavelength, tau 0.6");
  for (const double mach : {0.1, 0.2}) {
    for (const CarriedWave& wave : waves) {
      double change[4], speed[4];
      for (int i = 0; i < 4; ++i) {
        const CollisionKind kind =
            std::array{CollisionKind::bgk, CollisionKind::trt, CollisionKind::central_moments,
                       CollisionKind::cumulant}[i];
        const Carried moving = measure_carried(kind, wave, mach / std::sqrt(3.0));
        change[i] = moving.viscosity - measure_carried(kind, wave, 0).viscosity;
        speed[i] = moving.speed;
      }
      table.row({wave.name, mach, change[0], change[1], change[2], change[3], speed[0], speed[1],
                 speed[2], speed[3]});
      evidence.headline().above("bgk's change of the viscosity over that of central moments",
                                std::abs(change[0] / change[2]), 100);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, ShearWave, testing::ValuesIn(waves()),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace lbm::verification
