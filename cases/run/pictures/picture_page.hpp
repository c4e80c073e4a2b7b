// SPDX-License-Identifier: Apache-2.0

// The page of a picture: the flow in colours, bodies grey, and around it text, axes, colour bar and
// scale bar.
#pragma once

#include <array>
#include <string>

#include "cases/run/pictures/colour_range.hpp"
#include "cases/run/pictures/picture_text.hpp"
#include "cases/run/pictures/picture_values.hpp"
#include "io/picture/canvas.hpp"
#include "io/picture/colour_map.hpp"

namespace lbm::cases {

// Pixels of the page.
struct PageSize {
  int width = 0, height = 0;
};

// The size that the case asks for; by default 1280 wide and so high that the cells, which are
// square, fill it. cells: to the right and upwards.
PageSize page_size(const Picture& picture, const std::array<int, 2>& cells);

struct PageStyle {
  PageSize size;
  ColourLimits limits;
  io::ColourMap colours = io::ColourMap::viridis;
  double cell_length = 1;  // in units of the page
};

// units: of cell_length.
io::Canvas draw_page(const PictureField& field, const PageStyle& style, const PictureText& text,
                     const FileUnits& units);

}  // namespace lbm::cases
