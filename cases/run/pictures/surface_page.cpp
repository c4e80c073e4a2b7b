// SPDX-License-Identifier: Apache-2.0
#include "cases/run/pictures/surface_page.hpp"

#include <algorithm>
#include <cmath>

namespace lbm::cases {
namespace {

constexpr io::Colour edge_colour{190, 190, 190}, grey_body{170, 170, 170};

std::array<double, 2> extent_of(const Outline& outline) { return {outline.width, outline.height}; }

void draw_box(io::Canvas& canvas, const FlowArea& area, const DepthBuffer& buffer,
              const std::array<int, 3>& cells) {
  const View& view = buffer.view();
  const Outline& outline = buffer.outline();
  const auto x = [&](const Projected& p) {
    return area.box.left + (p.right - outline.left) * area.cell;
  };
  const auto y = [&](const Projected& p) {
    return area.box.top + (outline.low + outline.height - p.up) * area.cell;
  };
  for (const Edge& edge : far_edges(view, cells)) {
    const Projected from = view.of(edge.from), to = view.of(edge.to);
    canvas.line(x(from), y(from), x(to), y(to), 1.2, edge_colour);
  }
}

class Mean {
 public:
  void add(io::Colour colour) {
    red_ += colour.red, green_ += colour.green, blue_ += colour.blue;
    ++count_;
  }
  io::Colour colour() const { return {part(red_), part(green_), part(blue_)}; }

 private:
  std::uint8_t part(int sum) const {
    return static_cast<std::uint8_t>((sum + count_ / 2) / count_);
  }

  int red_ = 0, green_ = 0, blue_ = 0, count_ = 0;
};

io::Colour lit(io::Colour colour, double light) {
  return io::mixed({0, 0, 0}, colour, std::min(light, 1.0));
}

}  // namespace

DepthBuffer make_depth_buffer(const View& view, const std::array<int, 3>& cells,
                              const PageSize& size) {
  const Outline outline = outline_of(view, cells);
  const FlowArea area = flow_area(size, extent_of(outline));
  return {view, outline, area.box.width, area.box.height};
}

std::vector<float> seen_numbers(const DepthBuffer& buffer, double scale) {
  std::vector<float> numbers;
  for (const Seen& seen : buffer.seen()) {
    if (!seen.is_anything() || std::isnan(seen.colour)) continue;
    numbers.push_back(static_cast<float>(seen.colour * scale));
  }
  return numbers;
}

io::Canvas draw_surface_page(const DepthBuffer& buffer, const std::array<int, 3>& cells,
                             double scale, const PageStyle& style, const PictureText& text,
                             const FileUnits& units) {
  constexpr int samples = DepthBuffer::samples;
  const double distance = style.limits.high - style.limits.low;
  const auto colour_of = [&](const Seen& seen) {
    if (std::isnan(seen.colour)) return lit(grey_body, seen.light);
    const double part = (seen.colour * scale - style.limits.low) / distance;
    return lit(io::colour_of(style.colours, part), seen.light);
  };
  const auto row = static_cast<std::size_t>(samples) * static_cast<std::size_t>(buffer.width());
  const auto draw = [&](io::Canvas& canvas, const FlowArea& area) {
    draw_box(canvas, area, buffer, cells);
    for (int j = 0; j < buffer.height(); ++j) {
      for (int i = 0; i < buffer.width(); ++i) {
        const int x = area.box.left + i, y = area.box.top + j;
        Mean mean;
        for (int s = 0; s < samples * samples; ++s) {
          const auto at = static_cast<std::size_t>(samples * j + s / samples) * row +
                          static_cast<std::size_t>(samples * i + s % samples);
          const Seen& seen = buffer.seen()[at];
          mean.add(seen.is_anything() ? colour_of(seen) : canvas.at(x, y));
        }
        canvas.set(x, y, mean.colour());
      }
    }
  };
  return draw_page(extent_of(buffer.outline()), style, text, units, draw);
}

}  // namespace lbm::cases
