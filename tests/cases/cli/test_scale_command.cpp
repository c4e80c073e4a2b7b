// SPDX-License-Identifier: Apache-2.0

// Scaling studies: their runs and reports, and plans for several ranks.
#include <nlohmann/json.hpp>

#include "cases/cli/scale/scale.hpp"
#include "solver/core/error.hpp"
#include "tests/cases/run/ranks/ranks_support.hpp"

namespace lbm::cases {
namespace {

using lbm::testing::read_text;
using lbm::testing::ScratchDirectory;
using test::has;
using test::lbm_program;
using test::Outcome;

TEST(ScaleStudy, TakesAsManyProcessesAsThereAreDevices) {
  EXPECT_EQ(usual_processes(1), (std::vector<int>{1, 2}));
  EXPECT_EQ(usual_processes(4), (std::vector<int>{1, 2, 4}));
  EXPECT_EQ(usual_processes(7), (std::vector<int>{1, 2, 4}));
}

TEST(ScaleStudy, MakesItsRunsInOrder) {
  ScaleOptions options;
  options.processes = {4, 1, 4};
  const std::vector<ScalePoint> both = {{Scaling::weak, 1, 30},
                                        {Scaling::weak, 4, 30},
                                        {Scaling::strong, 1, 30},
                                        {Scaling::strong, 4, 30}};
  EXPECT_EQ(scale_points(options, 30), both);
  EXPECT_EQ(both[1].nz(), 120);
  EXPECT_EQ(both[3].nz(), 30);
  options.strong = true;
  options.planes = {50, 20};
  const std::vector<ScalePoint> strong = {{Scaling::strong, 1, 20},
                                          {Scaling::strong, 4, 20},
                                          {Scaling::strong, 1, 50},
                                          {Scaling::strong, 4, 50}};
  EXPECT_EQ(scale_points(options, 30), strong);
  options.processes = {0};
  EXPECT_THROW(scale_points(options, 30), UsageError);
}

ScaleRow row_of(const ScalePoint& point, double mlups, std::optional<double> predicted) {
  ScaleRow row;
  row.point = point;
  row.mlups = mlups;
  row.predicted_mlups = predicted;
  return row;
}

TEST(ScaleStudy, ComparesWithTheFewestProcessesOfTheSamePlanes) {
  std::vector<ScaleRow> rows;
  const auto add = [&](const ScaleRow& row) {
    rows.push_back(row);
    add_efficiency(rows);
  };
  ScaleRow failed = row_of({Scaling::weak, 1, 10}, 0, {});
  failed.failure = "exit code 4";
  add(failed);
  add(row_of({Scaling::weak, 2, 10}, 100, 80));
  add(row_of({Scaling::weak, 8, 10}, 300, 240));
  add(row_of({Scaling::strong, 8, 10}, 320, {}));
  EXPECT_FALSE(rows[0].efficiency);
  EXPECT_DOUBLE_EQ(*rows[1].efficiency, 1);
  EXPECT_DOUBLE_EQ(*rows[2].efficiency, 0.75);
  EXPECT_DOUBLE_EQ(*rows[2].predicted_efficiency, 0.75);
  EXPECT_DOUBLE_EQ(*rows[3].efficiency, 1) << "of another study";
  EXPECT_FALSE(rows[3].predicted_efficiency);
}

TEST(ScaleStudy, ItsFileSaysWhatWasMeasuredAndWhatWasPredicted) {
  ScaleRow failed = row_of({Scaling::weak, 4, 10}, 0, {});
  failed.failure = "exit code 4";
  const io::Json runs =
      scale_json("a.yaml", {row_of({Scaling::weak, 1, 10}, 100, 90.0),
                            row_of({Scaling::strong, 2, 20}, 200, {}), failed})["runs"];
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_EQ(runs[0]["nz"], 10);
  EXPECT_EQ(runs[0]["predicted_mlups"], 90.0);
  EXPECT_EQ(runs[1]["scaling"], "strong");
  EXPECT_TRUE(runs[1]["predicted_mlups"].is_null());
  EXPECT_EQ(runs[2]["failure"], "exit code 4");
  EXPECT_FALSE(runs[2].contains("mlups"));
}

class ScaleCommand : public test::Processes {
 protected:
  ScaleCommand() { test::mpirun(); }  // allows the program to start mpirun, too
  const ScratchDirectory scratch_;
  std::string study_ = fmt::format(
      "scale '{}' --set 'grid.cells=[20, 12, 16]' --set device.backend=cpu --steps 12 --out '{}' "
      "--launcher 'timeout 60 mpirun --oversubscribe --bind-to none -n {{n}}'",
      test::shipped_path("lid_driven_cavity"), (scratch_.path() / "study").string());
};

TEST_F(ScaleCommand, MeasuresAndWritesAStudy) {
  const Outcome outcome = lbm_program(study_ + " --processes 1,2,9 --strong");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "strong scaling, 20 x 12 x 16 cells in all")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "found 16 planes along z for 9 processes")) << outcome.out;
  const auto study = scratch_.path() / "study";
  const io::Json runs = io::read_json(study / "scale.json")["runs"];
  ASSERT_EQ(runs.size(), 3U);
  for (const std::size_t i : {0U, 1U}) {
    EXPECT_EQ(runs[i]["cell_count"], 20 * 12 * 16);
    EXPECT_GT(runs[i]["mlups"], 0);
    EXPECT_GT(runs[i]["predicted_mlups"], 0);
  }
  EXPECT_EQ(runs[1]["processes"], 2);
  EXPECT_EQ(runs[1]["exchange"], "host");
  EXPECT_NEAR(runs[1]["efficiency"].get<double>(),
              runs[1]["mlups"].get<double>() / runs[0]["mlups"].get<double>() / 2, 1e-9);
  EXPECT_TRUE(runs[2].contains("failure"));
  EXPECT_FALSE(std::filesystem::exists(study / "strong.svg")) << "lbm.plot.scaling draws it";
  const std::string before = read_text(study / "scale.json");
  const Outcome again = lbm_program(study_);
  test::expect_one_line(again, 2, "scale.json: exists");
  EXPECT_EQ(read_text(study / "scale.json"), before);
}

TEST_F(ScaleCommand, RefusesWhatItCannotDo) {
  test::expect_one_line(lbm_program(study_ + " --processes 0"), 2, "--processes: found 0");
  test::expect_one_line(lbm_program(study_ + " --planes 1"), 2, "--planes: found 1");
  const std::string plain =
      fmt::format("scale '{}' --out '{}'", test::shipped_path("lid_driven_cavity"),
                  (scratch_.path() / "plain").string());
  test::expect_one_line(lbm_program(plain + " --steps -1"), 2, "--steps: found -1");
  test::expect_one_line(lbm_program(plain + " --launcher mpirun"), 2, "has no {n}");
  test::expect_one_line(lbm_program(plain + " --launcher 'mpirun {x}'"), 2, "other than {n}");
  const Outcome nothing = lbm_program(study_ + " --processes 9 --strong --overwrite");
  test::expect_one_line(nothing, 4, "no run came to its end: exit code 2");
}

// Matches `lbm run` on several ranks with the same schedule.
TEST_F(ScaleCommand, PlansForSeveralProcesses) {
  const std::string flow = fmt::format(
      "'{}' --set 'grid.cells=[20, 12, 61]' --set run.steps=21 --set device.backend=cpu --set "
      "device.threads=1 --set device.memory=100MB --set output.at_end=false --set "
      "output.profiles=false --set tiling.scheme=wavefront --set tiling.steps_per_visit=7 --set "
      "tiling.planes_per_visit=3",
      test::shipped_path("lid_driven_cavity"));
  const Outcome plan = lbm_program("plan --json --processes 3 " + flow);
  ASSERT_EQ(plan.exit_code, 0) << plan.err;
  const io::Json said = io::parse_json(plan.out, "plan");
  EXPECT_EQ(said["processes"], 3);
  EXPECT_EQ(said["slab_planes"], 21);
  EXPECT_EQ(said["exchange"], "host");
  EXPECT_GT(said["mlups"], 0);
  const auto out = scratch_.path() / "run";
  const Outcome run = test::several(3, fmt::format("run {} --out '{}'", flow, out.string()));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const io::Json done = io::read_json(out / "report.json");
  for (const char* key : {"scheme", "steps_per_visit", "planes_per_visit", "device_bytes"}) {
    EXPECT_EQ(said[key], done[key]) << key;
  }
  test::expect_one_line(lbm_program("plan --processes 40 " + flow), 2, "61 planes");
  test::expect_one_line(lbm_program("plan --processes 0 " + flow), 2, "--processes: found 0");
}

}  // namespace
}  // namespace lbm::cases
