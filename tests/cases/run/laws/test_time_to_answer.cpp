// SPDX-License-Identifier: Apache-2.0

// Steps to a steady answer, as `lbm check` and `lbm plan` estimate them, against runs.
#include <yaml-cpp/yaml.h>

#include <numbers>

#include "cases/case/initial/darcy_flow.hpp"
#include "cases/run/predict/time_to_answer.hpp"
#include "tests/cases/run/restart_support.hpp"

namespace lbm::cases::test {
namespace {

// docs/rock.md: the sandstone of 500^3 voxels, with its own permeability.
TEST(TimeToAnswer, HasTheTimeConstantsOfRock) {
  const double wave = 2 * std::numbers::pi / 500;
  const auto at_tau = [](double tau) { return Pores{0.1997, 8.9, (tau - 0.5) / 3}; };
  EXPECT_NEAR(at_tau(0.55).pressure_time(0.0589, wave), 1070, 0.02 * 1070);
  EXPECT_NEAR(at_tau(1.5).pressure_time(0.0589, wave), 21000, 0.03 * 21000);
  EXPECT_NEAR(at_tau(0.55).friction_time(), 0.05 * 8.9 * 8.9 * 60, 1e-6);
  // Waves that are damped slowly decay with half of the damping, whatever their length is.
  const Pores wide{0.4, 40, 0.01};
  EXPECT_DOUBLE_EQ(wide.pressure_time(20, 0.1), 2 / (0.4 * 0.01 / 20));
}

struct Flow {
  std::string name;
  std::vector<std::string> keys;
  double steps;  // of its run with run.until_steady.error: 0.001, table of docs/quantities.md
};

YAML::Node answer_of(const std::string& command, const Flow& flow) {
  std::string line =
      fmt::format("{} '{}' --json --set device.backend=cpu", command, shipped_path(flow.name));
  for (const std::string& key : flow.keys) line += fmt::format(" --set '{}'", key);
  const Outcome outcome = lbm_program(line);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  return YAML::Load(outcome.out);
}

const std::string energy = "run={steps: 400000, until_steady: {error: 0.001}}";
const std::string of_k = "run={steps: 400000, until_steady: {error: 0.001, quantities: [k]}}";

TEST(TimeToAnswer, IsNearTheTableOfMeasuredFlows) {
  const std::vector<Flow> flows{
      {"lid_driven_cavity_2d", {energy, "grid.cells=[40,2,40]", "fluid.reynolds=80"}, 7938},
      {"lid_driven_cavity_2d", {energy, "grid.cells=[40,2,40]", "fluid.reynolds=250"}, 12290},
      {"cubic_cavity", {energy, "grid.cells=[16,16,16]", "fluid.reynolds=50"}, 2818},
      {"rectangular_duct", {energy, "grid.cells=[20,2,28]", "fluid.length=20"}, 4610},
      {"channel_flow_rate", {energy}, 6146},
      {"changed_viscosity", {energy, "fluid.reynolds=60"}, 55298},
      {"poiseuille_inlet_outlet",
       {energy, "grid.cells=[20,2,80]", "fluid.length=20", "initial=null"},
       8930},
      {"kolmogorov_flow", {energy, "grid.cells=[4,4,32]", "fluid.length=32"}, 2978},
      {"rotating_cylinder", {energy, "grid.cells=[104,2,104]"}, 4050},
      {"periodic_array", {energy}, 2434},
      {"overlapping_grains", {of_k}, 462},
      {"overlapping_grains", {of_k, "fluid.lattice_velocity=3.33333e-6"}, 3682},
      {"rock_between_pressures", {of_k}, 1346}};
  for (Flow flow : flows) {
    flow.keys.emplace_back("expect=null");
    const YAML::Node json = answer_of("check", flow);
    ASSERT_TRUE(json["steps_to_answer"]) << flow.name;
    const double ratio = json["steps_to_answer"].as<double>() / flow.steps;
    EXPECT_GT(ratio, 0.5) << flow.name;
    EXPECT_LT(ratio, 2) << flow.name;
    EXPECT_EQ(json["too_short"].as<std::string>(), "") << flow.name;
  }
}

// Friction between walls, pores, and a stream past a body.
TEST(TimeToAnswer, IsThatOfARunToAFactorOfThree) {
  const std::string sphere = R"(
name: sphere
grid: {cells: [20, 20, 32]}
boundaries: {x_min: slip, x_max: slip, y_min: slip, y_max: slip, z_min: {type: velocity, velocity: [0, 0, 1]}, z_max: outflow}
bodies: {sphere: {shape: sphere, center: [10, 10, 12], radius: 3}}
fluid: {reynolds: 10, length: 6, lattice_velocity: 0.05}
lattice: {collision: trt}
quantities: {drag: {kind: coefficient, bodies: [sphere], direction: [0, 0, 1]}}
run: {steps: 30000, until_steady: {error: 0.001, quantities: [drag]}}
output: {at_end: false, profiles: false}
)";
  const std::string couette = R"(
name: couette
grid: {cells: [4, 4, 16]}
boundaries: {x_min: periodic, x_max: periodic, y_min: periodic, y_max: periodic, z_max: {type: wall, velocity: [1, 0, 0]}}
fluid: {reynolds: 10, length: 16}
lattice: {collision: trt}
run: {steps: 30000, until_steady: {error: 0.001}}
output: {at_end: false, profiles: false}
)";
  const std::string grains = fmt::format(R"(
name: grains
grid: {{cells: [48, 48, 48]}}
boundaries: {{x_min: periodic, x_max: periodic, y_min: periodic, y_max: periodic, z_min: periodic, z_max: periodic}}
bodies: {{grains: {{shape: voxels, file: '{}/cases/data/grains_48.npy', fluid: [0]}}}}
fluid: {{tau: 0.8, length: 12, lattice_velocity: 1e-4}}
lattice: {{collision: trt}}
force: {{acceleration: [0, 0, 0.1]}}
quantities: {{k: {{kind: permeability}}}}
run: {{steps: 30000, until_steady: {{error: 0.001, quantities: [k]}}}}
output: {{at_end: false, profiles: false}}
)",
                                         LBM_SOURCE_DIR);
  for (const std::string& text : {sphere, couette, grains}) {
    const Runs runs(text);
    const Outcome outcome = runs.run("o");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const YAML::Node report = YAML::Load(runs.text("o/report.json"));
    ASSERT_EQ(report["exit_reason"].as<std::string>(), "steady");
    const Outcome check = lbm_program("check --json '" + runs.path("case.yaml").string() + "'");
    const auto predicted = YAML::Load(check.out)["steps_to_answer"].as<double>();
    const double ratio = predicted / report["steps"].as<double>();
    EXPECT_GT(ratio, 1.0 / 3) << check.out;
    EXPECT_LT(ratio, 3) << check.out;
  }
}

TEST(TimeToAnswer, TellsOfShortRunsAndWhatACascadeAndDarcyGain) {
  const std::string keys = "until_steady: {error: 0.001, quantities: [k]}";
  const auto plan = [](const std::string& run, const std::string& start) {
    return answer_of("plan", {"overlapping_grains",
                              {"fluid.lattice_velocity=3.33333e-6", "run=" + run,
                               "initial.flow=" + start, "expect=null"},
                              0});
  };
  const YAML::Node rest = plan("{steps: 1000, " + keys + "}", "rest");
  const auto steps = rest["steps_to_answer"].as<std::int64_t>();
  EXPECT_TRUE(has(rest["too_short"].as<std::string>(), fmt::format("run.steps: {}", steps)));
  EXPECT_EQ(rest["steps_from_rest"].as<std::int64_t>(), steps);
  EXPECT_NEAR(rest["seconds_to_answer"].as<double>() / rest["seconds"].as<double>(),
              static_cast<double>(steps) / 1000, 0.06 * static_cast<double>(steps) / 1000);

  // The time that is named is long enough.
  const auto short_of = plan("{convective_times: 1e-6, " + keys + "}", "rest")["too_short"];
  const auto text = short_of.as<std::string>();
  const std::string key = "run.convective_times: ";
  ASSERT_TRUE(has(text, key)) << text;
  const std::string number = text.substr(text.find(key) + key.size());
  const std::string times = "convective_times: " + number.substr(0, number.find(','));
  EXPECT_EQ(plan("{" + times + ", " + keys + "}", "rest")["too_short"].as<std::string>(), "");

  const YAML::Node cascade = plan("{steps: 90000, cascade: 3, " + keys + "}", "rest");
  EXPECT_EQ(cascade["too_short"].as<std::string>(), "");
  EXPECT_EQ(cascade["steps_from_rest"].as<std::int64_t>(), steps);
  EXPECT_LT(cascade["steps_to_answer"].as<std::int64_t>(), 0.8 * static_cast<double>(steps));
  EXPECT_LT(cascade["seconds_to_answer"].as<double>(), cascade["seconds_from_rest"].as<double>());

  const YAML::Node darcy = plan("{steps: 90000, " + keys + "}", "darcy");
  EXPECT_EQ(darcy["host_bytes"].as<std::uint64_t>() - rest["host_bytes"].as<std::uint64_t>(),
            darcy_bytes({48, 48, 48}));
  EXPECT_EQ(darcy_bytes({48, 48, 48}), 60U * 12 * 12 * 12);
}

TEST(TimeToAnswer, IsLeftOutOfFlowsThatAreNotKnownToBeSteady) {
  const std::vector<Flow> flows{
      {"vortex_shedding", {}, 0}, {"oscillating_wall", {energy}, 0}, {"taylor_green", {}, 0}};
  for (const Flow& flow : flows) {
    EXPECT_FALSE(answer_of("check", flow)["steps_to_answer"]) << flow.name;
  }
  // A permeability is that of a steady flow.
  EXPECT_TRUE(answer_of("check", {"voxel_spheres", {}, 0})["steps_to_answer"]);
}

}  // namespace
}  // namespace lbm::cases::test
