// SPDX-License-Identifier: Apache-2.0

// initial.flow: file: the units of a results file, and files that are refused.
#include <cmath>

#include "cases/case/initial/flow_rows.hpp"
#include "cases/case/units.hpp"
#include "cases/case/units_table.hpp"
#include "io/hdf5/vtkhdf_image.hpp"
#include "tests/cases/case_support.hpp"
#include "tests/io/scratch.hpp"

namespace lbm::cases {
namespace {

using test::error_of;
using testing::ScratchDirectory;

const std::string from_file = R"(
grid: {cells: [8, 6, 4]}
fluid: {reynolds: 100, lattice_velocity: 0.05}
initial: {flow: file, file: f.hdf}
run: {steps: 50}
)";

// A file of 4 x 3 x 2 cells, the box of the case above.
struct Results {
  io::ImageGeometry geometry{{4, 3, 2}, {0.125, 0.125, 0.125}, {0.25, 0.25, 0.25}};
  std::string units{file_units_text::reference};
  std::vector<io::FieldInfo::Attribute> numbers{{"reference_length_cells", 4.0},
                                                {"reference_velocity_cells_per_step", 0.1}};
  std::string scalar = "density", vector = "velocity";
  float value = 1.02F;  // of the scalar, everywhere; velocities count the cells
  int components = 3;

  std::string write(const ScratchDirectory& scratch) const {
    io::FieldInfo info{0, 0, numbers};
    if (!units.empty()) info.attributes.emplace_back("units", units);
    // The temperature has the values of the scalar, too.
    const std::vector<io::ArrayInfo> arrays{
        {scalar, 1, {}, {}}, {vector, components, {}, {}}, {"temperature", 1, {}, {}}};
    const std::filesystem::path path = scratch.path() / "f.hdf";
    io::VtkhdfImage file(path, geometry, arrays, info, {});
    const std::size_t count =
        static_cast<std::size_t>(geometry.points[0]) * static_cast<std::size_t>(geometry.points[1]);
    for (int z = 0; z < geometry.points[2]; ++z) {
      const std::vector<float> scalars(count, value);
      std::vector<float> vectors(count * static_cast<std::size_t>(components));
      for (std::size_t i = 0; i < vectors.size(); ++i) {
        vectors[i] = static_cast<float>(i + 100 * static_cast<std::size_t>(z)) / 1000;
      }
      const std::array<std::span<const float>, 3> all{scalars, vectors, scalars};
      file.write_plane(z, all);
    }
    file.close();
    return path.string();
  }
};

Case case_in(const ScratchDirectory& scratch, const std::string& text = from_file) {
  return parse_case(text, (scratch.path() / "c.yaml").string());
}

// Density less 1 and velocity of cell (1, 2, 1), in lattice units of the case.
FlowCell cell_of(const Case& c) {
  const auto flow = open_flow_file(c, derive(c));
  EXPECT_EQ(flow->cells(), (std::array{4, 3, 2}));
  std::array<FlowCell, 4> row{};
  flow->read(2, 1, std::array{CellRun{1, 2}}, row);
  EXPECT_EQ(row[2], FlowCell{}) << "it is in no run";
  return row[1];
}

// Component i of that cell in the file.
double in_file(int i) { return (3 * (2 * 4 + 1) + i + 100) / 1000.0; }

void expect_cell(const Case& c, double velocity_factor, double density) {
  const auto cell = cell_of(c);
  EXPECT_NEAR(cell[0], density - 1, 1e-6 * std::abs(density - 1));
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(cell[static_cast<std::size_t>(1 + i)], in_file(i) * velocity_factor, 1e-8);
  }
}

// The pressure (density - 1) / (3 u^2) is kept, not the density.
TEST(FlowFile, InReferenceUnits) {
  const ScratchDirectory scratch;
  Results results;
  results.write(scratch);
  expect_cell(case_in(scratch), 0.05, 1 + 0.02 * 0.25);
  results.scalar = "pressure";
  results.value = 0.5F;
  results.write(scratch);
  expect_cell(case_in(scratch), 0.05, 1 + 3 * 0.5 * 0.05 * 0.05);
}

TEST(FlowFile, InLatticeUnits) {
  const ScratchDirectory scratch;
  Results results;
  results.units = file_units_text::lattice;
  results.geometry = {{4, 3, 2}, {0.5, 0.5, 0.5}, {1, 1, 1}};
  results.write(scratch);
  expect_cell(case_in(scratch), 0.5, 1 + 0.02 * 0.25);
  results.scalar = "pressure";
  results.value = 0.01F;
  results.write(scratch);
  expect_cell(case_in(scratch), 0.5, 1 + 3 * 0.01 * 0.25);
}

// 1.02 as stored with reference 300 and difference 50 is 351.
TEST(FlowFile, ScalarsKeepTheirValues) {
  const ScratchDirectory scratch;
  const Case c = case_in(scratch, from_file +
                                      "scalars: {temperature: {prandtl: 1, reference: 290, "
                                      "difference: 20}}\n");
  Results results;
  results.value = 351;
  results.write(scratch);
  EXPECT_NEAR(cell_of(c)[4], 61 / 20.0, 1e-6);
  results.units = file_units_text::lattice;
  results.geometry = {{4, 3, 2}, {0.5, 0.5, 0.5}, {1, 1, 1}};
  results.value = 1.02F;
  results.write(scratch);
  EXPECT_TRUE(error_of([&] { cell_of(c); }).find("has no attribute temperature_difference > 0") !=
              std::string::npos);
  results.numbers.emplace_back("temperature_difference", 50.0);
  results.write(scratch);
  EXPECT_TRUE(std::isnan(cell_of(c)[4]));  // refused later, with its place
  results.numbers.emplace_back("temperature_reference", 300.0);
  results.write(scratch);
  EXPECT_NEAR(cell_of(c)[4], 61 / 20.0, 1e-6);
}

TEST(FlowFile, InSi) {
  const ScratchDirectory scratch;
  const std::string si = R"(
units: si
grid: {cells: [8, 6, 4], spacing: 0.01}
fluid: {reynolds: 100, lattice_velocity: 0.05, velocity: 2, density: 1.2}
initial: {flow: file, file: f.hdf}
run: {steps: 50}
)";
  Results results;
  results.units = file_units_text::physical;
  results.geometry = {{4, 3, 2}, {0.01, 0.01, 0.01}, {0.02, 0.02, 0.02}};
  results.numbers.emplace_back("reference_velocity", 8.0);
  results.numbers.emplace_back("reference_density", 1.25);
  results.value = 1.275F;
  results.write(scratch);
  // p = 0.025 kg/m^3 (8 / 0.1 m/s)^2 / 3; density = 1 + 3 p / (1.2 (2 / 0.05)^2)
  const Case c = case_in(scratch, si);
  const auto cell = cell_of(c);
  EXPECT_NEAR(cell[0], 0.1 / 1.2, 1e-6);
  EXPECT_NEAR(cell[1], in_file(0) / 40, 1e-9);
  results.scalar = "pressure";
  results.value = 30;
  results.write(scratch);
  expect_cell(c, 1 / 40.0, 1 + 3 * 30 / (1.2 * 40 * 40));
  EXPECT_TRUE(error_of([&] { cell_of(case_in(scratch)); }).find("is in SI units") !=
              std::string::npos);
  // Dimensionless files are right for both.
  Results reference;
  reference.write(scratch);
  Case same = c;
  same.fluid.length = 0.08;
  expect_cell(same, 0.05, 1 + 0.02 * 0.25);
}

TEST(FlowFile, OneLayerIsAFlowInThePlane) {
  const ScratchDirectory scratch;
  Results results;
  results.geometry = {{4, 3, 1}, {0.125, 0.125, 0.125}, {0.25, 0.25, 0.25}};
  results.write(scratch);
  const Case c = case_in(scratch);
  EXPECT_EQ(open_flow_file(c, derive(c))->cells(), (std::array{4, 3, 1}));
}

TEST(FlowFile, OtherFilesAreRefusedInOneLine) {
  const ScratchDirectory scratch;
  const Case c = case_in(scratch);
  const auto refusal = [&](const Results& results) {
    const std::string path = results.write(scratch);
    const std::string text = error_of([&] { open_flow_file(c, derive(c)); });
    EXPECT_TRUE(text.starts_with(c.file + ":4: initial.file: " + path + ": ")) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    return text;
  };
  const auto expect = [&](const Results& results, const std::string& part) {
    EXPECT_TRUE(refusal(results).find(part) != std::string::npos) << refusal(results);
  };
  expect({.vector = "vorticity"}, "has no velocity");
  expect({.components = 2}, "has no velocity");
  expect({.scalar = "q_criterion"}, "has no density and no pressure");
  expect({.units = "furlongs"}, "its attribute units is not one of lbm");
  expect({.units = ""}, "its attribute units is not one of lbm");
  expect({.numbers = {}}, "has no attribute reference_velocity_cells_per_step > 0");
  expect({.numbers = {{"reference_velocity_cells_per_step", -1.0}}}, "per_step > 0");
  // Half of the box along x, the box beside it, every second cell of it.
  expect({.geometry = {{2, 3, 2}, {0.125, 0.125, 0.125}, {0.25, 0.25, 0.25}}},
         "its box has 4 x 6 x 4 cells of the case, must have 8 x 6 x 4");
  expect({.geometry = {{4, 3, 2}, {1.125, 0.125, 0.125}, {0.25, 0.25, 0.25}}},
         "begins 4 cells along x from the corner of the box");
  expect({.geometry = {{4, 3, 2}, {0.0625, 0.0625, 0.0625}, {0.25, 0.25, 0.25}}},
         "must be of all cells of the box");
}

TEST(FlowFile, WhatIsNotThereIsRefused) {
  const ScratchDirectory scratch;
  const auto refusal = [&](const std::string& initial) {
    return error_of([&] {
      const Case c = case_in(scratch, test::minimal + "initial: " + initial + "\n");
      (void)open_flow_file(c, derive(c));
    });
  };
  EXPECT_TRUE(refusal("{flow: file, file: none}").find("no such file") != std::string::npos);
  testing::write_text(scratch.path() / "text", "x");
  EXPECT_TRUE(refusal("{flow: file, file: text}").find("is damaged or no HDF5 file") !=
              std::string::npos);
}

}  // namespace
}  // namespace lbm::cases
