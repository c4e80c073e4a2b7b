// SPDX-License-Identifier: Apache-2.0

// The page of surfaces: an isosurface in colours and bodies in grey, both shaded, before the far
// edges of their box.
#pragma once

#include <array>

#include "cases/run/pictures/depth_buffer.hpp"
#include "cases/run/pictures/picture_page.hpp"
#include "cases/run/pictures/view.hpp"

namespace lbm::cases {

// The buffer that such a page of these cells wants.
DepthBuffer make_depth_buffer(const View& view, const std::array<int, 3>& cells,
                              const PageSize& size);

// The coloured numbers that are seen, multiplied by `scale`, for the limits of the colours.
std::vector<float> seen_numbers(const DepthBuffer& buffer, double scale);

// cells: those of the buffer. scale: from the buffer's numbers to those of the page.
io::Canvas draw_surface_page(const DepthBuffer& buffer, const std::array<int, 3>& cells,
                             double scale, const PageStyle& style, const PictureText& text,
                             const FileUnits& units);

}  // namespace lbm::cases
