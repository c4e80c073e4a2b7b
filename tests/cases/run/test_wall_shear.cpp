// SPDX-License-Identifier: Apache-2.0

// Wall shear stress on curved walls that cut the lattice (a round pipe and circular Couette flow),
// as the program writes it, against exact values. docs/results.md quotes the output of this test.
#include <cmath>

#include "tests/cases/run/restart_support.hpp"
#include "tests/cases/vtkhdf_values.hpp"

namespace lbm::cases::test {
namespace {

// Relative error of the stress along the flow at wall cells; across: rms of the stress normal to
// the flow.
struct Deviation {
  double mean = 0, rms = 0, largest = 0, across = 0;
  int cells = 0;

  void add(double along, double other) {
    mean += along - 1;
    rms += (along - 1) * (along - 1);
    largest = std::max(largest, std::abs(along - 1));
    across += other * other;
    ++cells;
  }
  Deviation done(const std::string& what) {
    mean /= cells;
    rms = std::sqrt(rms / cells);
    across = std::sqrt(across / cells);
    fmt::print("{}: {} cells, mean {:+.2f} %, rms {:.2f} %, largest {:.1f} %, across {:.3f} %\n",
               what, cells, 100 * mean, 100 * rms, 100 * largest, 100 * across);
    return *this;
  }
};

// Water-like numbers, with a wall shear stress of G R / 2 = 2.5 Pa. The bore is along y, with its
// axis at a general position of the lattice. {0}: cells per radius.
constexpr const char* pipe = R"(
name: pipe
units: si
grid: {{size: [{1}, {2}, {1}], spacing: {3}}}
boundaries: {{y_min: periodic, y_max: periodic}}
bodies:
  block: {{shape: box, center: [0.006, 0, 0.006], size: [0.04, 0.1, 0.04], solid: false}}
  bore: {{shape: cylinder, from: [{4}, -0.1, {5}], to: [{4}, 0.1, {5}], radius: 0.005, solid: false}}
  pipe: {{shape: difference, of: [block, bore], walls: {6}}}
fluid: {{length: 0.01, velocity: 0.1, viscosity: 6.25e-5, density: 1000, lattice_velocity: {7}}}
lattice: {{collision: trt}}
force: {{acceleration: [0, 1, 0]}}
run: {{time: 0.5}}
output: {{at_end: false, profiles: false}}
outputs: {{wall: {{fields: [wall_shear_stress]}}}}
)";

fs::path last_file(const Runs& runs, const std::string& name) {
  for (const std::string& file : lbm::testing::names_in(runs.path("o"))) {
    if (file.starts_with(name + "_") && file.ends_with(".hdf")) return runs.path("o") / file;
  }
  ADD_FAILURE() << "no file of " << name;
  return {};
}

Deviation pipe_wall(int radius, const std::string& walls) {
  const double spacing = 0.005 / radius;
  const int n = 2 * radius + 5;
  const double x = (n / 2.0 - 0.27) * spacing, z = (n / 2.0 + 0.36) * spacing;
  const Runs runs(
      fmt::format(pipe, radius, n * spacing, 4 * spacing, spacing, x, z, walls, 0.8 / radius));
  const Outcome outcome = runs.run("o");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const Values stress = values_of(last_file(runs, "wall"), "wall_shear_stress");
  Deviation all;
  for (std::size_t cell = 0; cell < stress.values.size() / 3; ++cell) {
    const float* s = stress.values.data() + 3 * cell;
    if (s[0] == 0 && s[1] == 0 && s[2] == 0) continue;
    all.add(double{s[1]} / 2.5, std::hypot(s[0], s[2]) / 2.5);
  }
  return all.done(fmt::format("pipe, {}, R = {} cells", walls, radius));
}

TEST(WallShearOfAPipe, IsThatOfPoiseuille) {
  const Deviation coarse = pipe_wall(8, "interpolated"), middle = pipe_wall(12, "interpolated"),
                  fine = pipe_wall(16, "interpolated");
  EXPECT_LT(std::abs(coarse.mean), 0.04);
  EXPECT_LT(coarse.rms, 0.07);
  EXPECT_LT(std::abs(middle.mean), 0.025);
  EXPECT_LT(middle.rms, 0.045);
  EXPECT_LT(std::abs(fine.mean), 0.025);
  EXPECT_LT(fine.rms, 0.04);
  EXPECT_LT(fine.across, 1e-3);
}

// With staircase walls only the mean is correct, not single cells.
TEST(WallShearOfAPipe, OnAStaircaseIsRightOnAverageOnly) {
  for (const int radius : {8, 12}) {
    const Deviation all = pipe_wall(radius, "staircase");
    EXPECT_LT(std::abs(all.mean), 0.15);
    EXPECT_LT(all.rms, 0.5);
  }
}

// A cylinder of radius 1 rotates in a casing of radius 2; u = a r + b / r. The stress is -8 / (3
// Re) on the rotor and 2 / (3 Re) on the casing, in rho U^2. {0}: cells per rotor radius.
constexpr const char* couette = R"(
name: couette
grid: {{cells: [{1}, 4, {1}]}}
boundaries: {{y_min: periodic, y_max: periodic}}
bodies:
  rotor: {{shape: cylinder, from: [{2}, -99, {3}], to: [{2}, 99, {3}], radius: {0}, angular_velocity: [0, 1, 0], walls: {4}}}
  block: {{shape: box, center: [{2}, 2, {3}], size: [999, 999, 999], solid: false}}
  bore: {{shape: cylinder, from: [{2}, -999, {3}], to: [{2}, 999, {3}], radius: {5}, solid: false}}
  casing: {{shape: difference, of: [block, bore], walls: {4}}}
fluid: {{reynolds: 8, length: {0}, lattice_velocity: {6}}}
lattice: {{collision: trt}}
run: {{convective_times: 10}}
output: {{at_end: false, profiles: false}}
outputs: {{wall: {{fields: [wall_shear_stress]}}}}
)";

std::array<Deviation, 2> couette_walls(int radius, const std::string& walls) {
  const int n = 4 * radius + 5;
  const double x = n / 2.0 - 0.27, z = n / 2.0 + 0.36;
  const Runs runs(fmt::format(couette, radius, n, x, z, walls, 2 * radius, 0.8 / radius));
  const Outcome outcome = runs.run("o");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const Values stress = values_of(last_file(runs, "wall"), "wall_shear_stress");
  std::array<Deviation, 2> both;
  for (hsize_t k = 0; k < stress.shape[0]; ++k) {
    for (hsize_t i = 0; i < stress.shape[2]; ++i) {
      const std::array<double, 3> s{stress.at(i, 1, k, 0), stress.at(i, 1, k, 1),
                                    stress.at(i, 1, k, 2)};
      if (s[0] == 0 && s[1] == 0 && s[2] == 0) continue;
      const double dx = static_cast<double>(i) + 0.5 - x, dz = static_cast<double>(k) + 0.5 - z;
      const double r = std::hypot(dx, dz);
      // Rotates from z to x.
      const double along = (s[0] * dz - s[2] * dx) / r, out = (s[0] * dx + s[2] * dz) / r;
      const bool rotor = r < 1.5 * radius;
      const double exact = (rotor ? -8.0 : 2.0) / 3 / 8;
      both[rotor ? 0 : 1].add(along / exact, std::hypot(out, s[1]) / exact);
    }
  }
  return {both[0].done(fmt::format("rotor, {}, R = {} cells", walls, radius)),
          both[1].done(fmt::format("casing, {}, R = {} cells", walls, 2 * radius))};
}

TEST(WallShearOfCircularCouetteFlow, IsThatOfTheExactSolution) {
  const auto [rotor, casing] = couette_walls(12, "interpolated");
  EXPECT_LT(std::abs(rotor.mean), 0.05);
  EXPECT_LT(rotor.rms, 0.09);
  EXPECT_LT(rotor.across, 0.04);
  EXPECT_LT(std::abs(casing.mean), 0.02);
  EXPECT_LT(casing.rms, 0.035);
  EXPECT_LT(casing.across, 0.03);
  const auto [held_rotor, held_casing] = couette_walls(12, "conserving");
  EXPECT_LT(std::abs(held_rotor.mean), 0.06);
  EXPECT_LT(held_rotor.rms, 0.09);
  EXPECT_LT(std::abs(held_casing.mean), 0.05);
  EXPECT_LT(held_casing.rms, 0.08);
}

}  // namespace
}  // namespace lbm::cases::test
