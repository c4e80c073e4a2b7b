// SPDX-License-Identifier: Apache-2.0

// Pages of pictures: which pixel has which colour, and which words and units stand around.
#include "cases/run/pictures/picture_page.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "cases/case/file_units.hpp"
#include "cases/case/model/regions.hpp"
#include "tests/cases/case_support.hpp"

namespace lbm::cases {
namespace {

constexpr float solid = std::numeric_limits<float>::quiet_NaN();
constexpr io::Colour body{96, 96, 96};

FileUnits units_of(const std::string& text) {
  const Case lbm_case = parse_case(text, "c.yaml", {});
  return file_units(lbm_case, derive(lbm_case), {});
}

// The page of a field without text, on grey paper between 0 and 1.
io::Canvas page_of(const PictureField& field, const PageSize& size) {
  PageStyle style;
  style.size = size;
  style.colours = io::ColourMap::grey;
  return draw_page(field, style, {}, FileUnits{});
}

// Number of pixels of this colour on the page.
int count_of(const io::Canvas& canvas, io::Colour colour) {
  return static_cast<int>(std::count(canvas.pixels().begin(), canvas.pixels().end(), colour));
}

TEST(PicturePage, HasTheLowestRowAtTheBottom) {
  PictureField field{40, 40, std::vector<float>(1600, 0)};
  field.values[5 * 40 + 10] = 1;  // x = 10, y = 5
  const io::Canvas canvas = page_of(field, {900, 700});
  // Bounds of the field: it is black except around one cell. Paper is white, and ink is grey.
  int left = 1 << 20, right = -1, top = 1 << 20, bottom = -1;
  for (int y = 0; y < 700; ++y) {
    for (int x = 0; x < 725; ++x) {  // beyond lies the colour bar
      if (canvas.at(x, y) == io::Colour{0, 0, 0}) {
        left = std::min(left, x), right = std::max(right, x);
        top = std::min(top, y), bottom = std::max(bottom, y);
      }
    }
  }
  const double cell = (right - left + 1) / 40.0;
  ASSERT_GT(cell, 10);
  EXPECT_NEAR((bottom - top + 1) / 40.0, cell, 0.1) << "cells are square";
  const auto at = [&](double x, double y) {
    return canvas.at(left + static_cast<int>(x * cell), bottom - static_cast<int>(y * cell));
  };
  EXPECT_GT(at(10.5, 5.5).red, 240);
  EXPECT_EQ(at(10.5, 34.5).red, 0);
  EXPECT_EQ(at(5.5, 10.5).red, 0);
  EXPECT_GT(at(10.5, 5.0).red, 100) << "interpolated between centres";
}

TEST(PicturePage, BodiesAreGreyAndSharp) {
  PictureField field{20, 20, std::vector<float>(400, 0.5F)};
  for (std::size_t y = 8; y < 12; ++y) {
    for (std::size_t x = 5; x < 10; ++x) field.values[y * 20 + x] = solid;
  }
  const io::Canvas canvas = page_of(field, {800, 700});
  const double all = count_of(canvas, {128, 128, 128}) + count_of(canvas, body);
  EXPECT_NEAR(count_of(canvas, body) / all, 20 / 400.0, 0.002);
}

// Every cell counts where a pixel has several: a line of one cell does not vanish.
TEST(PicturePage, LargeGridsAreAveraged) {
  PictureField field{4000, 3000, std::vector<float>(12'000'000, 0)};
  for (std::size_t x = 0; x < 4000; ++x) field.values[1500 * 4000 + x] = 1;
  const io::Canvas canvas = page_of(field, {600, 500});
  int lit = 0;
  for (int y = 100; y < 400; ++y) {
    const auto colour = canvas.at(250, y);
    if (colour.red > 20 && colour.red < 255) ++lit;
  }
  EXPECT_GE(lit, 1);
  EXPECT_LE(lit, 2);
}

TEST(PicturePage, ItsSizeFollowsTheRegion) {
  Picture picture;
  const PageSize wide = page_size(picture, {400, 50}), square = page_size(picture, {64, 64});
  const PageSize tall = page_size(picture, {50, 4000});
  EXPECT_EQ(wide.width, 1280);
  EXPECT_EQ(wide.height, 360);
  EXPECT_GT(square.height, 1100);
  EXPECT_EQ(tall.height, 1440);
  for (const PageSize& size : {wide, square, tall}) EXPECT_EQ(size.height % 2, 0) << "for films";
  picture.size = {1920, 1080};
  EXPECT_EQ(page_size(picture, {50, 4000}).height, 1080);
}

// Any region fits on any page.
TEST(PicturePage, DrawsEveryShape) {
  for (const auto& [width, height] : {std::pair{1, 1}, {1, 3000}, {3000, 1}, {7, 3}, {900, 901}}) {
    const auto count = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    PictureField field{width, height, std::vector<float>(count, 0.5F)};
    for (const PageSize& size : {PageSize{240, 240}, {1920, 1080}, {240, 8192}}) {
      EXPECT_GT(count_of(page_of(field, size), {128, 128, 128}), 0) << width << " x " << height;
    }
  }
}

constexpr const char* plain =
    "grid: {cells: [20, 10, 40]}\nfluid: {reynolds: 100, length: 20}\nrun: {steps: 9}\n";
constexpr const char* si =
    "units: si\ngrid: {size: [0.02, 0.01, 0.04], spacing: 0.001}\n"
    "fluid: {viscosity: 1.0e-5, velocity: 0.5, length: 0.02, density: 1.2, lattice_velocity: "
    "0.05}\n"
    "run: {steps: 9}\n";

TEST(PictureText, NamesUnitsOfTheCase) {
  const FileUnits reference = units_of(plain), physical = units_of(si);
  EXPECT_EQ(length_text(0.5, reference), "0.5 L");
  EXPECT_EQ(length_text(0.02, physical), "20 mm");
  EXPECT_EQ(length_text(3.5, physical), "3.5 m");
  EXPECT_EQ(length_text(12e-6, physical), "12 µm");
  EXPECT_EQ(length_text(2500, physical), "2.5 km");
  FileUnits lattice;
  lattice.text = file_units_text::lattice;
  EXPECT_EQ(length_text(16, lattice), "16 cells");
}

TEST(PictureText, SaysWhatIsShownWhereAndWhen) {
  const Case lbm_case = parse_case(si, "c.yaml", {});
  const Derived derived = derive(lbm_case);
  const FileUnits units = file_units(lbm_case, derived, {});
  Picture picture;
  picture.quantity = PictureQuantity::q_criterion;
  picture.region.slice = 1;
  const auto box = region_box(lbm_case, derived, picture_region(lbm_case, derived, picture));
  EXPECT_EQ(box.begin[1], 5) << "the middle of ten";
  const PictureText text = picture_text(lbm_case, picture, units, box, 3);
  EXPECT_EQ(text.number, "Q in 1/s²");
  EXPECT_EQ(text.place, "slice at y = 5.5 mm");
  EXPECT_EQ(text.time, "t = 0.0003 s, step 3");
  EXPECT_EQ(text.axes, (std::vector<AxisArrow>{{1, 0, 'x'}, {0, 1, 'z'}}));
  picture.region.slice.reset();
  picture.project = 2;
  picture.by = ProjectionKind::maximum;
  EXPECT_EQ(picture_text(lbm_case, picture, units_of(plain), box, 3).place, "maximum along z");
  EXPECT_EQ(picture_text(lbm_case, picture, units_of(plain), box, 3).number, "Q / (U/L)²");
}

TEST(PictureText, MarksHaveTheDigitsThatTellThemApart) {
  EXPECT_EQ(mark_text(0.2, 0.2), "0.2");
  EXPECT_EQ(mark_text(1, 0.5), "1.0");
  EXPECT_EQ(mark_text(-1e-18, 0.5), "0.0");
  EXPECT_EQ(mark_text(101320, 20), "101320");
  EXPECT_EQ(mark_text(1.00002, 0.00001), "1.00002");
  EXPECT_EQ(mark_text(2e-9, 1e-9), "2e-09");
  EXPECT_EQ(mark_text(3e7, 1e7), "3e+07");
}

}  // namespace
}  // namespace lbm::cases
