// SPDX-License-Identifier: Apache-2.0

// Predicted sizes of a run's files against the files of the run.
#include "cases/run/results/field_consumer.hpp"

#include <cmath>

#include "cases/case/limits.hpp"
#include "cases/case/validate/validate.hpp"
#include "cases/run/checkpoint/checkpoints.hpp"
#include "cases/run/results/field_planes.hpp"
#include "cases/run/setup/setup.hpp"
#include "io/vtk/surface_writer.hpp"
#include "tests/cases/run/restart_support.hpp"

namespace lbm::cases::test {
namespace {

using lbm::testing::names_in;

// Large enough for values to outweigh metadata.
const std::string everything = R"(
name: everything
grid: {cells: [64, 48, 96]}
boundaries:
  x_min: periodic
  x_max: periodic
  z_max: {type: wall, velocity: [1, 0.3, 0]}
fluid: {reynolds: 30, length: 50, lattice_velocity: 0.1}
run: {steps: 43}
output: {every_steps: 20, profiles: false}
outputs:
  part: {box_from: [2, 1, 3], box_to: [62, 47, 90], times: [0.02], every_time: 0.0251, fields: [velocity]}
  half: {every_steps: 20, precision: float16, fields: [velocity, vorticity, solid], at_end: false}
  mean: {average: 2, every_steps: 15, fields: [velocity, pressure, q_criterion, vorticity]}
statistics:
  all: {every_steps: 3, start: 0.02, write_every_steps: 12}
  few: {every_steps: 5, write_every_steps: 10, stresses: false, sums: float64}
probes:
  points: {points: [[3.5, 4.5, 90.5], [60, 40, 95], [10.2, 11.3, 94.7]]}
  line: {line_from: [5, 5, 60], line_to: [60, 40, 95.5], line_points: 30, every_steps: 4}
)";
const std::string of_vtk = R"(
  surface: {isosurface: velocity, value: 0.1, every_steps: 20, fields: [pressure]}
)";

std::string case_text() {
  std::string text = everything;
  if (io::writes_vtk()) text.insert(text.find("statistics:"), of_vtk.substr(1));
  return text;
}

struct Predicted {
  explicit Predicted(const Runs& runs, const std::vector<std::string>& overrides = {})
      : lbm_case(read_case(runs.path("case.yaml").string(), overrides)), derived(derive(lbm_case)) {
    validate(lbm_case);
  }
  Case lbm_case;
  Derived derived;
};

// The files of a result, without its index.
std::vector<fs::path> files_of(const fs::path& directory, const ResultSize& result) {
  std::string name = result.name.substr(result.name.find('.') + 1);
  if (result.name == "output") name = "fields";
  std::vector<fs::path> files;
  for (const std::string& file : names_in(directory)) {
    bool own = file == "probe_" + name + ".csv";
    for (const char* ending : {".hdf", ".vtp"}) {
      own = own || step_of_file(file, name, ending).has_value();
    }
    const bool probes = result.kind == ResultKind::probes;
    if (own && probes == file.ends_with(".csv")) files.push_back(directory / file);
  }
  return files;
}

std::int64_t rows_in(const fs::path& file) {
  std::istringstream lines(lbm::testing::read_text(file));
  std::int64_t rows = 0;
  for (std::string line; std::getline(lines, line);) rows += std::isdigit(line[0]) != 0 ? 1 : 0;
  return rows;
}

double bytes_in(const std::vector<fs::path>& files) {
  double bytes = 0;
  for (const fs::path& file : files) bytes += static_cast<double>(fs::file_size(file));
  return bytes;
}

void expect_as_predicted(const std::vector<ResultSize>& results, const fs::path& directory) {
  for (const ResultSize& result : results) {
    const auto files = files_of(directory, result);
    if (result.kind == ResultKind::probes) {
      ASSERT_EQ(files.size(), 1U) << result.name;
      EXPECT_EQ(rows_in(files[0]), result.count) << result.name;
    } else {
      EXPECT_EQ(static_cast<std::int64_t>(files.size()), result.count) << result.name;
    }
    EXPECT_EQ(result.bytes.has_value(), result.kind != ResultKind::surface) << result.name;
    if (!result.bytes) continue;
    const double real = bytes_in(files);
    const double share = static_cast<double>(*result.bytes) / real;
    // Metadata are predicted generously: small files are not within 1 %.
    constexpr double around = 30000;
    const double most = result.kind == ResultKind::probes
                            ? 1.5
                            : std::max(1.01, 1 + around * static_cast<double>(result.count) / real);
    EXPECT_LT(share, most) << result.name << ' ' << *result.bytes;
    EXPECT_GT(share, result.kind == ResultKind::probes ? 1 / 1.5 : 1) << result.name;
  }
}

void expect_checkpoint_as_predicted(const Predicted& predicted, const fs::path& file) {
  const Lattice lattice = make_case_lattice(predicted.lbm_case, predicted.derived);
  const auto bytes =
      static_cast<double>(checkpoint_bytes(predicted.lbm_case, predicted.derived, lattice));
  EXPECT_LT(std::abs(bytes / bytes_in({file}) - 1), 0.01) << bytes;
}

TEST(ResultSizes, AreThoseOfTheFilesOfARun) {
  const Runs runs(case_text());
  const Predicted whole(runs);
  const auto results = result_sizes(whole.lbm_case, whole.derived);
  ASSERT_EQ(results.size(), io::writes_vtk() ? 9U : 8U);
  EXPECT_EQ(results[0].name, "output");
  EXPECT_EQ(results[1].name, "outputs.part");
  EXPECT_EQ(results.back().name, "probes.line");
  const Outcome run = runs.run("o", "--set checkpoint.every_steps=16");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  expect_as_predicted(results, runs.path("o"));
  expect_checkpoint_as_predicted(whole, runs.path("o/" + runs.checkpoints("o").at(0)));
  double sum = 0;
  std::int64_t files = 0;
  for (const ResultSize& result : results) {
    sum += static_cast<double>(result.bytes.value_or(0));
    if (result.kind != ResultKind::probes && result.kind != ResultKind::statistics)
      files += result.count;
  }
  EXPECT_EQ(static_cast<double>(total_bytes(results)), sum);
  EXPECT_EQ(count_of_field_files(results), files);

  // A run continued elsewhere writes the remaining files.
  for (const int step : {16, 32}) {
    const std::string out = fmt::format("from_{}", step);
    const fs::path checkpoint = runs.path("o") / fmt::format("checkpoint_{:09d}.h5", step);
    const Outcome rest = runs.run(out, fmt::format("--restart '{}'", checkpoint.string()));
    ASSERT_EQ(rest.exit_code, 0) << rest.err;
    expect_as_predicted(result_sizes(whole.lbm_case, whole.derived, step), runs.path(out));
  }
}

TEST(ResultSizes, CheckpointsOfHalfPrecision) {
  const Runs runs(vortex);
  const Predicted predicted(runs, {"grid.cells=[48, 48, 96]", "lattice.storage=fp16"});
  const Outcome run = runs.run("o",
                               "--set checkpoint.at_end=true --set run.steps=4 --set "
                               "lattice.storage=fp16 --set 'grid.cells=[48, 48, 96]'");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  expect_checkpoint_as_predicted(predicted, runs.path("o/" + runs.checkpoints("o").at(0)));
}

// Statistics with and without samples after the last intermediate file.
TEST(ResultSizes, StatisticsOfEverySchedule) {
  for (const int steps : {40, 43}) {
    const Runs runs(fmt::format(R"(
grid: {{cells: [8, 8, 8]}}
fluid: {{reynolds: 10}}
run: {{steps: {}}}
output: {{at_end: false, profiles: false}}
checkpoint: {{every_steps: 20, keep: 9}}
statistics:
  a: {{every_steps: 4, write_every_steps: 8}}
  b: {{every_steps: 4, write_every_steps: 12}}
  c: {{every_steps: 5, write_every_steps: 10}}
  d: {{every_steps: 3, write_every_steps: 9}}
  e: {{every_steps: 5, start: 0.31, write_every_steps: 10}}
  f: {{every_steps: 4, start: 0.3}}
  g: {{every_steps: 50, write_every_steps: 50}}
)",
                                steps));
    const Predicted predicted(runs);
    const auto expect_files = [&](const std::string& out, int after) {
      for (const ResultSize& r : result_sizes(predicted.lbm_case, predicted.derived, after)) {
        EXPECT_EQ(static_cast<std::int64_t>(files_of(runs.path(out), r).size()), r.count)
            << r.name << " of " << steps << " steps after " << after;
      }
    };
    ASSERT_EQ(runs.run("o").exit_code, 0);
    expect_files("o", 0);
    for (const int step : {20, 40}) {
      if (step == steps) continue;
      const std::string checkpoint =
          runs.path(fmt::format("o/checkpoint_{:09d}.h5", step)).string();
      const std::string out = fmt::format("from_{}", step);
      ASSERT_EQ(runs.run(out, fmt::format("--restart '{}'", checkpoint)).exit_code, 0);
      expect_files(out, step);
    }
  }
}

TEST(ResultSizes, ManyFilesAreNoSmallNumber) {
  const Runs runs(case_text());
  const Predicted predicted(runs, {"run.steps=1000000000000000", "output.every_steps=1"});
  const auto results = result_sizes(predicted.lbm_case, predicted.derived);
  EXPECT_EQ(results[0].count, 1000000000000000);
  EXPECT_EQ(results[0].bytes, most_bytes);
  EXPECT_EQ(total_bytes(results), most_bytes);
  EXPECT_EQ(saturating_add(most_bytes - 1, 1), most_bytes);
  EXPECT_EQ(saturating_add(most_bytes - 2, 1), most_bytes - 1);
  EXPECT_EQ(saturating_add(~std::uint64_t{0}, ~std::uint64_t{0}), most_bytes);
  EXPECT_EQ(saturating_multiply(6, 7), 42U);
  EXPECT_EQ(saturating_multiply(0, 7), 0U);
}

TEST(CheckpointsToCome, FollowTheKeys) {
  Case c;
  Derived d;
  d.steps = 100;
  const auto most = [&](std::int64_t after = 0, std::int64_t there = 0) {
    return checkpoints_to_come(c, d, after, there);
  };
  EXPECT_EQ(most(), 0);
  c.checkpoint.at_end = true;
  EXPECT_EQ(most(), 1);
  EXPECT_EQ(most(100), 0);
  c.checkpoint.every_steps = 50;
  EXPECT_EQ(most(), 2) << "the one at the end is one of them";
  EXPECT_EQ(most(50), 1);
  c.checkpoint.every_steps = 60;
  EXPECT_EQ(most(), 2);
  EXPECT_EQ(most(60), 1) << "at the end";
  c.checkpoint.every_steps = 10;
  EXPECT_EQ(most(), 3) << "two stay, and one is written";
  EXPECT_EQ(most(50, 1), 2);
  EXPECT_EQ(most(50, 2), 1);
  EXPECT_EQ(most(50, 7), 1);
  EXPECT_EQ(most(100, 2), 0);
  c.checkpoint.keep = 5;
  EXPECT_EQ(most(), 6);
  c.checkpoint = {};
  c.run.walltime = 3;
  EXPECT_EQ(most(), 1);
  c.checkpoint.every_minutes = 1;
  EXPECT_EQ(most(), 3);
}

TEST(FileSeries, KnowsItsFiles) {
  const auto step = [](const char* file, const char* ending = ".vtp") {
    return step_of_file(file, "cut", ending).value_or(-1);
  };
  EXPECT_EQ(step("cut_000000120.vtp"), 120);
  EXPECT_EQ(step("cut_000000120.pvtp"), 120);
  EXPECT_EQ(step("cut_000000120_p0007.vtp"), 120);
  EXPECT_EQ(step("cut_000000120_p12345.vtp"), 120);
  EXPECT_EQ(step("cut_12345678901.hdf", ".hdf"), 12345678901);
  for (const char* other :
       {"cut.pvd", "cut_000000120.hdf", "cut_000000120", "cut_120.vtp", "cut_.vtp", "cut",
        "cut_000000120_p.vtp", "cut_000000120_p1x.vtp", "cut_000000120.png", "cutt_000000120.vtp",
        "cut_000000120_000000130.vtp", "cut_000000120.vtp.partial", "cut_000000120_p0001.pvtp",
        "cut_99999999999999999999.vtp", "a_cut_000000120.vtp", ""}) {
    EXPECT_EQ(step(other), -1) << other;
  }
}

}  // namespace
}  // namespace lbm::cases::test
