// SPDX-License-Identifier: Apache-2.0

// Named outputs, statistics and probes as files: parts equal those of the whole, means those of all
// samples, and nothing depends on the schedule.
#include <cmath>
#include <regex>

#include "io/vtk/surface_writer.hpp"
#include "tests/cases/run/restart_support.hpp"
#include "tests/cases/vtkhdf_values.hpp"

namespace lbm::cases::test {
namespace {

struct Schedule {
  std::string name, text;
};

class ResultsWith : public ::testing::TestWithParam<Schedule> {};

// Probes and forces at every step, fields, statistics: the same bytes as with k = 1.
TEST_P(ResultsWith, AreTheSameBytes) {
  for (const std::string* flow : {&windy, &vortex}) {
    const Runs runs(with_results(*flow));
    const Outcome one = runs.run("one");
    ASSERT_EQ(one.exit_code, 0) << one.err;
    const Outcome other = runs.run("other", GetParam().text);
    ASSERT_EQ(other.exit_code, 0) << other.err;
    EXPECT_GE(results_in(runs.path("one")).size(), 30U);
    expect_same_results(runs.path("one"), runs.path("other"));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Schedules, ResultsWith,
    ::testing::Values(Schedule{"wavefront_64",
                               "--set tiling.scheme=wavefront --set "
                               "tiling.steps_per_visit=64"},
                      Schedule{"wavefront",
                               "--set tiling.scheme=wavefront --set "
                               "tiling.steps_per_visit=7 --set "
                               "tiling.planes_per_visit=5"},
                      Schedule{"halo", "--set tiling.scheme=halo --set tiling.steps_per_visit=3"},
                      Schedule{"blocked", "--set tiling.steps_per_visit=4"}),
    [](const auto& schedule) { return schedule.param.name; });

// A case small enough to compare all its cells.
const std::string sheared = R"(
name: sheared
units: lattice
grid: {cells: [12, 10, 14]}
boundaries:
  x_min: periodic
  x_max: periodic
  z_max: {type: wall, velocity: [1, 0.3, 0]}
bodies:
  ball: {shape: sphere, center: [6, 5, 5], radius: 2.2}
fluid: {reynolds: 30, lattice_velocity: 0.1}
run: {steps: 40}
output: {every_steps: 4, at_end: false, profiles: false}
)";

fs::path file_of(const Runs& runs, const std::string& name, int step) {
  return runs.path("o") / fmt::format("{}_{:09d}.hdf", name, step);
}

// A run with additions to its case, in the directory `o`.
struct ShearedRun : Runs {
  explicit ShearedRun(const std::string& more) : Runs(sheared + more) {
    const Outcome outcome = run("o");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  }
};

// Two arrays of one name in VTK, of which it keeps the last.
TEST(Outputs, AnIsosurfaceMayCarryItsOwnScalar) {
  if (!io::writes_vtk()) GTEST_SKIP() << "built without VTK";
  const ShearedRun runs("outputs:\n  level: {isosurface: density, value: 1}\n");
  const std::string file = file_text(runs.path("o") / "level_000000040.vtp");
  EXPECT_NE(file.find("Name=\"density\""), std::string::npos);
  EXPECT_NE(file.find("Name=\"velocity\""), std::string::npos);
}

TEST(Outputs, PartsAreThoseOfTheWhole) {
  const ShearedRun runs(R"(
outputs:
  cut: {slice: y, at: 3.2, every_steps: 20, fields: [velocity, density], units: reference}
  part: {box_from: [2, 1, 3], box_to: [11, 9, 12], stride: 3, fields: [velocity]}
  mean: {average: 2, fields: [velocity]}
)");
  const Values all = values_of(file_of(runs, "fields", 40), "velocity");
  const Values cut = values_of(file_of(runs, "cut", 40), "velocity");
  ASSERT_EQ(cut.shape[0], 14U);
  ASSERT_EQ(cut.shape[2], 12U);
  const Values part = values_of(file_of(runs, "part", 40), "velocity");
  ASSERT_EQ(part.shape, (std::vector<hsize_t>{3, 3, 3, 3}));
  const Values mean = values_of(file_of(runs, "mean", 40), "velocity");
  ASSERT_EQ(mean.shape, (std::vector<hsize_t>{7, 5, 6, 3}));
  for (hsize_t c = 0; c < 3; ++c) {
    for (hsize_t z = 0; z < 14; ++z) {
      for (hsize_t x = 0; x < 12; ++x) EXPECT_EQ(cut.at(x, 0, z, c), all.at(x, 3, z, c));
    }
    for (hsize_t z = 0; z < 3; ++z) {
      for (hsize_t x = 0; x < 3; ++x) {
        EXPECT_EQ(part.at(x, 1, z, c), all.at(2 + 3 * x, 4, 3 + 3 * z, c));
      }
    }
    double sum = 0;  // far from the ball
    for (hsize_t i = 0; i < 8; ++i) sum += all.at(2 + i % 2, i / 2 % 2, 12 + i / 4, c);
    EXPECT_NEAR(mean.at(1, 0, 6, c), sum / 8, 1e-6);
  }
  const auto origin = attribute_of(file_of(runs, "part", 40), "Origin");
  const auto spacing = attribute_of(file_of(runs, "part", 40), "Spacing");
  EXPECT_DOUBLE_EQ(origin[0], 2.5 / 12);
  EXPECT_DOUBLE_EQ(origin[2], 3.5 / 12);
  EXPECT_DOUBLE_EQ(spacing[1], 3.0 / 12);
  EXPECT_DOUBLE_EQ(attribute_of(file_of(runs, "mean", 40), "Origin")[2], 1.0 / 12);
  EXPECT_TRUE(fs::exists(file_of(runs, "cut", 20)));
  EXPECT_FALSE(fs::exists(file_of(runs, "part", 20)));
}

// The same flow in metres and pascals.
TEST(Outputs, AreInTheUnitsOfTheCase) {
  const std::string si = R"(
name: si
units: si
grid: {size: [0.12, 0.1, 0.14], spacing: 0.01}
boundaries:
  z_max: {type: wall, velocity: [2, 0, 0]}
fluid: {reynolds: 30, lattice_velocity: 0.1, velocity: 2, length: 0.12, density: 1.2}
run: {steps: 40}
outputs:
  metres: {fields: [velocity, pressure, vorticity]}
  cells: {fields: [velocity, pressure, vorticity, density], units: lattice}
)";
  const Runs runs(si);
  ASSERT_EQ(runs.run("o").exit_code, 0);
  for (const auto& [array, factor] :
       {std::pair{"velocity", 20.0}, {"pressure", 1.2 * 400.0}, {"vorticity", 2000.0}}) {
    const Values metres = values_of(file_of(runs, "metres", 40), array);
    const Values cells = values_of(file_of(runs, "cells", 40), array);
    double largest = 0;
    for (std::size_t i = 0; i < cells.values.size(); ++i) {
      largest = std::max(largest, std::abs(double{metres.values[i]}));
      EXPECT_NEAR(metres.values[i], factor * cells.values[i], 1e-6 * factor) << array;
    }
    EXPECT_GT(largest, 0) << array;
  }
  // The files of `output` are in the same units.
  const Values fields = values_of(file_of(runs, "fields", 40), "velocity");
  EXPECT_EQ(fields.values, values_of(file_of(runs, "metres", 40), "velocity").values);
  EXPECT_DOUBLE_EQ(attribute_of(file_of(runs, "fields", 40), "Spacing")[0], 0.01);
  EXPECT_TRUE(has(runs.text("o/profile_z.csv"), "# position in m, velocity in m/s"));
  EXPECT_TRUE(has(runs.text("o/profile_z.csv"), "\n0.135,"));
  const Values pressure = values_of(file_of(runs, "cells", 40), "pressure");
  const Values density = values_of(file_of(runs, "cells", 40), "density");
  EXPECT_NEAR(pressure.at(3, 3, 12), (density.at(3, 3, 12) - 1) / 3, 1e-7);
  EXPECT_DOUBLE_EQ(attribute_of(file_of(runs, "metres", 40), "Spacing")[0], 0.01);
}

TEST(StatisticsOutput, IsThatOfAllDumps) {
  for (const char* sums : {"float32", "float64"}) {
    const ShearedRun runs(fmt::format(R"(
statistics:
  s: {{every_steps: 4, start: 0.1, sums: {}}}
)",
                                      sums));
    // 0.1 convective times are 12 steps.
    std::vector<Values> u, rho;
    for (int step = 12; step <= 40; step += 4) {
      u.push_back(values_of(file_of(runs, "fields", step), "velocity"));
      rho.push_back(values_of(file_of(runs, "fields", step), "density"));
    }
    const fs::path file = file_of(runs, "s", 40);
    EXPECT_EQ(attribute_of(file, "samples")[0], 8);
    const Values mean = values_of(file, "mean_velocity"), rms = values_of(file, "rms_velocity");
    const Values stress = values_of(file, "reynolds_stress"), p = values_of(file, "mean_pressure");
    const Values rms_p = values_of(file, "rms_pressure");
    const double n = static_cast<double>(u.size());
    const std::size_t pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};
    double largest = 0;
    for (std::size_t cell = 0; cell < rho[0].values.size(); ++cell) {
      double m[3] = {}, mean_p = 0, var_p = 0;
      for (std::size_t s = 0; s < u.size(); ++s) {
        for (std::size_t i = 0; i < 3; ++i) m[i] += double{u[s].values[3 * cell + i]} / n;
        mean_p += (double{rho[s].values[cell]} - 1) / 3 / 0.01 / n;
      }
      for (std::size_t s = 0; s < u.size(); ++s) {
        const double d = (double{rho[s].values[cell]} - 1) / 3 / 0.01 - mean_p;
        var_p += d * d / n;
      }
      EXPECT_NEAR(p.values[cell], mean_p, 1e-5);
      EXPECT_NEAR(rms_p.values[cell], std::sqrt(var_p), 3e-5);
      for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(mean.values[3 * cell + i], m[i], 3e-7);
      for (std::size_t q = 0; q < 6; ++q) {
        double sum = 0;
        for (const Values& v : u) {
          sum += (double{v.values[3 * cell + pairs[q][0]]} - m[pairs[q][0]]) *
                 (double{v.values[3 * cell + pairs[q][1]]} - m[pairs[q][1]]) / n;
        }
        largest = std::max(largest, std::abs(sum));
        EXPECT_NEAR(stress.values[6 * cell + q], sum, 2e-8) << q;
        if (q >= 3) continue;
        EXPECT_NEAR(rms.values[3 * cell + q], std::sqrt(sum), 2e-5);
      }
    }
    EXPECT_GT(largest, 1e-4) << "nothing changed";
  }
}

// Values of the fields at cell centres, interpolated between them; never from inside the body.
TEST(Probes, SeeTheFields) {
  const ShearedRun runs(R"(
probes:
  p: {points: [[3.5, 4.5, 12.5], [4, 4.5, 12.5], [12, 0, 13.9], [6.2, 5, 7.1]]}
  through: {line_from: [6, 5, 5], line_to: [6, 5, 12.5], line_points: 2, every_steps: 40}
)");
  const auto through = file_text((runs.path("o") / "probe_through.csv").string());
  EXPECT_TRUE(has(through, ",nan,nan,nan,nan,")) << "inside the ball\n" << through;
  const auto lines = file_text((runs.path("o") / "probe_p.csv").string());
  std::vector<std::vector<double>> rows;
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#' || line[0] == 's') continue;
    std::istringstream numbers(line);
    auto& row = rows.emplace_back();
    for (std::string number; std::getline(numbers, number, ',');) row.push_back(std::stod(number));
  }
  ASSERT_EQ(rows.size(), 40U);
  for (int step = 4; step <= 40; step += 4) {
    const Values u = values_of(file_of(runs, "fields", step), "velocity");
    const auto& row = rows[static_cast<std::size_t>(step) - 1];
    ASSERT_EQ(row[0], step);
    ASSERT_EQ(row.size(), 18U);
    const Values rho = values_of(file_of(runs, "fields", step), "density");
    EXPECT_NEAR(row[2], (double{rho.at(3, 4, 12)} - 1) / 3 / 0.01, 2e-5);
    for (hsize_t c = 0; c < 3; ++c) {
      EXPECT_NEAR(row[3 + c], u.at(3, 4, 12, c), 1e-6);
      EXPECT_NEAR(row[7 + c], (u.at(3, 4, 12, c) + u.at(4, 4, 12, c)) / 2, 1e-6);
      // x is periodic; beyond walls the outermost cell is used.
      EXPECT_NEAR(row[11 + c], (u.at(11, 0, 13, c) + u.at(0, 0, 13, c)) / 2, 1e-6);
      // The cells around [6.2, 5, 7.1] that lie in the ball are left out.
      double sum = 0, weights = 0;
      for (const hsize_t x : {5U, 6U}) {
        for (const hsize_t y : {4U, 5U}) {
          for (const hsize_t z : {7U, 6U}) {
            const double dx = double(x) - 5.5, dy = double(y) - 4.5, dz = double(z) - 4.5;
            if (dx * dx + dy * dy + dz * dz < 2.2 * 2.2) continue;
            const double weight = (x == 5 ? 0.3 : 0.7) * 0.5 * (z == 7 ? 0.6 : 0.4);
            weights += weight;
            sum += weight * u.at(x, y, z, c);
          }
        }
      }
      EXPECT_NEAR(row[15 + c], sum / weights, 1e-6);
      EXPECT_LT(weights, 0.9) << "no cell in the ball";
    }
  }
  EXPECT_NE(rows[39][15], 0) << "a place at the ball sees fluid";
}

TEST(Results, RefuseWhatCannotBe) {
  const std::vector<std::pair<std::string, std::string>> all{
      {"outputs: {fields: {stride: 2}}", "must be another"},
      {"outputs: {a: {slice: y}}", "slice: missing: at"},
      {"outputs: {a: {slice: y, at: 99}}", "outputs.a.at: found 99 cells along y"},
      {"outputs: {a: {box_from: [1, 1, 1]}}", "missing: box_to"},
      {"outputs: {a: {box_from: [1, 1, 1], box_to: [1, 5, 5]}}", "must be above box_from"},
      {"outputs: {a: {fields: [speed]}}", "must be a list of words density, pressure"},
      {"outputs: {a: {fields: [velocity, velocity]}}", "list of words"},
      {"outputs: {a: {average: 11}}", "must be at most 10"},
      {"outputs: {a: {isosurface: density}}", "isosurface: missing: value"},
      {"outputs: {a: {units: physical}}", "requires units: si"},
      {"outputs: {a: {at_end: false}}", "at_end: missing: every_steps"},
      {"outputs: {a: {times: [77]}}", "the end of the run"},
      {"outputs: {a: {strides: 2}}", "stride"},
      {"statistics: {a: {start: 0.1}}", "every_steps: missing"},
      {"statistics: {a: {every_steps: 4, write_every_steps: 6}}", "a multiple of every_steps"},
      {"statistics: {a: {every_steps: 4, start: 5}}", "before the end of the run"},
      {"probes: {a: {points: [[1, 2]]}}", "list of points"},
      {"probes: {a: {points: [[1, 2, 99]]}}", "must lie in the box"},
      {"probes: {a: {line_from: [1, 2, 3]}}", "line_from: missing: line_to"},
      {"probes: {a: {points: [[6, 5, 5]]}}", "inside a body"}};
  for (const auto& [text, part] : all) {
    const Runs runs(sheared + text + "\n");
    const Outcome outcome = runs.run("o");
    expect_one_line(outcome, 2, part);
    EXPECT_TRUE(has(outcome.err, "case.yaml")) << outcome.err;
    EXPECT_FALSE(fs::exists(runs.path("o"))) << text;
  }
}

// A file that does not fit on the disk ends the run, or disables that output.
TEST(Results, GoOnWithoutAnOutputWhenTold) {
  const std::string text = sheared + R"(
outputs:
  large: {every_steps: 8, fields: [velocity, vorticity, strain_rate]}
  small: {every_steps: 8, slice: z, at: 4, fields: [density]}
)";
  const Runs runs(std::regex_replace(text, std::regex("output: .every_steps: 4, "), "output: {"));
  const auto limited = [&](const std::string& out, const std::string& more) {
    const lbm::testing::FileSizeLimit limit(40000);
    return runs.run(out, more);
  };
  const Outcome stopped = limited("stopped", "");
  expect_one_line(stopped, 4, "large_000000008.hdf");
  EXPECT_TRUE(has(runs.text("stopped/report.json"), "large_000000008.hdf"));
  const Outcome done = limited("done", "--set output.on_error=continue");
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_TRUE(has(done.err, "the run goes on without this output")) << done.err;
  EXPECT_TRUE(has(runs.text("done/report.json"), "the run goes on without this output"));
  for (const int step : {8, 16, 24, 32, 40}) {
    EXPECT_TRUE(fs::exists(runs.path("done") / fmt::format("small_{:09d}.hdf", step))) << step;
  }
  for (const std::string& name : lbm::testing::names_in(runs.path("done"))) {
    EXPECT_FALSE(name.starts_with("large")) << name;
    EXPECT_FALSE(name.ends_with(".partial")) << name;
  }
}

}  // namespace
}  // namespace lbm::cases::test
