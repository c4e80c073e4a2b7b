// SPDX-License-Identifier: Apache-2.0

// How outputs limit the steps of a sweep: in a run, and in its prediction.
#include <nlohmann/json.hpp>

#include "cases/case/validate/validate.hpp"
#include "cases/run/results/field_outputs.hpp"
#include "tests/cases/run/restart_support.hpp"

namespace lbm::cases::test {
namespace {

const std::string box = R"(
name: box
grid: {cells: [8, 8, 40]}
boundaries: {x_min: periodic, x_max: periodic, y_min: periodic, y_max: periodic}
fluid: {reynolds: 10, length: 8, lattice_velocity: 0.1}
run: {steps: 200}
output: {at_end: false, profiles: false}
tiling: {scheme: wavefront, steps_per_visit: 12, planes_per_visit: 4}
)";

constexpr const char* every_20 =
    "--set pictures.mid.slice=y --set pictures.mid.every_steps=20 "
    "--set pictures.top.slice=z --set pictures.top.every_steps=20";

// The bytes of one sweep are those of the lattice.
double bytes_in(const Runs& runs, const std::string& directory) {
  return io::Json::parse(runs.text(directory + "/report.json")).at("link_bytes_in").get<double>();
}

TEST(SweepLengths, AreTheSameWithPictures) {
  const Runs runs(box);
  ASSERT_EQ(runs.run("without", "").exit_code, 0);
  const Outcome with = runs.run("with", every_20);
  ASSERT_EQ(with.exit_code, 0) << with.err;
  EXPECT_GT(bytes_in(runs, "without"), 0);
  EXPECT_EQ(bytes_in(runs, "with"), bytes_in(runs, "without"));
}

TEST(SweepLengths, AreAtMostFourOutputs) {
  const Runs runs(box);
  ASSERT_EQ(runs.run("without", "--set tiling.steps_per_visit=8").exit_code, 0);
  const Outcome with =
      runs.run("with", "--set pictures.mid.slice=y --set pictures.mid.every_steps=2");
  ASSERT_EQ(with.exit_code, 0) << with.err;
  EXPECT_EQ(bytes_in(runs, "with"), bytes_in(runs, "without"));
}

tiling::RunShape limits(const std::vector<std::string>& overrides, int processes = 1) {
  const Runs runs(box);
  const Case lbm_case = read_case(runs.path("case.yaml").string(), overrides);
  const Derived derived = derive(lbm_case);
  tiling::RunShape run{.steps = derived.steps};
  limit_sweeps(lbm_case, derived, processes > 1, run);
  return run;
}

TEST(SweepLengths, ArePredicted) {
  EXPECT_EQ(limits({}).most_steps(), 200);
  const std::vector<std::string> pictures = {"pictures.mid.slice=y", "pictures.mid.every_steps=20",
                                             "pictures.top.slice=z",
                                             "pictures.top.every_steps=20"};  // at the same steps
  EXPECT_EQ(limits(pictures).most_steps(), 80);
  EXPECT_EQ(limits(pictures).stretch(), 200);
  EXPECT_EQ(limits(pictures, 2).stretch(), 20);
  EXPECT_EQ(limits({"pictures.mid.slice=y", "pictures.mid.every_steps=4", "output.every_steps=6"})
                .most_steps(),
            12);  // steps 4, 6, 8, 12: four in twelve
  EXPECT_EQ(limits({"statistics={all: {every_steps: 30}}"}).most_steps(), 30);
}

}  // namespace
}  // namespace lbm::cases::test
