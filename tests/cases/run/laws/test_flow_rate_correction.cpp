// SPDX-License-Identifier: Apache-2.0

// run.flow_rate_corrections: equal flow rates in all layers of a porous sample, long before the
// pressure along it would be steady by itself.
#include "cases/run/flow_rate_correction.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "tests/cases/case_support.hpp"
#include "tests/cases/run/laws/throats.hpp"
#include "tests/cases/run/ranks/ranks_support.hpp"

namespace lbm::cases::test {
namespace {

// Layers that obey Darcy's law exactly: the flow from the middle of one to that of the next one
// passes half of each, and a layer has the mean of those at its faces.
std::vector<LayerSums> layers_of(const std::vector<double>& k, double g,
                                 const std::vector<double>& drho) {
  const std::size_t n = k.size();
  const auto flow_after = [&](std::size_t i) {
    const std::size_t next = (i + 1) % n;
    return (g - (drho[next] - drho[i]) / 3) / ((1 / k[i] + 1 / k[next]) / 2);
  };
  std::vector<LayerSums> layers(n);
  for (std::size_t i = 0; i < n; ++i) {
    layers[i] = {(flow_after((i + n - 1) % n) + flow_after(i)) / 2, 10 * drho[i], 10};
  }
  return layers;
}

TEST(FlowRateCorrection, MakesFlowRatesOfDarcysLawEqual) {
  constexpr std::size_t n = 640;
  for (const double g : {1e-5, -1e-5}) {
    std::vector<double> k, drho(n);
    for (std::size_t i = 0; i < n; ++i) {
      k.push_back(2 + std::sin(2 * M_PI * static_cast<double>(i) / n + 1));
    };
    std::vector<double> spreads;
    for (int round = 0; round < 4; ++round) {
      const FlowRateCorrection correction = flow_rate_correction(layers_of(k, g, drho), g);
      spreads.push_back(correction.spread);
      ASSERT_EQ(correction.drho.size(), n);
      EXPECT_NEAR(std::accumulate(correction.drho.begin(), correction.drho.end(), 0.0), 0, 1e-15);
      for (std::size_t i = 0; i < n; ++i) drho[i] += correction.drho[i];
    }
    EXPECT_NEAR(spreads[0], 1, 0.01);
    EXPECT_LT(spreads[1], 0.1);
    EXPECT_LT(spreads[3], 0.07);  // of the linear pressure in each of the 64 parts
  }
}

TEST(FlowRateCorrection, LeavesAFlowAgainstTheForceAlone) {
  std::vector<LayerSums> layers(64, {1.0, 0, 10});
  layers[20].velocity = -100;
  EXPECT_TRUE(flow_rate_correction(layers, 1e-5).drho.empty());
}

// A wide part in series with a narrow one: nearly all of the force drives the narrow one.
TEST(FlowRateCorrection, OvershootsInNoWidePart) {
  constexpr std::size_t n = 128;
  constexpr double g = 1e-5;
  std::vector<double> k(n, 100), drho(n);
  for (std::size_t i = 96; i < n; ++i) k[i] = 1;
  double spread = 1e30;
  for (int round = 0; round < 5; ++round) {
    const FlowRateCorrection correction = flow_rate_correction(layers_of(k, g, drho), g);
    EXPECT_LT(correction.spread, spread);
    spread = correction.spread;
    ASSERT_EQ(correction.drho.size(), n);
    for (std::size_t i = 0; i < n; ++i) drho[i] += correction.drho[i];
  }
  EXPECT_LT(spread, 0.001);
}

const std::string throats = throats_box + R"yaml(
lattice: {collision: trt}
run: {steps: 300, flow_rate_corrections: 3, correction_time: 0.0035}
)yaml";

YAML::Node report_of(const Runs& runs, const std::string& out) {
  return YAML::Load(runs.text(out + "/report.json"));
}

// At tau 0.7 the pressure relaxes ten times faster; with TRT the limit is the same.
TEST(FlowRateCorrection, EndsInTheSamePermeabilitySooner) {
  const Runs runs(throats);
  const std::string none = "--set run.flow_rate_corrections=0 --set run.correction_time=null ";
  const double with = permeability(runs, "with", "");
  const double rest = permeability(runs, "rest", none);
  const double end = permeability(runs, "end", none + "--set fluid.tau=0.7 --set run.steps=3000");
  EXPECT_LT(std::abs(with - end), 0.1 * std::abs(rest - end)) << rest << " " << with << " " << end;
  const YAML::Node corrections = report_of(runs, "with")["flow_rate_corrections"];
  ASSERT_EQ(corrections.size(), 3U);
  EXPECT_EQ(corrections[1]["step"].as<int>(), 140);
  EXPECT_LT(corrections[2]["spread"].as<double>(), corrections[0]["spread"].as<double>());
}

TEST(FlowRateCorrection, HasTheSameBitsForEveryScheduleAndRestart) {
  const std::string end = "/fields_000000300.hdf";
  for (const char* storage : {"fp32", "fp16"}) {
    for (const char* cells : {"all", "fluid"}) {
      const Runs runs(throats);
      const std::string args =
          std::string("--set lattice.storage=") + storage + " --set lattice.cells=" + cells + " ";
      ASSERT_EQ(runs.run("in_core", args).exit_code, 0);
      for (const char* scheme : {"wavefront", "halo"}) {
        const Outcome outcome = runs.run(
            scheme, args + "--set tiling.scheme=" + scheme + " --set tiling.steps_per_visit=6");
        ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
        EXPECT_EQ(runs.text("in_core" + end), runs.text(scheme + end)) << scheme;
      }
      // Checkpoints at a correction and between two of them.
      for (const char* steps : {"140", "180"}) {
        const std::string out = std::string("part") + steps;
        ASSERT_EQ(
            runs.run(out, args + "--set checkpoint.at_end=true --set run.steps=" + steps).exit_code,
            0);
        ASSERT_EQ(runs.restart(out, args).exit_code, 0);
        EXPECT_EQ(runs.text("in_core" + end), runs.text(out + end)) << steps;
      }
    }
  }
}

// Along the slabs of the ranks and across them; and with a coarser grid that ends at the step of a
// correction, which must not change the flow that is handed on.
TEST_F(Processes, GiveTheFlowRateCorrectionsOfOne) {
  const Runs runs(throats);
  for (const std::string args :
       {"", "--set 'force.acceleration=[0.05, 0, 0]' --set 'grid.cells=[24, 8, 96]' ",
        "--set run.cascade=2 --set run.cascade_time=0.0105 "}) {
    ASSERT_EQ(runs.run("alone", args + "--overwrite").exit_code, 0);
    const Outcome outcome = several(3, runs.line("shared", args + "--overwrite"));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(runs.text("alone/fields_000000300.hdf"), runs.text("shared/fields_000000300.hdf"));
    const YAML::Node corrections = report_of(runs, "shared")["flow_rate_corrections"];
    EXPECT_EQ(corrections.size(), 3U);
    EXPECT_EQ(YAML::Dump(corrections),
              YAML::Dump(report_of(runs, "alone")["flow_rate_corrections"]));
  }
}

TEST(FlowRateCorrection, LeavesTheErrorToTheSamplesBehindIt) {
  const Runs runs(throats);
  const std::string args =
      "--set fluid.tau=0.7 --set run.steps=3000 --set run.correction_time=0.03 "
      "--set 'run.until_steady={error: 0.01, quantities: [k]}' ";
  ASSERT_EQ(runs.run("o", args).exit_code, 0);
  const YAML::Node report = report_of(runs, "o");
  EXPECT_EQ(report["exit_reason"].as<std::string>(), "steady");
  EXPECT_GT(report["steps"].as<int>(), 1800);  // the last correction
  EXPECT_LT(report["steps"].as<int>(), 2700);
}

TEST(FlowRateCorrection, IsRefusedWhereLayersMayDiffer) {
  const auto refused = [](const std::vector<std::string>& changes) {
    return error_of([&] { validate(parse_case(throats, "throats.yaml", changes)); });
  };
  EXPECT_NO_THROW(validate(parse_case(throats, "throats.yaml")));
  EXPECT_TRUE(has(refused({"force.acceleration=[0, 1, 2]"}), "run.flow_rate_corrections"));
  EXPECT_TRUE(has(refused({"boundaries.z_min=wall", "boundaries.z_max=wall"}), "z_min"));
  EXPECT_TRUE(has(refused({"run.correction_time=null"}), "run.correction_time"));
  EXPECT_TRUE(has(refused({"bodies.low.velocity=[0, 0, 1]"}), "bodies.low"));
  EXPECT_TRUE(
      has(refused({"boundaries.x_min=wall", "boundaries.x_max={type: wall, velocity: [0, 0, 1]}"}),
          "x_max"));
  for (const char* time : {"0.0075", "1e300"}) {  // 150 steps of 300
    const Case rare =
        parse_case(throats, "throats.yaml", {std::string("run.correction_time=") + time});
    const Derived derived = validate(rare);
    EXPECT_EQ(correction_steps(rare, derived).size(), time[0] == '0' ? 2U : 0U);
    const auto all = warnings(rare, derived);
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [](const std::string& line) {
      return has(line, "run.flow_rate_corrections");
    }));
  }
}

}  // namespace
}  // namespace lbm::cases::test
