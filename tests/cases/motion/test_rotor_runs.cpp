// SPDX-License-Identifier: Apache-2.0

// Runs with a body that turns: power, revolutions, means by its angle.
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <vector>

#include "cases/run/records/phases.hpp"
#include "tests/cases/run/restart_support.hpp"
#include "tests/cases/vtkhdf_values.hpp"

namespace lbm::cases::test {
namespace {

// A turn takes 200 steps, 20 of them a bin.
const std::string rotor = R"(
name: rotor
grid: {cells: [20, 20, 12]}
bodies:
  rotor:
    shape: box
    center: [10, 10, 6]
    size: [8, 3, 5]
    motion: {axis: [0, 0, 1], rate: 6.283185307179586}
    reference_area: 30
    reference_length: 4
    reference_velocity: 0.5
fluid: {reynolds: 20, length: 10, lattice_velocity: 0.05}
lattice: {collision: trt}
run: {revolutions: 2.05}
output: {at_end: false, profiles: false}
quantities:
  torque: {kind: torque, bodies: [rotor], direction: [0, 0, 1], start: 0.5, phase: rotor, phase_bins: 10}
  torque_c: {kind: torque_coefficient, bodies: [rotor], direction: [0, 0, 1]}
  power: {kind: power, bodies: [rotor]}
  power_c: {kind: power_coefficient, bodies: [rotor]}
)";

// Rows of numbers behind the comments and the names.
std::vector<std::vector<double>> rows_of(const std::string& text) {
  std::vector<std::vector<double>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("#") || std::isalpha(static_cast<unsigned char>(line[0])) != 0) continue;
    std::istringstream cells(line);
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(std::stod(cell));
  }
  return rows;
}

TEST(PhaseTable, HasMeanAndRmsOfEachBin) {
  PhaseTable table(4);
  const double quarter = std::numbers::pi / 2;
  table.add(0.1, 1);
  table.add(-0.1, 3);  // the bin around 0 has both sides
  table.add(quarter, 5);
  table.add(-3 * quarter, 5);                  // the same angle
  table.add(40 * quarter + 0.5 * quarter, 7);  // between two bins: the upper one
  const auto check = [](const PhaseTable& t) {
    const auto data = t.table({}).data;
    EXPECT_EQ(data[0], (std::vector<double>{0, 90, 180, 270}));
    EXPECT_EQ(data[1], (std::vector<double>{2, 3, 0, 0}));
    EXPECT_DOUBLE_EQ(data[2][0], 2);
    EXPECT_DOUBLE_EQ(data[3][0], 1);
    EXPECT_DOUBLE_EQ(data[2][1], 17.0 / 3);
    EXPECT_DOUBLE_EQ(data[3][1], std::sqrt(8.0 / 9));
    EXPECT_TRUE(std::isnan(data[2][2]));
  };
  check(table);
  PhaseTable again(4);
  again.load(table.save());
  check(again);
}

TEST(RotorRuns, PowerIsTorqueTimesRate) {
  const Runs runs(rotor);
  const Outcome outcome = runs.run("a");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto forces = rows_of(runs.text("a/forces_rotor.csv"));
  ASSERT_EQ(forces.size(), 410U);
  const double torque = forces.back()[7], rate = 2 * std::numbers::pi;
  EXPECT_LT(torque, 0);  // the fluid brakes it
  const auto last = [&](const std::string& name) {
    return rows_of(runs.text("a/quantity_" + name + ".csv")).back()[2];
  };
  // The area is 0.3 L^2, the length 0.4 L.
  const double pressure = 0.5 * 0.5 / 2;
  EXPECT_DOUBLE_EQ(last("torque"), torque);
  EXPECT_NEAR(last("torque_c") / (torque / (pressure * 0.3 * 0.4)), 1, 1e-12);
  EXPECT_NEAR(last("power") / (torque * rate), 1, 1e-9);
  EXPECT_NEAR(last("power_c") / (torque * rate / (pressure * 0.5 * 0.3)), 1, 1e-9);
  const auto report = io::Json::parse(runs.text("a/report.json"));
  const auto& turning = report["bodies"][0]["turning"];
  EXPECT_NEAR(turning["revolutions"].get<double>(), 2.05, 1e-12);
  EXPECT_NEAR(turning["tip_speed_ratio"].get<double>(), rate * 0.4 / 0.5, 1e-9);
  EXPECT_DOUBLE_EQ(turning["power"].get<double>(), last("power"));
  EXPECT_DOUBLE_EQ(turning["power_coefficient"].get<double>(), last("power_c"));
}

TEST(RotorRuns, MeansByAngleAreThoseOfTheSeries) {
  const Runs runs(rotor);
  ASSERT_EQ(runs.run("a", "--set tiling.scheme=in_core").exit_code, 0);
  std::vector<double> sums(10), counts(10);
  for (const auto& row : rows_of(runs.text("a/quantity_torque.csv"))) {
    if (row[0] < 100) continue;
    const auto bin = static_cast<std::size_t>((row[0] + 10) / 20) % 10;
    sums[bin] += row[2];
    counts[bin] += 1;
  }
  const std::string text = runs.text("a/phase_torque.csv");
  const auto table = rows_of(text);
  ASSERT_EQ(table.size(), 10U);
  for (std::size_t bin = 0; bin < 10; ++bin) {
    EXPECT_DOUBLE_EQ(table[bin][0], 36 * static_cast<double>(bin));
    EXPECT_EQ(table[bin][1], counts[bin]);
    EXPECT_NEAR(table[bin][2], sums[bin] / counts[bin], 1e-12);
  }
  EXPECT_TRUE(has(runs.text("a/report.json"), "phase_torque.csv"));
  // Every schedule and a restart have the same bits.
  ASSERT_EQ(runs.run("b",
                     "--set \"tiling={scheme: wavefront, planes_per_visit: 3, "
                     "steps_per_visit: 2}\"")
                .exit_code,
            0);
  EXPECT_EQ(runs.text("b/phase_torque.csv"), text);
  ASSERT_EQ(runs.run("c", "--set run.steps=170 --set checkpoint.at_end=true").exit_code, 0);
  const Outcome outcome = runs.restart("c");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(runs.text("c/phase_torque.csv"), text);
}

// At 90 degrees of each turn, that is at the steps 50, 250 and 450.
TEST(RotorRuns, StatisticsAtAnAngleTakeOneSampleATurn) {
  const Runs runs(rotor);
  const Outcome outcome =
      runs.run("a",
               "--set run.steps=460 --set \"statistics={at: {phase: rotor, phase_angle: 90, start: "
               "0.5}, all: {every_steps: 50, start: 1.25}, back: {phase: rotor, phase_angle: "
               "-230.4}}\"");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const fs::path at = runs.path("a/at_000000460.hdf");
  EXPECT_EQ(attribute_of(at, "samples")[0], 2);
  EXPECT_EQ(attribute_of(at, "first_sample_step")[0], 250);
  const fs::path back = runs.path("a/back_000000460.hdf");  // 129.6 degrees: 72, 272
  EXPECT_EQ(attribute_of(back, "samples")[0], 2);
  EXPECT_EQ(attribute_of(back, "first_sample_step")[0], 72);
  // The same samples by an interval of a turn, which begins at step 200.
  ASSERT_EQ(runs.run("b",
                     "--set run.steps=460 --set \"statistics={at: {every_steps: 200, start: "
                     "1}, turn: {phase: rotor}}\"")
                .exit_code,
            0);
  EXPECT_EQ(values_of(runs.path("b/at_000000460.hdf"), "mean_velocity").values,
            values_of(runs.path("b/turn_000000460.hdf"), "mean_velocity").values);
  // Angles are right-handed: of a body that turns the other way -90 degrees is first.
  ASSERT_EQ(
      runs.run("e",
               "--set run.steps=60 --set bodies.rotor.motion.rate=-6.283185307179586 --set "
               "\"statistics={back: {phase: rotor, phase_angle: -90}}\" --set quantities=null")
          .exit_code,
      0);
  EXPECT_EQ(attribute_of(runs.path("e/back_000000060.hdf"), "first_sample_step")[0], 50);
  // A schedule of several steps, a restart in the middle of a turn.
  const std::string turned =
      " --set \"statistics={turned: {phase: rotor, phase_angle: 90}}\" --set \"tiling={scheme: "
      "wavefront, planes_per_visit: 3, steps_per_visit: 7}\"";
  ASSERT_EQ(runs.run("c", "--set run.steps=460" + turned).exit_code, 0);
  ASSERT_EQ(runs.run("d", "--set run.steps=333 --set checkpoint.at_end=true" + turned).exit_code,
            0);
  ASSERT_EQ(runs.restart("d", "--set run.steps=460" + turned).exit_code, 0);
  const fs::path whole = runs.path("c/turned_000000460.hdf");
  EXPECT_EQ(attribute_of(whole, "samples")[0], 3);
  for (const char* field : {"mean_velocity", "rms_velocity"}) {
    EXPECT_EQ(values_of(runs.path("d/turned_000000460.hdf"), field).values,
              values_of(whole, field).values);
  }
}

TEST(RotorRuns, RefusalsNameTheKey) {
  const Runs runs(rotor);
  const auto says = [&](const std::string& set, const std::string& text) {
    expect_one_line(runs.run("a", "--set \"" + set + "\""), 2, text);
  };
  says("quantities.torque.phase=wheel", "quantities.torque.phase: found wheel, must be a solid");
  says(
      "quantities.power.bodies=[post]\" --set \"bodies.post={shape: sphere, center: [3, 3, 3], "
      "radius: 2}",
      "quantities.power.bodies: found post, must be a body with motion or free");
  says("statistics={at: {phase: post}}", "statistics.at.phase: found post, must be a body with");
  says("statistics={at: {phase: rotor, every_steps: 9}}", "conflicts with");
  says("run.revolutions_of=post", "run.revolutions: requires a body with motion.rate");
  says("bodies.rotor.motion={axis: [0, 0, 1], angle: 2*pi*t}",
       "run.revolutions: requires a body with motion.rate");
}

}  // namespace
}  // namespace lbm::cases::test
