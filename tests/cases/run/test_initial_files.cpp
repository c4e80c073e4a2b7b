// SPDX-License-Identifier: Apache-2.0

// Runs that start from the results of another run: flows with a known answer, and what is refused.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/cases/run/restart_support.hpp"
#include "tests/cases/vtkhdf_values.hpp"

namespace lbm::cases::test {
namespace {

// Vortices that keep their shape and decay as exp(-2 nu k^2 t) (Taylor 1923), n cells in a wave.
// The lattice velocity falls as 1 / n, so all errors fall as 1 / n^2.
std::string vortices(int n) {
  return fmt::format(R"yaml(
name: vortices
grid: {{cells: [{0}, {0}, 1]}}
boundaries: {{x_min: periodic, x_max: periodic, y_min: periodic, y_max: periodic, z_min: periodic, z_max: periodic}}
fluid: {{reynolds: 50, lattice_velocity: {1}}}
initial:
  flow: formula
  velocity: ["U*sin(2*pi*x/lx)*cos(2*pi*y/ly)", "-U*cos(2*pi*x/lx)*sin(2*pi*y/ly)", 0]
  pressure: "rho0*U^2/4*(cos(4*pi*x/lx) + cos(4*pi*y/ly))"
run: {{convective_times: 1}}
output: {{profiles: false}}
)yaml",
                     n, 1.024 / n);
}

int steps_of(int n, double times) { return static_cast<int>(std::lround(times * n * n / 1.024)); }

std::string file_at(int step) { return fmt::format("fields_{:09d}.hdf", step); }

std::string from(const Runs& runs, const std::string& file) {
  return fmt::format("--set \"initial={{flow: file, file: {}}}\"", runs.path(file).string());
}

double decay_at(double time) {
  return std::exp(-2 * 4 * std::numbers::pi * std::numbers::pi / 50 * time);
}

// The largest error of the velocity against the vortices at a time, in units of their amplitude.
double error_of_vortices(const fs::path& file, int n, double time) {
  const Values u = values_of(file, "velocity");
  double worst = 0;
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x) {
      const double a = 2 * std::numbers::pi * (x + 0.5) / n,
                   b = 2 * std::numbers::pi * (y + 0.5) / n;
      const auto i = static_cast<hsize_t>(x), j = static_cast<hsize_t>(y);
      worst =
          std::max(worst, std::abs(u.at(i, j, 0, 0) / decay_at(time) - std::sin(a) * std::cos(b)));
      worst =
          std::max(worst, std::abs(u.at(i, j, 0, 1) / decay_at(time) + std::cos(a) * std::sin(b)));
    }
  }
  return worst;
}

double largest_difference(const fs::path& one, const fs::path& other) {
  const Values a = values_of(one, "velocity"), b = values_of(other, "velocity");
  EXPECT_EQ(a.shape, b.shape);
  double worst = 0;
  for (std::size_t i = 0; i < std::min(a.values.size(), b.values.size()); ++i) {
    worst = std::max(worst, double{std::abs(a.values[i] - b.values[i])});
  }
  return worst;
}

// From its own fields at t = 0.5 a run differs from the uninterrupted one by the second order.
TEST(InitialFiles, ARunContinuesFromItsOwnFields) {
  double before = 0;
  for (const int n : {16, 32, 64}) {
    const Runs runs(vortices(n));
    const int half = steps_of(n, 0.5), all = steps_of(n, 1);
    ASSERT_EQ(runs.run("whole", "--set output.times=[0.5]").exit_code, 0);
    const Outcome outcome =
        runs.run("again", from(runs, "whole/" + file_at(half)) + " --set run.convective_times=0.5");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const fs::path end = runs.path("again") / file_at(half);
    const double difference =
        largest_difference(runs.path("whole") / file_at(all), end) / decay_at(1);
    const double error = error_of_vortices(end, n, 1);
    if (before > 0) {
      EXPECT_GT(before / difference, 3.3) << n;
    }
    before = difference;
    EXPECT_LT(difference, 0.3 / (n * n)) << n;
    EXPECT_LT(error, 8.0 / (n * n)) << n;
  }
}

// The populations have the viscous stress from the first step on. With a large tau, a start from
// the equilibrium (that of "whole") loses too little: 15 % in its first 20 steps.
TEST(InitialFiles, TheFirstStepsDecayAsTheLaterOnes) {
  const Runs runs(vortices(16));
  const std::string viscous = " --set fluid.reynolds=2 --set fluid.lattice_velocity=0.05";
  // tau = 1.7; 20 steps are 0.0625 L/U.
  ASSERT_EQ(runs.run("whole", "--set output.every_steps=20 --set run.steps=40" + viscous).exit_code,
            0);
  ASSERT_EQ(runs.run("again", from(runs, "whole/" + file_at(20)) + " --set run.steps=20 " + viscous)
                .exit_code,
            0);
  const Values there = values_of(runs.path("whole") / file_at(40), "velocity");
  const Values here = values_of(runs.path("again") / file_at(20), "velocity");
  const double ratio = double{here.at(4, 0, 0, 0)} / double{there.at(4, 0, 0, 0)};
  EXPECT_NEAR(ratio, 1, 0.005);
  const Values first = values_of(runs.path("whole") / file_at(20), "velocity");
  const double start = std::sin(2 * std::numbers::pi * 4.5 / 16) * std::cos(std::numbers::pi / 16);
  const double equilibrium = double{first.at(4, 0, 0, 0)} / start;
  EXPECT_GT(equilibrium / (double{there.at(4, 0, 0, 0)} / double{first.at(4, 0, 0, 0)}), 1.1);
}

TEST(InitialFiles, AFinerRunContinuesFromACoarserOne) {
  double before = 0;
  for (const int n : {16, 32}) {
    const Runs coarse(vortices(n)), fine(vortices(2 * n));
    ASSERT_EQ(coarse.run("r", "--set run.convective_times=0.5").exit_code, 0);
    const Outcome outcome = fine.run(
        "r", from(coarse, "r/" + file_at(steps_of(n, 0.5))) + " --set run.convective_times=0.5");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const double error =
        error_of_vortices(fine.path("r") / file_at(steps_of(2 * n, 0.5)), 2 * n, 1);
    if (before > 0) {
      EXPECT_GT(before / error, 3.3) << n;
    }
    before = error;
    EXPECT_LT(error, 16.0 / (n * n))
        << n;  // of which 0.19 (2 pi / n)^2 = 7.4 / n^2 by interpolation
  }
}

// Walls, a force, ten moments: the parabola stays. Its velocities in the file are those of the
// output, which have half of the force.
TEST(InitialFiles, ADevelopedChannelStaysAsItIs) {
  const Runs runs(R"(
name: channel
grid: {cells: [16, 1, 1]}
boundaries: {y_min: periodic, y_max: periodic, z_min: periodic, z_max: periodic}
fluid: {reynolds: 20, lattice_velocity: 0.05}
force: {acceleration: [0, 0, 0.4]}
lattice: {collision: regularised_filtered, representation: moments, storage: fp64}
run: {convective_times: 40}
output: {profiles: false}
)");
  ASSERT_EQ(runs.run("whole").exit_code, 0);
  const std::string end = file_at(40 * 320);
  ASSERT_EQ(runs.run("again", from(runs, "whole/" + end) + " --set run.steps=1").exit_code, 0);
  const double moved =
      largest_difference(runs.path("whole") / end, runs.path("again") / file_at(1));
  EXPECT_LT(moved, 2e-7);  // of velocities up to 1; a first step without stress would change 0.4 %
  EXPECT_GT(double{values_of(runs.path("whole") / end, "velocity").at(8, 0, 0, 2)}, 0.9);
}

// The planes are made by several threads, in and out of core, with the same bits.
TEST(InitialFiles, AllSchedulesStartAlike) {
  const Runs runs(vortex);
  ASSERT_EQ(runs.run("first").exit_code, 0);
  const std::string start = from(runs, "first/" + file_at(80));
  ASSERT_EQ(runs.run("a", start + " --set tiling.scheme=in_core").exit_code, 0);
  ASSERT_EQ(runs.run("b", start + " --set tiling.scheme=wavefront --set device.threads=3 --set "
                                  "tiling.steps_per_visit=3 --set tiling.planes_per_visit=4")
                .exit_code,
            0);
  EXPECT_EQ(runs.text("a/" + file_at(120)), runs.text("b/" + file_at(120)));
}

// The file may be gone: the checkpoint has the flow.
TEST(InitialFiles, ARestartDoesWithoutTheFile) {
  const Runs runs(vortex);
  ASSERT_EQ(runs.run("first").exit_code, 0);
  const std::string start = from(runs, "first/" + file_at(80)) + " --set checkpoint.every_steps=40";
  ASSERT_EQ(runs.run("a", start).exit_code, 0);
  fs::remove(runs.path("first") / file_at(80));
  const Outcome outcome = runs.restart("a/checkpoint_000000080.h5",
                                       start + fmt::format(" --out '{}'", runs.path("b").string()));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(runs.text("a/" + file_at(120)), runs.text("b/" + file_at(120)));
  expect_one_line(runs.run("c", start), 2, "there is no such file");
}

// A file in lattice units has stored values, with the reference and difference of its run.
TEST(InitialFiles, ScalarsInLatticeUnitsKeepTheirValues) {
  const Runs runs(vortices(16) + R"yaml(
scalars: {heat: {prandtl: 1, reference: 2, difference: 4, initial: "3 + sin(2*pi*x/lx)"}}
outputs: {stored: {fields: [velocity, pressure, heat], units: lattice, every_steps: 1}}
)yaml");
  ASSERT_EQ(runs.run("first", "--set run.steps=1").exit_code, 0);
  const auto continued = [&](const std::string& file) {
    const Outcome outcome =
        runs.run(file, from(runs, "first/" + file) +
                           " --set 'scalars.heat={prandtl: 1, reference: 1}' --set run.steps=1");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return double{values_of(runs.path(file) / file_at(1), "heat").at(3, 0, 0)};
  };
  const double heat = continued("stored_000000001.hdf");
  EXPECT_NEAR(heat, 4, 0.1);
  EXPECT_NEAR(heat, continued(file_at(1)), 1e-5);
}

TEST(InitialFiles, WrongOnesAreRefusedBeforeAnythingIsWritten) {
  const Runs runs(vortex);
  ASSERT_EQ(
      runs.run("first",
               "--set run.steps=2 --set output.every_steps=2 --set 'outputs.cut={slice: z, at: 3}' "
               "--set 'outputs.w={fields: [vorticity]}' --set checkpoint.at_end=true")
          .exit_code,
      0);
  const auto refused = [&](const std::string& file, const std::string& part,
                           const std::string& more = "") {
    const Outcome outcome = runs.run("x", from(runs, "first/" + file) + more);
    expect_one_line(outcome, 2, part);
    EXPECT_TRUE(has(outcome.err, "initial.file: ")) << outcome.err;
    EXPECT_FALSE(fs::exists(runs.path("x")));
  };
  refused("report.json", "is damaged or no HDF5 file");
  refused("checkpoint_000000002.h5", "has no VTKHDF");
  refused("", "is a directory");
  refused("cut_000000002.hdf", "from the corner of the box");
  refused("w_000000002.hdf", "has no velocity");
  refused(file_at(2), "its box has 16 x 16 x 24 cells", " --set 'grid.cells=[16, 16, 30]'");
  // One value becomes NaN.
  const fs::path damaged = runs.path("first") / file_at(2);
  const hid_t file = H5Fopen(damaged.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t data = H5Dopen2(file, "VTKHDF/PointData/velocity", H5P_DEFAULT);
  const hid_t space = H5Dget_space(data);
  const hsize_t at[]{13, 4, 5, 1}, one[]{1, 1, 1, 1};
  H5Sselect_hyperslab(space, H5S_SELECT_SET, at, nullptr, one, nullptr);
  const hid_t single = H5Screate_simple(4, one, nullptr);
  const float nan = std::nanf("");
  EXPECT_GE(H5Dwrite(data, H5T_NATIVE_FLOAT, single, space, H5P_DEFAULT, &nan), 0);
  H5Sclose(single);
  H5Sclose(space);
  H5Dclose(data);
  H5Fclose(file);
  refused(file_at(2), "its velocity is not finite at x = ");
}

TEST(InitialFiles, ArraysAreForPrograms) {
  const Runs runs(vortex);
  expect_one_line(runs.run("x", "--set initial.flow=arrays"), 2,
                  "initial.flow: found arrays, which only Python gives");
}

}  // namespace
}  // namespace lbm::cases::test
