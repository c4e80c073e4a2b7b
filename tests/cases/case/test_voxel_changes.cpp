// SPDX-License-Identifier: Apache-2.0

// Keys that change an image of voxels: in which order, and wrong uses.
#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <tuple>

#include "cases/case/bodies/body_shapes.hpp"
#include "cases/case/model/case_model.hpp"
#include "cases/case/read/read_case.hpp"
#include "cases/case/validate/validate.hpp"
#include "io/voxels/voxel_image.hpp"
#include "tests/cases/case_support.hpp"
#include "tests/cases/geometry/voxels/voxel_arrays.hpp"
#include "tests/io/scratch.hpp"
#include "tests/io/voxels/tiff_bytes.hpp"

namespace lbm::cases {
namespace {

using geometry::Voxels;
using geometry::test::array_of, geometry::test::expect_image, geometry::test::random_array,
    geometry::test::VoxelArray;
using lbm::testing::contains;
using test::error_of;

const Voxels file_size{9, 8, 13};

class VoxelChanges : public ::testing::Test {
 protected:
  VoxelChanges() {
    lbm::testing::write_text(scratch_.path() / "a.raw",
                             std::string(file_.solid.begin(), file_.solid.end()));
  }
  Case make(const std::string& keys, const std::string& cells = "[9, 8, 13]") {
    return parse_case(
        "grid: {cells: " + cells +
            "}\nfluid: {reynolds: 10}\nrun: {steps: 9}\nbodies:\n  a: {shape: voxels, "
            "file: a.raw, cells: [9, 8, 13], fluid: [0], " +
            keys + "}\n",
        (scratch_.path() / "c.yaml").string());
  }
  CaseModel model_of(const std::string& keys, const std::string& cells = "[9, 8, 13]") {
    Case c = make(keys, cells);
    c.lattice.representation = Representation::populations;
    validate(c);
    return make_case_model(c, derive(c));
  }
  // Behind the folder.
  std::string refused(const std::string& keys, const std::string& cells = "[9, 8, 13]") {
    const std::string line = error_of([&] { model_of(keys, cells); });
    EXPECT_EQ(line.find('\n'), std::string::npos) << line;
    EXPECT_TRUE(contains(line, "bodies.a")) << line;
    return line;
  }
  geometry::VoxelPlanesPtr changed(const Body& body) const {
    const auto image = std::make_shared<const io::VoxelImage>(
        io::find_voxel_format(scratch_.path() / "a.raw", {file_size, {}, {}, {}}));
    const geometry::VoxelRange part = part_of_file(body, image->format().voxels);
    return changed_image(body, image->format(),
                         geometry::read_voxels(image, body.fluid, part, {}).image, {});
  }

  VoxelArray file_ = random_array(file_size, 0.55, 11);
  lbm::testing::ScratchDirectory scratch_;
};

io::VoxelFormat format_of(const Voxels& voxels) {
  io::VoxelFormat format;
  format.voxels = voxels;
  return format;
}

// The same, one change after the other, on whole arrays.
VoxelArray changed_array(const Body& body, VoxelArray a) {
  const auto& from = *body.crop_from;
  const auto& to = *body.crop_to;
  a = array_of({to[0] - from[0], to[1] - from[1], to[2] - from[2]}, [&](const Voxels& v) {
    return a[{v[0] + from[0], v[1] + from[1], v[2] + from[2]}];
  });
  const auto& axes = *body.axes;
  a = array_of({a.n[axes[0]], a.n[axes[1]], a.n[axes[2]]}, [&](const Voxels& v) {
    Voxels source{};
    for (std::size_t i = 0; i < 3; ++i) source[axes[i]] = v[i];
    return a[source];
  });
  if (const std::int64_t f = body.coarsen.value_or(1); f > 1) {
    a = array_of({a.n[0] / f, a.n[1] / f, a.n[2] / f}, [&](const Voxels& v) {
      std::int64_t solid = 0;
      geometry::test::for_each_voxel({f, f, f}, [&](const Voxels& d) {
        solid += a[{v[0] * f + d[0], v[1] * f + d[1], v[2] * f + d[2]}];
      });
      return static_cast<std::uint8_t>(2 * solid >= f * f * f ? 1 : 0);
    });
  }
  if (const std::int64_t f = body.refine.value_or(1); f > 1) {
    a = array_of({a.n[0] * f, a.n[1] * f, a.n[2] * f}, [&](const Voxels& v) {
      return a[{v[0] / f, v[1] / f, v[2] / f}];
    });
  }
  for (const int axis : body.mirror) {
    Voxels size = a.n;
    size[axis] *= 2;
    a = array_of(size, [&](Voxels v) {
      if (v[axis] >= a.n[axis]) v[axis] = size[axis] - 1 - v[axis];
      return a[v];
    });
  }
  const auto& times = *body.repeat;
  return array_of({a.n[0] * times[0], a.n[1] * times[1], a.n[2] * times[2]}, [&](const Voxels& v) {
    return a[{v[0] % a.n[0], v[1] % a.n[1], v[2] % a.n[2]}];
  });
}

TEST_F(VoxelChanges, AreMadeInTheirOrder) {
  std::array<int, 3> axes{0, 1, 2};
  int trial = 0;
  do {
    for (const bool coarsen : {false, true}) {
      Body body;
      body.fluid = {0};
      body.crop_from = {1, 2, 0};
      body.crop_to = {9, 6, 12};
      body.axes = axes;
      if (coarsen) body.coarsen = 2;
      if (!coarsen) body.refine = 1 + trial % 3;
      if (trial % 2 == 0) body.mirror = {trial % 3, (trial + 1) % 3};
      body.repeat = {1 + trial % 2, 1, 1 + trial % 3};
      SCOPED_TRACE(::testing::Message() << axes[0] << axes[1] << axes[2] << (coarsen ? 'c' : 'r'));
      const VoxelArray right = changed_array(body, file_);
      EXPECT_EQ(cells_of_image(body, format_of(file_size)), right.n);
      expect_image(*changed(body), right);
      ++trial;
    }
  } while (std::next_permutation(axes.begin(), axes.end()));
}

TEST_F(VoxelChanges, AreNamed) {
  EXPECT_EQ(changes_text(Body{}), "");
  Body body;
  body.crop_to = {1, 1, 1};
  EXPECT_EQ(changes_text(body), "cropped");
  body.axes = {0, 2, 1};
  EXPECT_EQ(changes_text(body), "cropped and turned");
  body.refine = 2;
  EXPECT_EQ(changes_text(body), "cropped, turned and refined");
}

TEST_F(VoxelChanges, KeysAreReadAndWritten) {
  const Case c = make(
      "crop_from: [1, 2, 0], crop_to: [9, 8, 10], axes: [z, x, y], coarsen: 2, mirror: [z, x], "
      "repeat: [1, 2, 3], connected: z, reservoir: [0, 0, 5]");
  const Case again = parse_case(to_yaml(c), "c.yaml");
  for (const Body& body : {c.bodies[0], again.bodies[0]}) {
    EXPECT_EQ(body.crop_from, (std::array{1, 2, 0}));
    EXPECT_EQ(body.crop_to, (std::array{9, 8, 10}));
    EXPECT_EQ(body.axes, (std::array{2, 0, 1}));
    EXPECT_EQ(body.coarsen, 2);
    EXPECT_EQ(body.mirror, (std::vector{2, 0}));
    EXPECT_EQ(body.repeat, (std::array{1, 2, 3}));
    EXPECT_EQ(body.connected, 2);
    EXPECT_EQ(body.reservoir, (std::array{0, 0, 5}));
  }
  EXPECT_EQ(make("refine: 3").bodies[0].refine, 3);
}

// Cells of the model are those of the image, and the facts are of the changed image.
TEST_F(VoxelChanges, ReachTheModel) {
  const CaseModel model = model_of(
      "crop_to: [9, 8, 12], axes: [z, y, x], mirror: [z], reservoir: [0, 0, 2]", "[12, 8, 22]");
  Body body;
  body.crop_from = {0, 0, 0};
  body.crop_to = {9, 8, 12};
  body.axes = {2, 1, 0};
  body.mirror = {2};
  body.repeat = {1, 1, 1};
  const VoxelArray right = changed_array(body, file_);
  const auto solid = std::count(right.solid.begin(), right.solid.end(), 1);
  EXPECT_EQ(model.boundaries.solid_cells(), solid);
  std::int64_t wrong = 0;
  const BoundaryView view = model.boundaries.view();
  geometry::test::for_each_voxel({12, 8, 22}, [&](const Voxels& v) {
    const bool in_image = v[2] >= 2 && v[2] < 20;
    const bool is_solid = in_image && right[{v[0], v[1], v[2] - 2}] != 0;
    const auto cell = [](std::int64_t i) { return static_cast<int>(i); };
    if (view.is_solid(cell(v[0]), cell(v[1]), cell(v[2])) != is_solid) ++wrong;
  });
  EXPECT_EQ(wrong, 0);
  ASSERT_EQ(model.voxels.size(), 1U);
  const VoxelFacts& facts = model.voxels[0];
  EXPECT_EQ(facts.voxels, file_size);
  EXPECT_EQ(facts.cells, right.n);
  EXPECT_EQ(facts.labels.at(0) + facts.labels.at(1), 9 * 8 * 12) << "labels of the part";
  EXPECT_NEAR(facts.fluid_share,
              1 - static_cast<double>(solid) / static_cast<double>(right.solid.size()), 1e-12);
  EXPECT_TRUE(contains(facts.text(), "9 x 8 x 13 voxels of uint8; labels of the part: "));
  EXPECT_TRUE(contains(facts.text(), "; cropped, turned and mirrored to 12 x 8 x 18 cells, "));
}

TEST_F(VoxelChanges, BoxesThatCutThemOffAreWarnedOf) {
  EXPECT_EQ(model_of("axes: [x, y, z]").warnings, std::vector<std::string>{});
  for (const char* keys : {"translate: [0, 0, -2]", "repeat: [1, 2, 1]"}) {
    const auto warnings = model_of(keys).warnings;
    ASSERT_EQ(warnings.size(), 1U) << keys;
    EXPECT_TRUE(contains(warnings[0], "bodies.a: the box of 9 x 8 x 13 cells cuts off a part"))
        << warnings[0];
  }
}

// The fluid that stays all leads through.
TEST_F(VoxelChanges, ClosedPoresBecomeSolid) {
  const CaseModel open = model_of("axes: [x, y, z]"), closed = model_of("connected: z");
  EXPECT_GT(open.voxels[0].through_share[2], 0);
  EXPECT_LT(open.voxels[0].through_share[2], 1);
  EXPECT_EQ(closed.voxels[0].through_share[2], 1);
  EXPECT_GT(closed.boundaries.solid_cells(), open.boundaries.solid_cells());
  EXPECT_NEAR(closed.voxels[0].closed_share, 1 - open.voxels[0].through_share[2], 1e-12);
  EXPECT_NEAR(closed.voxels[0].fluid_share,
              open.voxels[0].fluid_share * open.voxels[0].through_share[2], 1e-12);
  EXPECT_TRUE(contains(closed.voxels[0].text(), "; 9 x 8 x 13 cells, "));
  EXPECT_TRUE(contains(closed.voxels[0].text(), "; connected: z made ")) << closed.voxels[0].text();
}

// Without grid.cells: that of the image and its reservoirs.
TEST_F(VoxelChanges, GiveTheBoxItsSize) {
  const auto text = [](const std::string& more) {
    return "fluid: {reynolds: 10}\nrun: {steps: 9}\nbodies:\n  a: {shape: voxels, file: a.raw, "
           "cells: [9, 8, 13], fluid: [0]" +
           more;
  };
  const auto cells_of = [&](const std::string& more) {
    return parse_case(text(more), (scratch_.path() / "c.yaml").string()).grid.cells;
  };
  EXPECT_EQ(cells_of("}"), (std::array{9, 8, 13}));
  EXPECT_EQ(cells_of(", axes: [z, x, y], refine: 2, mirror: [y], reservoir: [0, 1, 5]}"),
            (std::array{26, 38, 26}));
  const auto refused = [&](const std::string& more, const std::string& part) {
    const std::string line = error_of([&] { cells_of(more); });
    EXPECT_TRUE(contains(line, part)) << line;
  };
  refused(", translate: [0, 0, 1]}",
          "c.yaml:4: bodies.a.translate: conflicts with a box that has the size of the image");
  refused(", crop_to: [9, 8, 14]}", "c.yaml:4: bodies.a: crop_to: found 14 along z, the image has");
  refused("}\n  b: {shape: voxels, file: a.raw, cells: [9, 8, 13], fluid: [0]}",
          "missing: grid.cells");
  lbm::testing::write_text(scratch_.path() / "a.raw", "short");
  refused("}", "c.yaml:4: bodies.a: ");
}

TEST_F(VoxelChanges, WrongOnesAreRefusedInOneLine) {
  const auto expect = [&](const std::string& keys, const std::string& part) {
    const std::string line = refused(keys);
    EXPECT_TRUE(contains(line, part)) << line;
  };
  expect("crop_to: [9, 9, 13]",
         "crop_to: found 9 along y, the image has 9 x 8 x 13 voxels: must be at most 8");
  expect("crop_from: [0, 0, 13]",
         "crop_from: found 13 along z, must be below 13: the image has 9 x 8 x 13 voxels");
  expect("crop_from: [0, 4, 0], crop_to: [9, 4, 13]",
         "crop_to: found 4 along y, must be more than crop_from, 4");
  expect("crop_to: [9, 0, 13]", "list of three whole numbers");
  expect("axes: [x, y, y]", "must be a list of axes x, y and z, each once, such as [z, x, y]");
  expect("axes: [x, y]", "must be a list of axes x, y and z, each once");
  expect("axes: [x, y, t]", "must be a list of axes x, y and z, each once");
  expect("mirror: [z, z]", "must be a list of axes x, y, z, each at most once");
  expect("coarsen: 2",
         "coarsen: found 2, must divide 9 x 8 x 13 voxels, those of the image or of the part "
         "between crop_from and crop_to: crop 1, 0 and 1 voxels more along x, y and z of the file");
  expect("coarsen: 0", "coarsen: found \"0\", must be a whole number from 1");
  expect("coarsen: 2, refine: 2", "refine: conflicts with coarsen: remove one");
  expect("refine: 200000", "the image is 1800000 x 1 cells long along x, must be at most 1000000");
  expect("repeat: [1, 1, 1000000]", "the image is 13 x 1000000 cells long along z");
  expect("repeat: [1, 0, 1]",
         "repeat: found \"[1, 0, 1]\", must be a list of three whole numbers from 1 to 1048576, "
         "such as [1, 1, 2]");
  expect("connected: w", "must be one of x, y, z");
  expect("reservoir: [0, 0, 1]",
         "reservoir: found 1 along z: the image and its reservoirs need 15 cells, the box has 13");
  const std::string line =
      test::parse_error(test::minimal +
                        "bodies: {a: {shape: sphere, center: [4, 4, 4], radius: 2, "
                        "mirror: [x]}}");
  EXPECT_TRUE(
      contains(line, "bodies.a.mirror: conflicts with shape: sphere, requires shape: voxels"))
      << line;
}

// Voxels that are no cubes become cubes where the case asks for that, else they are refused.
TEST_F(VoxelChanges, VoxelsMustBeCubes) {
  const auto refusal = refused("voxel_size: [2, 6, 2]");
  EXPECT_TRUE(contains(refusal, "voxels of 2 x 6 x 2 are no cubes")) << refusal;
  EXPECT_TRUE(contains(refusal, "set resample: true")) << refusal;
  Body body;
  body.fluid = {0};
  body.voxel_size = {2, 5, 2};
  body.resample = true;
  const auto cubes = changed(body);
  ASSERT_EQ(cubes->size(), (Voxels{9, 20, 13}));
  std::int64_t wrong = 0;
  geometry::test::for_each_voxel(cubes->size(), [&](const Voxels& v) {
    const Voxels of{v[0], static_cast<std::int64_t>((static_cast<double>(v[1]) + 0.5) / 2.5), v[2]};
    if (cubes->is_solid(v[0], v[1], v[2]) != (file_[of] != 0)) ++wrong;
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(changes_text(body), "resampled");
  body.voxel_size = {2, 2.004, 2};
  EXPECT_EQ(changed(body)->size(), file_size) << "headers round";
  EXPECT_EQ(make("resample: true, voxel_size: [1, 2, 3]").bodies[0].voxel_size, (Vec3{1, 2, 3}));
  EXPECT_EQ(model_of("resample: true, crop_to: [9, 4, 13], voxel_size: [1, 2, 1]").voxels[0].cells,
            file_size);
  EXPECT_TRUE(contains(refused("resample: true, voxel_size: [1, 1e9, 1]"),
                       "resample: the image becomes 8e+09 cells long along y"));
}

// In SI units a header that contradicts the spacing of the case is refused; a unit that it does not
// tell may be any usual one.
TEST_F(VoxelChanges, VoxelsMustHaveTheSpacingOfTheCase) {
  if (!io::reads_tiff()) GTEST_SKIP() << "no libtiff";
  // resolution: voxels in 1000 units of length, along x and y.
  const auto check = [&](const std::string& header, std::uint64_t resolution,
                         const std::string& spacing, const std::string& keys = "") {
    io::test::TiffBytes file;
    const std::uint64_t at = file.add_bytes(std::string(file_.solid.begin(), file_.solid.end()));
    file.add_page({{256, {9}}, {257, {8}}, {258, {8}}, {273, {at}}, {279, {72}}},
                  "ImageJ=1.53t\nimages=13\n" + header,
                  {{282, {resolution, 1000}}, {283, {resolution, 1000}}});
    lbm::testing::write_text(scratch_.path() / "a.tif", file.bytes());
    try {
      Case c =
          parse_case("units: si\ngrid: {spacing: " + spacing +
                         "}\nfluid: {velocity: 1, viscosity: 1e-6, length: 1e-5}\nrun: {steps: "
                         "9}\nbodies: {a: {shape: voxels, file: a.tif, fluid: [0]" +
                         keys + "}}\n",
                     (scratch_.path() / "c.yaml").string());
      c.lattice.representation = Representation::populations;
      make_case_model(c, derive(c));
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string spacing = "unit=pixel\nspacing=0.002\n";
  for (const char* right : {"2e-6", "2.005e-6", "2e-3", "2e-9"})
    EXPECT_EQ(check(spacing, 500'000, right), "") << right;
  EXPECT_EQ(check("unit=pixel\nspacing=1\n", 1000, "5e-6"), "")
      << "what headers say that know nothing";
  EXPECT_EQ(check("", 72'000, "5e-6"), "");
  EXPECT_EQ(check(spacing, 500'000, "4e-6", ", crop_to: [8, 8, 12], coarsen: 2"), "");
  EXPECT_EQ(check(spacing, 500'000, "1e-6", ", refine: 2"), "");
  EXPECT_EQ(check(spacing, 500'000, "5e-6", ", voxel_size: [5e-6, 5e-6, 5e-6]"), "");
  for (const auto& [header, size, keys] : {std::tuple{spacing, "5e-6", ""},
                                           {spacing, "2e-6", ", refine: 2"},
                                           {std::string("unit=mm\nspacing=0.002\n"), "2e-3", ""},
                                           {spacing, "2e-6", ", voxel_size: [5e-6, 5e-6, 5e-6]"}}) {
    const std::string line = check(header, 500'000, size, keys);
    EXPECT_TRUE(contains(line, "the case has grid.spacing: ")) << line;
    EXPECT_TRUE(contains(line, "bodies.a")) << line;
  }
}

// The plane z = 5 is solid and closes all pores along z.
TEST_F(VoxelChanges, NoFluidLeftIsAnError) {
  std::string labels(static_cast<std::size_t>(9 * 8 * 13), '\0');
  std::fill_n(labels.begin() + 9 * 8 * 5, 9 * 8, '\1');
  lbm::testing::write_text(scratch_.path() / "a.raw", labels);
  const std::string line = refused("connected: z");
  EXPECT_TRUE(contains(line,
                       "no cell of the image is fluid, since no pore leads through it along z "
                       "(connected)"))
      << line;
  EXPECT_TRUE(contains(refused("crop_from: [0, 0, 5], crop_to: [9, 8, 6]"),
                       "no cell of the image is fluid"));
  EXPECT_TRUE(contains(refused("crop_to: [9, 8, 5]"), "all voxels are fluid"));
  EXPECT_EQ(model_of("connected: x").voxels[0].through_share[0], 1);
}

// Images are small enough to be looked at, however late it is.
TEST_F(VoxelChanges, AreCountedBehindTheTimeLimit) {
  Case c = make("coarsen: 1", "[9, 8, 13]");
  c.lattice.representation = Representation::populations;
  validate(c);
  const CaseModel model = make_case_model(c, derive(c), TimeLimit(std::chrono::seconds(-1)));
  EXPECT_FALSE(model.complete);
  ASSERT_EQ(model.voxels.size(), 1U);
  EXPECT_GT(model.voxels[0].fluid_share, 0);
}

}  // namespace
}  // namespace lbm::cases
