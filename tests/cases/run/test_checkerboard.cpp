// SPDX-License-Identifier: Apache-2.0

// A run whose flow has become a checkerboard is stopped; coarse flows that are right are not.
#include "cases/run/records/time_series.hpp"

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <random>

#include "io/text/json.hpp"
#include "solver/core/error.hpp"
#include "solver/lattice/step_record.hpp"
#include "tests/cases/run/ranks/ranks_support.hpp"

namespace lbm::cases {
namespace {

using test::has;
using test::Outcome;
using test::Processes;
using test::Runs;

constexpr int n = 24, cells = n * n * n;
constexpr double reference = 0.1;  // velocity

using Velocity = std::function<double(int x, int y, int z)>;  // of ux

Differences differences(const Velocity& u, std::uint32_t seed = 0) {
  std::vector<std::int64_t> record(flow_values);
  const FlowLimits limits;
  for (int z = 0; z < n; ++z) {
    for (int y = 0; y < n; ++y) {
      FlowSums sums;
      differences::RowDifferences row(seed);
      for (int x = 0; x < n; ++x) {
        const Moments<double> m{0, u(x, y, z), 0, 0};
        sums.add(m, 0, limits);
        row.add(x, m);
      }
      sums.add_to(record.data(), fixed::flow(cells));
      row.add_to(record.data(), {y, z, n, n, seed});
    }
  }
  return differences_of(record, cells);
}

double alternation(const Velocity& u) {
  return alternation_of(differences(u), cells, reference).value;
}

double sign(int i) { return i % 2 == 0 ? 1 : -1; }

TEST(Alternation, IsOneForACheckerboardAlongAnyAxis) {
  for (int axis = 0; axis < 3; ++axis) {
    const auto board = [&](int x, int y, int z) {
      return 0.05 + 0.02 * sign(axis == 0 ? x : (axis == 1 ? y : z));
    };
    const Alternation found = alternation_of(differences(board), cells, reference);
    EXPECT_NEAR(found.value, 1, 1e-6);
    EXPECT_EQ(found.axis, axis);
  }
}

TEST(Alternation, GrowsWithTheWaveNumber) {
  for (const double k : {0.8, 1.6, 2.4, 3.0}) {
    const double value =
        alternation([&](int x, int, int z) { return 0.05 * std::sin(k * x + 0.1 * z); });
    EXPECT_NEAR(value, std::pow(std::sin(k / 2), 2), 0.02) << k;
  }
}

TEST(Alternation, OfRandomNumbersIsThreeQuarters) {
  std::mt19937 random(1);
  std::normal_distribution<double> noise(0, 0.02);
  std::vector<double> values(cells);
  for (double& value : values) value = noise(random);
  const auto u = [&](int x, int y, int z) {
    return values[static_cast<std::size_t>((z * n + y) * n + x)];
  };
  const Differences found = differences(u);
  const auto& [first, second] = found.axes[0];
  EXPECT_NEAR(second / (first + second), 0.75, 0.02);
  EXPECT_GE(alternation(u), 0.73);
}

TEST(Alternation, OfASmallRippleIsZero) {
  const auto ripple = [](double size) {
    return alternation([=](int x, int, int) { return 0.1 + size * sign(x); });
  };
  EXPECT_EQ(ripple(0.009), 0);  // less than 1 % of the energy
  EXPECT_GT(ripple(0.012), 0.99);
  EXPECT_EQ(alternation([](int x, int, int) { return 9e-5 * sign(x); }), 0);  // hardly moves
  EXPECT_EQ(alternation([](int, int, int) { return 0.0; }), 0);
}

struct Watch {
  Case lbm_case;
  std::vector<std::string> warnings;
  Notices notices{[this](NoticeKind, const std::string& text) { warnings.push_back(text); }};
  Derived derived = derive(lbm_case);
  CheckerboardWatch watch{lbm_case, derived, notices};
};

constexpr Alternation board{0.97, 2}, noise{0.8, 2}, smooth{0.1, 0};

TEST(CheckerboardWatch, WarnsOnceAndStopsLater) {
  Watch it;
  for (int sample = 1; sample < 17; ++sample) {
    it.watch.add(128 * sample, board);
    EXPECT_EQ(it.warnings.size(), sample < 7 ? 0U : 1U) << sample;
  }
  EXPECT_TRUE(has(it.warnings[0], "along z")) << it.warnings[0];
  EXPECT_THROW(it.watch.add(128 * 17, board), DivergedError);
}

// A start may be rough for some steps, and be sampled at each of them.
TEST(CheckerboardWatch, DoesNotStopForManySamplesOfAShortTime) {
  Watch it;
  for (int step = 1; step <= 1286; ++step) it.watch.add(step, board);
  EXPECT_EQ(it.warnings.size(), 1U);
  EXPECT_THROW(it.watch.add(1287, board), DivergedError);
}

TEST(CheckerboardWatch, BeginsAnewAfterSmoothSamples) {
  Watch it;
  std::int64_t step = 0;
  for (int round = 0; round < 6; ++round) {
    for (int sample = 0; sample < 12; ++sample) it.watch.add(step += 1000, board);
    for (int sample = 0; sample < 2; ++sample) it.watch.add(step += 1000, smooth);
  }
  EXPECT_EQ(it.warnings.size(), 1U);
}

TEST(CheckerboardWatch, LetsNoisePass) {
  Watch it;
  for (int sample = 1; sample < 100; ++sample) {
    it.watch.add(1000 * sample, sample % 5 == 0 ? board : noise);
  }
  EXPECT_TRUE(it.warnings.empty());
}

TEST(CheckerboardWatch, GoesOnWhereTheCaseSaysSo) {
  Watch it;
  it.lbm_case.run.on_checkerboard = Run::OnCheckerboard::warn;
  for (int sample = 1; sample < 100; ++sample) it.watch.add(1000 * sample, board);
  EXPECT_EQ(it.warnings.size(), 1U);
}

// Re 1000, tau 0.519 with 64 cells.
const std::string cavity = R"(
name: cavity
grid: {cells: [64, 2, 64]}
boundaries:
  y_min: periodic
  y_max: periodic
  z_max: {type: wall, velocity: [1, 0, 0]}
fluid: {reynolds: 1000, length: 64}
lattice: {collision: regularised}
run: {convective_times: 6}
output: {at_end: false, profiles: false}
device: {backend: cpu, threads: 1}
)";

// The lid is at x_max and slides along z.
const std::string lid_along_z =
    "--set boundaries.z_max=wall --set 'boundaries.x_max={type: wall, velocity: [0, 0, 1]}' ";

TEST(Checkerboard, StopsARegularisedCavity) {
  for (const std::string& lid : {std::string(), lid_along_z}) {
    const Runs runs(cavity);
    const Outcome outcome = runs.run("r", lid);
    EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
    EXPECT_TRUE(has(outcome.err, ": the flow has become a checkerboard")) << outcome.err;
    EXPECT_TRUE(has(outcome.err, "lbm: the flow diverged into a checkerboard")) << outcome.err;
    EXPECT_TRUE(has(outcome.err, lid.empty() ? " along x " : " along z ")) << outcome.err;
    EXPECT_TRUE(has(outcome.err, "regularised_filtered")) << outcome.err;
    const auto report = io::Json::parse(runs.text("r/report.json"));
    EXPECT_GT(report["last_look"]["alternation"], 0.8);
    EXPECT_TRUE(has(report["exit_reason"], "checkerboard"));
  }
}

// The collision that the error message recommends prevents the checkerboard.
TEST(Checkerboard, LetsAFilteredCavityRun) {
  const Runs runs(cavity);
  const Outcome outcome = runs.run("r", "--set lattice.collision=regularised_filtered ");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_FALSE(has(outcome.err, "checkerboard")) << outcome.err;
}

TEST(Checkerboard, GoesOnWithAWarning) {
  const Runs runs(cavity);
  const Outcome outcome = runs.run("r", "--set run.on_checkerboard=warn --set output.monitor=640 ");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(has(runs.text("r/report.json"), "the flow has become a checkerboard"));
  EXPECT_TRUE(has(runs.text("r/monitor.csv"), ",density_max,alternation\n"));
}

// Fewer cells than the wrong cavity, and the same Reynolds number.
TEST(Checkerboard, LetsACoarseButRightCavityRun) {
  const Runs runs(cavity);
  const Outcome outcome =
      runs.run("r",
               "--set lattice.collision=trt --set grid.cells=[48,2,48] --set fluid.length=48 "
               "--set output.monitor=1 ");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_FALSE(has(outcome.err, "checkerboard")) << outcome.err;
}

// Turbulence that the grid does not resolve, and a flow that starts with a jump at the lid.
TEST(Checkerboard, LetsUnderResolvedFlowsRun) {
  for (const char* options :
       {"taylor_green_transition.yaml --set grid.cells=[32,32,32] --set fluid.length=5.0929582 "
        "--set fluid.lattice_velocity=0.05 --set output.times=[] --set run.convective_times=15 "
        "--set output.monitor=4 ",
        "cubic_cavity.yaml --set grid.cells=[24,24,24] --set fluid.lattice_velocity=0.1 "
        "--set lattice.smagorinsky=0.17 --set run.convective_times=4 --set output.monitor=1 "}) {
    const Runs runs(cavity);
    const Outcome outcome = test::lbm_program(
        fmt::format("run '{}/cases/'{} --set output.at_end=false --set device.backend=cpu --set "
                    "device.threads=1 --quiet --out '{}'",
                    LBM_SOURCE_DIR, options, runs.path("r").string()));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_FALSE(has(outcome.err, "checkerboard")) << outcome.err;
  }
}

TEST_F(Processes, SeeTheSameCheckerboardAsOne) {
  const Runs runs(cavity);
  const std::string options = lid_along_z + "--set run.steps=3000 --set output.monitor=128 ";
  EXPECT_EQ(runs.run("alone", options).exit_code, 3);
  const Outcome outcome = test::several(3, runs.line("shared", options));
  EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
  EXPECT_EQ(runs.text("shared/monitor.csv"), runs.text("alone/monitor.csv"));
}

}  // namespace
}  // namespace lbm::cases
