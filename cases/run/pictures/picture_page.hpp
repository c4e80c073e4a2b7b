// SPDX-License-Identifier: Apache-2.0

// The page of a picture: the flow in colours, bodies grey, and around it text, axes, colour bar and
// scale bar.
#pragma once

#include <array>
#include <functional>

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
// square, fill it. extent: of the flow to the right and upwards, in cells.
PageSize page_size(const Picture& picture, const std::array<double, 2>& extent);

// Where the flow is on the page, and how large a cell is, in pixels.
struct FlowArea {
  io::PixelBox box;
  double cell = 1;
};
FlowArea flow_area(const PageSize& size, const std::array<double, 2>& extent);

struct PageStyle {
  PageSize size;
  ColourLimits limits;
  io::ColourMap colours = io::ColourMap::viridis;
  double cell_length = 1;  // in units of the page
};

// A page whose flow is drawn by a function. units: of cell_length.
using DrawFlow = std::function<void(io::Canvas&, const FlowArea&)>;
io::Canvas draw_page(const std::array<double, 2>& extent, const PageStyle& style,
                     const PictureText& text, const FileUnits& units, const DrawFlow& draw);

// The page of a slice or projection.
io::Canvas draw_page(const PictureField& field, const PageStyle& style, const PictureText& text,
                     const FileUnits& units);

}  // namespace lbm::cases
