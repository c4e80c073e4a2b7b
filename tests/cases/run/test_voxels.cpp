// SPDX-License-Identifier: Apache-2.0

// Bodies of images of voxels, through the program.
#include <nlohmann/json.hpp>

#include "io/text/json.hpp"
#include "io/voxels/voxel_image.hpp"
#include "tests/cases/run/restart_support.hpp"
#include "tests/io/voxels/tiff_bytes.hpp"

namespace lbm::cases::test {
namespace {

constexpr int nx = 14, ny = 12, nz = 20;

const std::string flow = R"(
name: pores
grid: {cells: [14, 12, 20]}
boundaries: {x_min: periodic, x_max: periodic, y_min: periodic, y_max: periodic, z_min: periodic, z_max: periodic}
fluid: {tau: 0.8, length: 10, lattice_velocity: 0.05}
force: {acceleration: [0.1, 0.05, 0.4]}
run: {steps: 60}
output: {at_end: true, forces: 20}
bodies:
)";

const std::string ball =
    "  grain: {shape: sphere, center: [6.7, 5.9, 9.2], radius: 4.3, walls: staircase, "
    "reference_area: 50}\n";

// The same ball, 9 where it is solid, else 0 or 1 by turns. before: planes of the file before it.
std::string image(int before = 0) {
  std::string labels(static_cast<std::size_t>(nx * ny * before), '\x09');
  for (int z = 0; z < nz; ++z) {
    for (int y = 0; y < ny; ++y) {
      for (int x = 0; x < nx; ++x) {
        const double dx = x + 0.5 - 6.7, dy = y + 0.5 - 5.9, dz = z + 0.5 - 9.2;
        const bool solid = dx * dx + dy * dy + dz * dz <= 4.3 * 4.3;
        labels += static_cast<char>(solid ? 9 : (x + y) % 2);
      }
    }
  }
  return labels;
}

std::string grain(const std::string& more) {
  return "  grain: {shape: voxels, file: grain.raw, reference_area: 50, center_of_rotation: [6.7, "
         "5.9, 9.2], " +
         more + "}\n";
}

const std::string whole = "cells: [14, 12, 20], fluid: [0, 1]";

TEST(Voxels, GiveTheFlowAroundTheSameBody) {
  const Runs ball_runs(flow + ball), runs(flow + grain(whole));
  lbm::testing::write_text(runs.path("grain.raw"), image());
  ASSERT_EQ(ball_runs.run("o").exit_code, 0);
  const Outcome outcome = runs.run("o");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  expect_same_results(ball_runs.path("o"), runs.path("o"));
  const io::Json report = io::read_json(runs.path("o/report.json"));
  ASSERT_EQ(report["voxels"].size(), 1U);
  const io::Json& facts = report["voxels"][0];
  EXPECT_EQ(facts["labels"].size(), 3U);
  EXPECT_EQ(facts["labels"][2]["voxels"], report["solid_cells"]);
  EXPECT_NEAR(facts["fluid_share"].get<double>(),
              1 - report["solid_cells"].get<double>() / (nx * ny * nz), 1e-12);
}

// The share of the pores is unknown until they are found: 12.8 MiB are of masks, half a byte a
// cell, the rest is the least of all planes. Later on the fluid cells would count.
TEST(Voxels, AreRefusedBeforeTheyAreConnected) {
  const Runs runs(flow + grain(whole + ", connected: z, refine: 20") + "lattice: {cells: fluid}\n");
  lbm::testing::write_text(runs.path("grain.raw"), image());
  const Outcome outcome = runs.run("o",
                                   "--set device.backend=cpu --set 'grid.cells=[280, 240, 400]' "
                                   "--set 'host.memory_limit=8 MiB'");
  EXPECT_EQ(outcome.exit_code, 4);
  EXPECT_NE(outcome.err.find("needs 16.5 MiB"), std::string::npos) << outcome.err;
}

// Out of core, and with two planes of the image below the box.
TEST(Voxels, MayBeginOutsideTheBoxAndBeStreamed) {
  const Runs ball_runs(flow + ball);
  const Runs runs(flow + grain("cells: [14, 12, 22], fluid: [0, 1], translate: [0, 0, -2]"));
  lbm::testing::write_text(runs.path("grain.raw"), image(2));
  ASSERT_EQ(ball_runs.run("o").exit_code, 0);
  const Outcome outcome = runs.run("o",
                                   "--set tiling.scheme=wavefront --set tiling.steps_per_visit=7 "
                                   "--set tiling.planes_per_visit=3");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  expect_same_results(ball_runs.path("o"), runs.path("o"));
}

// The axes of the file are z, x and y of the ball, and a plane of the file is cut off. The box has
// the size of the image.
TEST(Voxels, MayBeTurnedAndGiveTheBoxItsSize) {
  std::string labels(static_cast<std::size_t>(nz * nx), '\x09');
  const std::string straight = image();
  for (int y = 0; y < ny; ++y) {
    for (int x = 0; x < nx; ++x) {
      for (int z = 0; z < nz; ++z) {
        labels += straight[static_cast<std::size_t>((z * ny + y) * nx + x)];
      }
    }
  }
  std::string without_cells = flow;
  const std::string grid = "grid: {cells: [14, 12, 20]}\n";
  without_cells.erase(without_cells.find(grid), grid.size());
  const Runs ball_runs(flow + ball);
  const Runs runs(without_cells + grain("cells: [20, 14, 13], fluid: [0, 1], crop_from: [0, 0, 1], "
                                        "axes: [y, z, x]"));
  lbm::testing::write_text(runs.path("grain.raw"), labels);
  ASSERT_EQ(ball_runs.run("o").exit_code, 0);
  const Outcome outcome = runs.run("o");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  expect_same_results(ball_runs.path("o"), runs.path("o"));
  const io::Json facts = io::read_json(runs.path("o/report.json"))["voxels"][0];
  EXPECT_EQ(facts["changes"], "cropped and turned");
  EXPECT_EQ(facts["voxels"], (std::vector<int>{20, 14, 13}));
  EXPECT_EQ(facts["cells"], (std::vector<int>{14, 12, 20}));
}

// One file a plane.
TEST(Voxels, MayBeStacksOfFiles) {
  if (!io::reads_tiff()) GTEST_SKIP() << "no libtiff";
  const Runs ball_runs(flow + ball);
  const Runs runs(flow +
                  "  grain: {shape: voxels, file: 'slices/p_*.tif', reference_area: 50, "
                  "center_of_rotation: [6.7, 5.9, 9.2], fluid: [0, 1]}\n");
  fs::create_directory(runs.path("slices"));
  const std::string labels = image();
  for (std::size_t z = 0; z < nz; ++z) {
    io::test::TiffBytes file;
    const std::uint64_t at = file.add_bytes(labels.substr(z * nx * ny, nx * ny));
    file.add_page({{256, {nx}}, {257, {ny}}, {258, {8}}, {273, {at}}});
    lbm::testing::write_text(runs.path(fmt::format("slices/p_{}.tif", z)), file.bytes());
  }
  ASSERT_EQ(ball_runs.run("o").exit_code, 0);
  const Outcome outcome = runs.run("o");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  expect_same_results(ball_runs.path("o"), runs.path("o"));
  fs::remove(runs.path("slices/p_7.tif"));
  expect_one_line(lbm_program("check '" + runs.path("case.yaml").string() + "'"), 2,
                  "p_6.tif and p_8.tif have a gap between their numbers: is a plane missing?");
}

TEST(Voxels, WrongOnesAreRefusedInOneLine) {
  const auto refused = [](const std::string& keys, const std::string& labels,
                          const std::string& part) {
    const Runs runs(flow + grain(keys));
    lbm::testing::write_text(runs.path("grain.raw"), labels);
    for (const char* command : {"check", "run"}) {
      const std::string out =
          command == std::string("run") ? " --out '" + runs.path("o").string() + "'" : "";
      const Outcome outcome =
          lbm_program(fmt::format("{} '{}'{}", command, runs.path("case.yaml").string(), out));
      expect_one_line(outcome, 2, part);
      EXPECT_TRUE(has(outcome.err, "bodies.grain")) << outcome.err;
      EXPECT_FALSE(fs::exists(runs.path("o")));
    }
  };
  refused("cells: [14, 12, 20]", image(), "fluid: missing: shape: voxels requires it");
  refused("fluid: [0]", image(), "give cells, the voxels along x, y and z");
  refused("cells: [14, 12, 21], fluid: [0, 1]", image(),
          "holds 3360 bytes, 14 x 12 x 21 voxels of uint8 need 3528");
  refused("cells: [14, 12, 20], fluid: [7]", image(),
          "no voxel has the label 7 of fluid: its labels are 1 (");
  refused("cells: [14, 12, 20], fluid: [0, 1, 9]", image(),
          "all voxels are fluid, nothing is solid");
  refused(whole + ", translate: [0, 0.5, 0]", image(),
          "found 0.5, which is 0.5 cells, must be whole cells");
  refused(whole + ", scale: 2", image(), "scale: conflicts with shape: voxels");
  refused(whole + ", walls: interpolated", image(), "conflicts with shape: voxels");
  refused(whole + ", type: uint16", image(),
          "it has the size of these voxels of type uint8 or int8");
  refused(whole + ", dataset: /labels", image(), "is no HDF5 file");
  std::string big_endian;
  for (const char label : image()) big_endian += {'\0', label};
  refused("cells: [14, 12, 20], type: uint16, fluid: [0, 1]", big_endian,
          "with their bytes in the other order these are those of fluid: change byte_order");
}

TEST(Voxels, CheckSaysWhatAnImageHolds) {
  const Runs runs(flow + grain(whole));
  lbm::testing::write_text(runs.path("grain.raw"), image());
  const Outcome outcome = lbm_program("check '" + runs.path("case.yaml").string() + "'");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "voxels grain      14 x 12 x 20 voxels of uint8, ")) << outcome.out;
  EXPECT_TRUE(has(outcome.out,
                  " % fluid, of which 100, 100 and 100 % are in pores that lead through along x, y "
                  "and z; labels: 1 ("))
      << outcome.out;
}

// The labels of the pores may have been taken for those of the solid.
TEST(Voxels, CheckSaysWhatTheOtherLabelWouldMakeFluid) {
  std::string labels = image();
  for (char& label : labels) label = label == 9 ? 9 : 0;
  const auto text = [&](const char* fluid) {
    const Runs runs(flow + grain(std::string("cells: [14, 12, 20], fluid: ") + fluid));
    lbm::testing::write_text(runs.path("grain.raw"), labels);
    return lbm_program("check '" + runs.path("case.yaml").string() + "'").out;
  };
  const std::string hint = "; if the pores have the label ";
  EXPECT_TRUE(has(text("[0]"), hint + "9, write fluid: [9], which makes 9.")) << text("[0]");
  EXPECT_FALSE(has(text("[9]"), hint)) << text("[9]");
}

// The ball alone is fluid.
TEST(Voxels, WithoutAWayThroughAreWarnedOf) {
  const Runs runs(flow + grain("cells: [14, 12, 20], fluid: [9]"));
  lbm::testing::write_text(runs.path("grain.raw"), image());
  const Outcome outcome = lbm_program("check '" + runs.path("case.yaml").string() + "'");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "bodies.grain.file: no pore leads through the image"))
      << outcome.out;
}

// A plane of solid cells is in the way of the flow along z, which the case drives along all axes.
TEST(Voxels, WithoutAWayAlongTheFlowAreWarnedOf) {
  const Runs runs(flow + grain(whole));
  std::string labels = image();
  std::fill_n(labels.begin() + 10 * nx * ny, nx * ny, '\x09');
  lbm::testing::write_text(runs.path("grain.raw"), labels);
  const auto check = [&](const std::string& more) {
    const Outcome outcome = lbm_program("check '" + runs.path("case.yaml").string() + "'" + more);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  };
  const std::string warning = "bodies.grain.file: no pore leads through the image along ";
  EXPECT_TRUE(has(check(""), warning + "z, an axis of the flow")) << check("");
  EXPECT_FALSE(has(check(""), warning + "x"));
  EXPECT_FALSE(has(check(" --set 'force.acceleration=[0.1, 0, 0]'"), warning));
}

}  // namespace
}  // namespace lbm::cases::test
