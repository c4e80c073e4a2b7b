// SPDX-License-Identifier: Apache-2.0

// The page of a preview: three views of the box, and of the bodies where they are much smaller.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cases/run/preview/body_views.hpp"
#include "cases/run/preview/wind.hpp"
#include "io/picture/canvas.hpp"

namespace lbm::cases {

// Thickness in classes: the first one above is 1 cell.
struct ThicknessClass {
  double below = 1;  // in cells
  const char* text = "";
  io::Colour colour{};
};
// Red is thin; colours of ColorBrewer's RdYlBu, which colour-blind people tell apart.
inline constexpr std::array<ThicknessClass, 5> thickness_classes{{
    {1, "below 1 cell", {215, 25, 28}},
    {2, "1 to 2", {253, 141, 60}},
    {4, "2 to 4", {254, 217, 118}},
    {8, "4 to 8", {145, 191, 219}},
    {1e9, "8 or more", {49, 104, 172}},
}};

// One view of a part of the box on the page.
struct PreviewPanel {
  ViewAxes axes;
  std::string title;
  io::PixelBox box;
};

// Three views of a part of the box: the front view left of the side view, the top view above it.
struct PreviewBlock {
  std::string title;
  geometry::Box region;
  std::array<PreviewPanel, 3> panels{};
  int bottom = 0;
};

struct PreviewLayout {
  int width = 0, height = 0;
  std::vector<PreviewBlock> blocks;  // the box; then the bodies, if that makes them larger
};

// bodies: within the box; empty where there are none. The page has a sane size for boxes of any
// shape: views that would be tiny beside the others have a scale of their own.
PreviewLayout preview_layout(const std::array<int, 3>& cells, const geometry::Box& bodies);

struct PreviewText {
  std::string title;
  std::vector<std::string> lines;
  double cell = 0;  // in m; 0: lattice units
};

// "0.24 mm".
std::string metres_text(double metres);

// view: draws what is seen in a panel. Empty: no bodies.
using ViewOf = std::function<BodyView(const ViewAxes& axes, const geometry::Box& region, int width,
                                      int height)>;
io::Canvas draw_preview_page(const PreviewLayout& layout, const PreviewText& text,
                             const std::optional<Wind>& wind, const ViewOf& view);

}  // namespace lbm::cases
