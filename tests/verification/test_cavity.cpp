// The lid-driven cavity, two-dimensional by two periodic cells in y, against the tables of Ghia,
// Ghia and Shin (1982). Their v is our uz, their y our z.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "tests/verification/flow.hpp"
#include "tests/verification/profile.hpp"

namespace lbm::verification {
namespace {

Flow make_cavity(int n, double reynolds, double velocity, const tiling::PlanOptions& options) {
  Faces faces;
  faces[2].wall = faces[3].wall = false;
  faces[5].velocity[0] = velocity;
  const Lattice lattice =
      make_lattice(n, 2, n, StorageType::fp32, tau_of(velocity * n / reynolds), faces);
  return Flow(lattice, {}, options);
}

std::int64_t convective_times(double times, int n, double velocity) {
  return std::llround(times * n / velocity);
}

// Velocities along the lines through the middle, which lies between cells: n is even.
struct Profiles {
  std::vector<double> ux_over_z, uz_over_x;

  Profiles(Flow& flow, double velocity) {
    const int n = flow.lattice().nz;
    for (int i = 0; i < n; ++i) {
      const double ux = flow.cell(n / 2 - 1, 0, i).ux + flow.cell(n / 2, 0, i).ux;
      const double uz = flow.cell(i, 0, n / 2 - 1).uz + flow.cell(i, 0, n / 2).uz;
      ux_over_z.push_back(ux / 2 / velocity);
      uz_over_x.push_back(uz / 2 / velocity);
    }
  }
};

struct Deviation {
  double u, v;  // largest along each line, in lid velocities
  double largest() const { return std::max(u, v); }
};

Deviation deviation(const Profiles& profiles, const std::string& table) {
  const Profile u(0, profiles.ux_over_z, 1), v(0, profiles.uz_over_x, 0);
  Deviation deviation{0, 0};
  for (const auto& row : read_table(LBM_SOURCE_DIR "/tests/verification/data/" + table)) {
    deviation.u = std::fmax(deviation.u, std::abs(u(row.at(0)) - row.at(1)));
    deviation.v = std::fmax(deviation.v, std::abs(v(row.at(2)) - row.at(3)));  // fmax drops nan
  }
  return deviation;
}

// Extrema along the centre lines.
std::array<double,3> extrema(const Profiles& profiles) {
  const Profile u(0, profiles.ux_over_z, 1), v(0, profiles.uz_over_x, 0);
  double e[3] = {0, 0, 0};
  for (int i = 0; i <= 10000; ++i) {
    const double at = i / 10000.0;
    e[0] = std::fmin(e[0], u(at));
    e[1] = std::fmax(e[1], v(at));
    e[2] = std::fmin(e[2], v(at));
  }
  return {e[0], e[1], e[2]};
}
TEST(Cavity, Explore) {
  for (int n : {16,24, 32, 48, 64}) for (double U : {0.1, 0.05, 1.6/n}) {
    if(n<24&&U>.1) U=.1;
    Flow f = make_cavity(n, 100, U, in_core);
    f.advance(convective_times(20, n, U));
    auto d = deviation(Profiles(f, U), "ghia1982_re100.csv");
    auto e = extrema(Profiles(f,U));
    std::printf("  %d %.3f t %.0f: %.2e %.2e   %+.4f %+.4f %+.4f\n", n, U, (double)f.step()*U/n, d.u, d.v, e[0]/-0.2140424-1,e[1]/0.1795728-1,e[2]/-0.2538030-1);fflush(stdout);
  }
}
TEST(Cavity, Explore400) {
  for (int n : {32,48, 64, 96}) for (double U : {0.1}) {
    Flow f = make_cavity(n, 400, U, in_core);
    for (double t : {20., 10., 10.}) {
    f.advance(convective_times(t, n, U));
    auto d = deviation(Profiles(f, U), "ghia1982_re400.csv");
    std::printf("  %d %.2f t %.0f: %.2e %.2e\n", n, U, (double)f.step()*U/n, d.u, d.v);fflush(stdout);
    }
  }
}
}  // namespace
}  // namespace lbm::verification
