// The lid-driven cavity, two-dimensional by two periodic cells in y, against the centre-line tables
// of Ghia, Ghia and Shin (1982) and the extrema of Botella and Peyret (1998), a spectral solution.
// Their v is our uz, their y our z.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "tests/verification/flow.hpp"
#include "tests/verification/profile.hpp"

namespace lbm::verification {
namespace {

constexpr double lid = 0.1;  // cells per step

Flow make_cavity(int n, double reynolds, const tiling::PlanOptions& options) {
  Faces faces;
  faces[2].wall = faces[3].wall = false;
  faces[5].velocity[0] = lid;
  const Lattice lattice =
      make_lattice(n, 2, n, StorageType::fp32, tau_of(lid * n / reynolds), faces);
  return Flow(lattice, {}, options);
}

void advance_convective_times(Flow& flow, double times) {
  flow.advance(std::llround(times * flow.lattice().nz / lid));
}

Flow steady_cavity(int n, double reynolds, double times) {
  Flow flow = make_cavity(n, reynolds, in_core);
  advance_convective_times(flow, times);
  return flow;
}

// Velocities, in lid velocities, along the lines through the middle, which lies between cells: n is
// even.
struct CentreLines {
  std::vector<double> ux_over_z, uz_over_x;

  explicit CentreLines(Flow& flow) {
    const int n = flow.lattice().nz;
    for (int i = 0; i < n; ++i) {
      ux_over_z.push_back((flow.cell(n / 2 - 1, 0, i).ux + flow.cell(n / 2, 0, i).ux) / 2 / lid);
      uz_over_x.push_back((flow.cell(i, 0, n / 2 - 1).uz + flow.cell(i, 0, n / 2).uz) / 2 / lid);
    }
  }
  Profile u() const { return {0, ux_over_z, 1}; }
  Profile v() const { return {0, uz_over_x, 0}; }
};

std::vector<std::vector<double>> table(const char* name) {
  return read_table(std::string(LBM_SOURCE_DIR "/tests/verification/data/") + name);
}

// Largest deviation from a table of Ghia et al. along each line, in lid velocities.
struct Deviation {
  double u = 0, v = 0;
  double largest() const { return std::fmax(u, v); }
};

Deviation deviation(Flow& flow, const char* name) {
  const CentreLines lines(flow);
  const Profile u = lines.u(), v = lines.v();
  Deviation deviation;
  for (const auto& row : table(name)) {
    deviation.u = std::fmax(deviation.u, std::abs(u(row.at(0)) - row.at(1)));
    const double difference = std::abs(v(row.at(2)) - row.at(3));
    if (!std::isnan(row.at(3))) deviation.v = std::max(deviation.v, difference);
  }
  return deviation;
}

// Relative errors of u_min, v_max and v_min.
std::array<double, 3> extremum_errors(Flow& flow) {
  const CentreLines lines(flow);
  const Profile u = lines.u(), v = lines.v();
  const double found[3] = {u.smallest(), v.largest(), v.smallest()};
  const auto reference = table("botella_peyret1998_re100.csv");
  std::array<double, 3> errors{};
  for (std::size_t i = 0; i < 3; ++i) errors[i] = found[i] / reference.at(i).at(0) - 1;
  return errors;
}

double largest(const std::array<double, 3>& errors) {
  return std::max({std::abs(errors[0]), std::abs(errors[1]), std::abs(errors[2])});
}

TEST(Cavity2d, Re100ConvergesToTheSpectralExtrema) {
  std::array<double, 3> errors[2];
  for (int i = 0; i < 2; ++i) {
    Flow flow = steady_cavity(32 << i, 100, 20);
    errors[i] = extremum_errors(flow);
    std::printf("  %d^2: u_min %+.2f %%, v_max %+.2f %%, v_min %+.2f %%\n", 32 << i,
                100 * errors[i][0], 100 * errors[i][1], 100 * errors[i][2]);
  }
  EXPECT_LT(largest(errors[0]), 0.02);
  EXPECT_LT(largest(errors[1]), 0.008);
  EXPECT_GT(largest(errors[0]) / largest(errors[1]), 2);
}

// At Re 100 the table itself is what is left: its v_min is 0.85 % of the lid velocity off the
// spectral one.
TEST(Cavity2d, Re100FollowsGhia) {
  Flow flow = steady_cavity(64, 100, 20);
  const Deviation found = deviation(flow, "ghia1982_re100.csv");
  EXPECT_LT(found.u, 0.008);
  EXPECT_LT(found.v, 0.012);
  std::printf("  64^2: u %.2f %%, v %.2f %% of the lid velocity\n", 100 * found.u, 100 * found.v);
  const CentreLines before(flow);
  advance_convective_times(flow, 2);
  const CentreLines after(flow);
  for (std::size_t i = 0; i < 64; ++i) {
    EXPECT_LT(std::abs(after.ux_over_z[i] - before.ux_over_z[i]), 1e-4) << "not steady";
  }
}

TEST(Cavity2d, Re400ConvergesToGhia) {
  Deviation found[2];
  for (int i = 0; i < 2; ++i) {
    Flow flow = steady_cavity(32 << i, 400, 35);
    found[i] = deviation(flow, "ghia1982_re400.csv");
    std::printf("  %d^2: u %.2f %%, v %.2f %% of the lid velocity\n", 32 << i, 100 * found[i].u,
                100 * found[i].v);
  }
  EXPECT_LT(found[1].largest(), 0.012);
  EXPECT_GT(found[0].largest() / found[1].largest(), 2);
}

// What flows to the right under the lid flows back below: also next to the lid's edges the wall
// lets nothing through. In cells x lid velocity.
TEST(Cavity2d, NothingFlowsThroughTheMiddle) {
  Flow flow = steady_cavity(32, 100, 20);
  double flux = 0;
  for (const double u : CentreLines(flow).ux_over_z) flux += u;
  EXPECT_LT(std::abs(flux), 0.02);
  std::printf("  net flux %+.4f\n", flux);
}

TEST(Cavity2d, OutOfCoreIsTheSameBitForBit) {
  Flow expected = make_cavity(64, 100, in_core), flow = make_cavity(64, 100, wavefront(16, 8));
  for (Flow* each : {&expected, &flow}) advance_convective_times(*each, 8);
  EXPECT_EQ(flow.planes(), expected.planes());
}

}  // namespace
}  // namespace lbm::verification
