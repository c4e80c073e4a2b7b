// Viscosity: a transverse wave u = U sin(k.x) in a periodic box is an exact solution of the
// Navier-Stokes equations and decays as exp(-nu k^2 t).
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numbers>

#include "tests/verification/flow.hpp"

namespace lbm::verification {
namespace {

constexpr double amplitude = 0.01;

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

Flow make_wave(const Wave& wave, int n, double tau, const tiling::PlanOptions& options) {
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
  const PlaneLayout& layout = flow.lattice().layout;
  double projection = 0, norm = 0;
  for (int z = 0; z < flow.lattice().nz; ++z) {
    for (int y = 0; y < layout.ny; ++y) {
      for (int x = 0; x < layout.nx; ++x) {
        const Cell cell = flow.cell(x, y, z);
        const double shape = std::sin(wave.phase(n, x, y, z));
        projection += shape * (a * cell.ux + b * cell.uy + c * cell.uz);
        norm += shape * shape * (a * a + b * b + c * c);
      }
    }
  }
  return projection / norm;
}

// Relative error of the decay rate nu k^2, measured from time t_1 on, when the non-equilibrium
// part of the populations has formed, over a time in which the wave falls to about 1/e. The times
// grow as n^2: diffusive scaling.
double decay_rate_error(const Wave& wave, int n, double tau, const tiling::PlanOptions& options) {
  const double rate = viscosity_of(tau) * wave.wave_number_squared(n);
  const auto begin = std::llround(0.5 / rate), steps = std::llround(1 / rate);
  Flow flow = make_wave(wave, n, tau, options);
  flow.advance(begin);
  const double before = measured_amplitude(flow, wave, n);
  flow.advance(steps);
  const double after = measured_amplitude(flow, wave, n);
  return std::log(before / after) / static_cast<double>(steps) / rate - 1;
}

std::vector<Wave> waves() {
  const double s = std::sqrt(0.5);
  return {{"ux_along_z", {0, 0, 1}, {1, 0, 0}},      {"uy_along_x", {1, 0, 0}, {0, 1, 0}},
          {"uz_along_y", {0, 1, 0}, {0, 0, 1}},      {"oblique_xz", {1, 0, 1}, {s, 0, -s}},
          {"oblique_xy", {1, 1, 0}, {s, -s, 0}},     {"oblique_yz", {0, 1, 1}, {0, s, -s}}};
}

class ShearWave : public testing::TestWithParam<Wave> {};

TEST_P(ShearWave, DecaysAtTheViscousRateWithSecondOrder) {
  for (const double tau : {0.55, 0.6, 0.8, 1.0}) {
    for (const auto& options : {in_core, wavefront(5, 4)}) {
      double error[3];
      int i = 0;
      for (const int n : {16, 32, 64}) error[i++] = decay_rate_error(GetParam(), n, tau, options);
      const double order_coarse = std::log2(std::abs(error[0] / error[1]));
      const double order_fine = std::log2(std::abs(error[1] / error[2]));
      std::printf("tau %.2f  errors %+.2e %+.2e %+.2e  orders %.3f %.3f\n", tau, error[0],
                  error[1], error[2], order_coarse, order_fine);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, ShearWave, testing::ValuesIn(waves()),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace lbm::verification
