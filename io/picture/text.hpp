// SPDX-License-Identifier: Apache-2.0

// Text on a canvas, in DejaVu Sans.
#pragma once

#include <string>
#include <string_view>

#include "io/picture/canvas.hpp"

namespace lbm::io {

enum class TextAlign { left, centre, right };

// The size is the height of a line in pixels. Text is UTF-8; letters that the font lacks are drawn
// as empty boxes.
struct TextStyle {
  double size = 16;
  Colour colour{};
  TextAlign align = TextAlign::left;
};

// Width in pixels.
double text_width(std::string_view text, double size);

// As much of the text as the width allows, with "..." where something is left out.
std::string fitting(std::string text, double width, double size);

// x: of the start, middle or end of the text, as `align` says; y: of its base line.
void draw_text(Canvas& canvas, double x, double y, std::string_view text, const TextStyle& style);

}  // namespace lbm::io
