// SPDX-License-Identifier: Apache-2.0

// Pixels, letters and PNG files of pictures.
#include "io/picture/canvas.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "io/picture/colour_map.hpp"
#include "io/picture/png_file.hpp"
#include "io/picture/text.hpp"
#include "solver/core/error.hpp"
#include "tests/io/scratch.hpp"

namespace {
using namespace lbm::io;
using namespace lbm::testing;

constexpr Colour white{255, 255, 255}, black{0, 0, 0}, red{200, 0, 0};

// Pixels that are not white, and the box around them.
struct Ink {
  int count = 0;
  int left = 1 << 20, right = -1, top = 1 << 20, bottom = -1;
};

Ink ink_of(const Canvas& canvas) {
  Ink ink;
  for (int y = 0; y < canvas.height(); ++y) {
    for (int x = 0; x < canvas.width(); ++x) {
      if (canvas.at(x, y) == white) continue;
      ++ink.count;
      ink.left = std::min(ink.left, x);
      ink.right = std::max(ink.right, x);
      ink.top = std::min(ink.top, y);
      ink.bottom = std::max(ink.bottom, y);
    }
  }
  return ink;
}

Ink ink_of(const std::string& text, double size, TextAlign align = TextAlign::left) {
  Canvas canvas(400, 100, white);
  draw_text(canvas, 200, 60, text, {size, black, align});
  return ink_of(canvas);
}

TEST(Canvas, LinesCoverAsMuchAsTheyAreLongAndThick) {
  const auto cover_of = [](double x0, double y0, double x1, double y1, double thickness) {
    Canvas canvas(200, 200, white);
    canvas.line(x0, y0, x1, y1, thickness, black);
    double cover = 0;
    for (const Colour& pixel : canvas.pixels()) cover += (255 - pixel.red) / 255.0;
    return cover;
  };
  // The ends are round.
  const auto expected = [](double length, double thickness) {
    return length * thickness + std::numbers::pi / 4 * thickness * thickness;
  };
  const double length = std::hypot(100, 60), thin = expected(length, 2);
  EXPECT_NEAR(cover_of(20, 30, 120, 90, 2), thin, 0.02 * thin) << "flat";
  EXPECT_NEAR(cover_of(30, 20, 90, 120, 2), thin, 0.02 * thin) << "steep";
  EXPECT_NEAR(cover_of(120, 90, 20, 30, 2), thin, 0.02 * thin) << "backwards";
  EXPECT_NEAR(cover_of(20, 30, 20, 130, 3), expected(100, 3), 0.02 * 300) << "upright";
  EXPECT_NEAR(cover_of(-50, 100, 250, 100, 1), 200, 1) << "beyond both sides";
}

TEST(Canvas, LeavesOutPixelsBeyondIt) {
  Canvas canvas(10, 8, white);
  canvas.fill({-5, 6, 8, 20}, red);
  canvas.set(10, 0, red);
  canvas.blend(0, -1, red, 0.5);
  const Ink ink = ink_of(canvas);
  EXPECT_EQ(ink.count, 3 * 2);
  EXPECT_EQ(canvas.at(2, 7), red);
  EXPECT_EQ(canvas.at(3, 7), white);
}

TEST(Canvas, AFrameLiesOutsideItsBox) {
  Canvas canvas(10, 8, white);
  canvas.frame({2, 3, 4, 2}, black);
  EXPECT_EQ(ink_of(canvas).count, 2 * 6 + 2 * 2);
  EXPECT_EQ(canvas.at(2, 3), white);
  EXPECT_EQ(canvas.at(1, 2), black);
}

TEST(ColourMap, EndsAndMiddleAreThoseOfTheMap) {
  EXPECT_EQ(colour_of(ColourMap::viridis, 0), (Colour{0x44, 0x01, 0x54}));
  EXPECT_EQ(colour_of(ColourMap::viridis, 1), (Colour{0xfd, 0xe7, 0x25}));
  EXPECT_EQ(colour_of(ColourMap::coolwarm, 0.5), (Colour{0xdd, 0xdc, 0xdc}));
  EXPECT_EQ(colour_of(ColourMap::grey, 0.5), (Colour{128, 128, 128}));
}

TEST(ColourMap, NumbersBeyondTheEndsHaveTheirColours) {
  for (const auto map :
       {ColourMap::viridis, ColourMap::inferno, ColourMap::coolwarm, ColourMap::grey}) {
    EXPECT_EQ(colour_of(map, -3), colour_of(map, 0));
    EXPECT_EQ(colour_of(map, std::numeric_limits<double>::quiet_NaN()), colour_of(map, 0));
    EXPECT_EQ(colour_of(map, std::numeric_limits<double>::infinity()), colour_of(map, 1));
  }
}

// The base line is at y = 60: an H stands on it, a g hangs below, and capitals are 0.73 of the
// size.
TEST(Text, StandsOnItsBaseLine) {
  const Ink capital = ink_of("H", 40);
  EXPECT_EQ(capital.bottom, 59);
  EXPECT_NEAR(capital.bottom - capital.top + 1, 0.73 * 40, 1.5);
  EXPECT_GT(ink_of("g", 40).bottom, 64);
}

TEST(Text, IsAsWideAsItSays) {
  for (const double size : {12.0, 23.5, 40.0}) {
    const double width = text_width("MMMM", size);
    EXPECT_NEAR(width, 4 * 0.863 * size, 0.05 * size);
    const Ink left = ink_of("MMMM", size), right = ink_of("MMMM", size, TextAlign::right);
    EXPECT_NEAR(left.right - left.left, width, 0.25 * size);
    EXPECT_NEAR(left.left, 200, 0.2 * size);
    EXPECT_NEAR(right.right, 200, 0.2 * size);
  }
}

// Letters of units are two or three bytes; a byte that begins nothing is one unknown letter.
TEST(Text, ReadsUtf8) {
  EXPECT_DOUBLE_EQ(text_width("kg/m³", 48), text_width("kg/m", 48) + text_width("³", 48));
  EXPECT_EQ(text_width("³", 48), 19);
  const double unknown = text_width("\xef\xbf\xbd", 48);
  EXPECT_EQ(text_width("\xff", 48), unknown);
  EXPECT_EQ(text_width("\xe2\x82", 48), unknown);
  EXPECT_EQ(text_width("漢", 48), unknown);
  EXPECT_GT(ink_of("\xff", 40).count, 100);
}

TEST(PngFile, HoldsTheCanvas) {
  const ScratchDirectory scratch;
  const auto path = scratch.path() / "p.png";
  Canvas canvas(301, 7, white);
  for (int x = 0; x < 301; ++x) {
    const auto grey = static_cast<std::uint8_t>(x % 256);
    canvas.set(x, 5, {grey, grey, grey});
  }
  write_png(path, canvas);
  const std::string text = read_text(path);
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  const GreyImage read = read_grey_png({bytes, text.size()});
  ASSERT_EQ(read.width, 301);
  ASSERT_EQ(read.height, 7);
  for (std::size_t x = 0; x < 301; ++x) {
    ASSERT_EQ(read.pixels[5 * 301 + x], x % 256);
    ASSERT_EQ(read.pixels[4 * 301 + x], 255);
  }
}

TEST(PngFile, KeepsTheOldFileWhereItCannotBeWritten) {
  const ScratchDirectory scratch;
  EXPECT_THROW(write_png(scratch.path() / "none" / "p.png", Canvas(2, 2, white)),
               lbm::ResourceError);
  const std::uint8_t none[] = {1, 2, 3};
  EXPECT_THROW(read_grey_png(none), std::logic_error);
}

}  // namespace
