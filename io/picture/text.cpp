// SPDX-License-Identifier: Apache-2.0
#include "io/picture/text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "io/picture/font/glyphs.hpp"
#include "io/picture/png_file.hpp"

namespace lbm::io {
namespace {

// Code points of UTF-8. Bytes that are none become U+FFFD.
std::vector<int> code_points(std::string_view text) {
  constexpr int unknown = 0xfffd;
  std::vector<int> points;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i++]);
    const int more = lead < 0x80 ? 0 : lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc0 ? 1 : -1;
    int point = more < 0 ? unknown : more == 0 ? lead : lead & (0x3f >> more);
    for (int k = 0; k < more; ++k) {
      if (i >= text.size() || (static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) {
        point = unknown;
        break;
      }
      point = point << 6 | (static_cast<unsigned char>(text[i++]) & 0x3f);
    }
    points.push_back(point);
  }
  return points;
}

std::size_t glyph_of(int code_point) {
  const auto found = std::find_if(glyphs::all.begin(), glyphs::all.end(), [&](const auto& glyph) {
    return glyph.code_point == code_point;
  });
  const auto at = static_cast<std::size_t>(found - glyphs::all.begin());
  return std::min(at, glyphs::all.size() - 1);
}

// The part of a pixel between two numbers.
double overlap(double from, double to, int pixel) {
  return std::max(0.0, std::min(to, pixel + 1.0) - std::max(from, double{1} * pixel));
}

// Mean cover of a rectangle in the cell of a letter.
double mean_cover(const GreyImage& letters, int cell_x, int cell_y, const double (&x)[2],
                  const double (&y)[2]) {
  double sum = 0;
  for (int j = std::max(0, static_cast<int>(y[0])); j < std::min(y[1], 1.0 * glyphs::height); ++j) {
    for (int i = std::max(0, static_cast<int>(x[0])); i < std::min(x[1], 1.0 * glyphs::width);
         ++i) {
      const auto at =
          static_cast<std::size_t>(cell_y + j) * static_cast<std::size_t>(letters.width) +
          static_cast<std::size_t>(cell_x + i);
      sum += overlap(x[0], x[1], i) * overlap(y[0], y[1], j) * letters.pixels[at] / 255;
    }
  }
  return sum / ((x[1] - x[0]) * (y[1] - y[0]));
}

// x, y: the origin of the letter.
void draw_letter(Canvas& canvas, double x, double y, std::size_t glyph, const TextStyle& style) {
  static const GreyImage letters = read_grey_png(glyphs_png());
  const double scale = glyphs::size / style.size;  // pixels of the letters per pixel of the canvas
  const int cell_x = static_cast<int>(glyph) % glyphs::columns * glyphs::width;
  const int cell_y = static_cast<int>(glyph) / glyphs::columns * glyphs::height;
  const int left = static_cast<int>(std::floor(x - glyphs::left / scale));
  const int top = static_cast<int>(std::floor(y - glyphs::base / scale));
  const int right = static_cast<int>(std::ceil(x + (glyphs::width - glyphs::left) / scale));
  const int bottom = static_cast<int>(std::ceil(y + (glyphs::height - glyphs::base) / scale));
  for (int j = top; j < bottom; ++j) {
    const double from_y = (j - y) * scale + glyphs::base;
    for (int i = left; i < right; ++i) {
      const double from_x = (i - x) * scale + glyphs::left;
      const double cover =
          mean_cover(letters, cell_x, cell_y, {from_x, from_x + scale}, {from_y, from_y + scale});
      if (cover > 0) canvas.blend(i, j, style.colour, std::min(cover, 1.0));
    }
  }
}

double advance(std::size_t glyph, double size) {
  return glyphs::all[glyph].advance * size / glyphs::size;
}

}  // namespace

double text_width(std::string_view text, double size) {
  double width = 0;
  for (const int point : code_points(text)) width += advance(glyph_of(point), size);
  return width;
}

std::string fitting(std::string text, double width, double size) {
  if (text_width(text, size) <= width) return text;
  while (!text.empty() && text_width(text + "...", size) > width) text.pop_back();
  return text + "...";
}

void draw_text(Canvas& canvas, double x, double y, std::string_view text, const TextStyle& style) {
  if (style.align == TextAlign::centre) x -= text_width(text, style.size) / 2;
  if (style.align == TextAlign::right) x -= text_width(text, style.size);
  for (const int point : code_points(text)) {
    const std::size_t glyph = glyph_of(point);
    draw_letter(canvas, x, y, glyph, style);
    x += advance(glyph, style.size);
  }
}

}  // namespace lbm::io
