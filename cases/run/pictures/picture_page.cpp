// SPDX-License-Identifier: Apache-2.0
#include "cases/run/pictures/picture_page.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "io/picture/text.hpp"

namespace lbm::cases {
namespace {

constexpr int default_width = 1280, least_height = 360, most_height = 1440;
constexpr io::Colour paper{255, 255, 255}, ink{32, 32, 32}, body{96, 96, 96};

// Parts of the page, in sizes of the text.
constexpr double left_margin = 1.5, top_margin = 3.6, bottom_margin = 3.4, right_margin = 7;
constexpr double bar_gap = 1.2, bar_width = 1.1, least_bar_height = 9;

double text_size(const PageSize& size) {
  return std::clamp(std::sqrt(1.0 * size.width * size.height) / 60, 11.0, 40.0);
}

// Mean of the cells that overlap a pixel; not a number where most of them are solid.
float mean_of_cells(const PictureField& field, double x0, double x1, double y0, double y1) {
  const int left = std::clamp(static_cast<int>(std::floor(x0)), 0, field.width - 1);
  const int right = std::clamp(static_cast<int>(std::ceil(x1)), left + 1, field.width);
  const int low = std::clamp(static_cast<int>(std::floor(y0)), 0, field.height - 1);
  const int high = std::clamp(static_cast<int>(std::ceil(y1)), low + 1, field.height);
  double sum = 0;
  int fluid = 0;
  for (int y = low; y < high; ++y) {
    for (int x = left; x < right; ++x) {
      const float value = field.at(x, y);
      if (std::isnan(value)) continue;
      sum += value;
      ++fluid;
    }
  }
  if (2 * fluid < (right - left) * (high - low)) return std::numeric_limits<float>::quiet_NaN();
  return static_cast<float>(sum / fluid);
}

// Between the centres of the four cells around a point, without solid ones; not a number in a solid
// cell.
float interpolated(const PictureField& field, double x, double y) {
  const auto nearest = [](double at, int count) {
    return std::clamp(static_cast<int>(std::floor(at)), 0, count - 1);
  };
  const float here = field.at(nearest(x, field.width), nearest(y, field.height));
  if (std::isnan(here)) return here;
  const double left = std::floor(x - 0.5), low = std::floor(y - 0.5);
  double sum = 0, weights = 0;
  for (int j = 0; j < 2; ++j) {
    for (int i = 0; i < 2; ++i) {
      const float value = field.at(nearest(left + i, field.width), nearest(low + j, field.height));
      if (std::isnan(value)) continue;
      const double weight = (1 - std::abs(x - 0.5 - left - i)) * (1 - std::abs(y - 0.5 - low - j));
      sum += weight * value;
      weights += weight;
    }
  }
  return weights > 0 ? static_cast<float>(sum / weights) : here;
}

void draw_flow(io::Canvas& canvas, const PictureField& field, const FlowArea& area,
               const PageStyle& style) {
  const double cells_x = 1.0 * field.width / area.box.width;
  const double cells_y = 1.0 * field.height / area.box.height;
  const double distance = style.limits.high - style.limits.low;
  for (int j = 0; j < area.box.height; ++j) {
    const double y = (area.box.height - 1 - j) * cells_y;
    for (int i = 0; i < area.box.width; ++i) {
      const double x = i * cells_x;
      const float value = cells_x > 1 || cells_y > 1
                              ? mean_of_cells(field, x, x + cells_x, y, y + cells_y)
                              : interpolated(field, x + 0.5 * cells_x, y + 0.5 * cells_y);
      const io::Colour colour =
          std::isnan(value) ? body
                            : io::colour_of(style.colours, (value - style.limits.low) / distance);
      canvas.set(area.box.left + i, area.box.top + j, colour);
    }
  }
  canvas.frame(area.box, ink);
}

void draw_colour_bar(io::Canvas& canvas, const FlowArea& area, const PageStyle& style,
                     const PictureText& text, double size) {
  const int room = static_cast<int>(canvas.height() - (top_margin + bottom_margin) * size);
  const int height =
      std::max(area.box.height, std::min(room, static_cast<int>(least_bar_height * size)));
  const io::PixelBox bar{area.box.left + area.box.width + static_cast<int>(bar_gap * size),
                         area.box.top + (area.box.height - height) / 2,
                         static_cast<int>(bar_width * size), height};
  for (int j = 0; j < height; ++j) {
    const double part = (height - 1 - j + 0.5) / height;
    canvas.fill({bar.left, bar.top + j, bar.width, 1}, io::colour_of(style.colours, part));
  }
  canvas.frame(bar, ink);
  const int most = std::clamp(static_cast<int>(height / (2.5 * size)), 2, 9);
  const Marks marks = marks_between(style.limits, most);
  for (const double number : marks.numbers) {
    const double part = (number - style.limits.low) / (style.limits.high - style.limits.low);
    const double y = bar.top + (1 - part) * (height - 1);
    canvas.fill(
        {bar.left + bar.width, static_cast<int>(std::lround(y)), static_cast<int>(0.3 * size), 1},
        ink);
    io::draw_text(canvas, bar.left + bar.width + 0.5 * size, y + 0.35 * size,
                  mark_text(number, marks.step), {size, ink, io::TextAlign::left});
  }
  const double last = canvas.width() - 0.7 * size - io::text_width(text.number, size);
  io::draw_text(canvas, std::min<double>(bar.left, last), bar.top - 0.7 * size, text.number,
                {size, ink});
}

void draw_scale_bar(io::Canvas& canvas, const FlowArea& area, const PageStyle& style,
                    const FileUnits& units, double size) {
  const double pixel = style.cell_length / area.cell;  // length of a pixel
  double length = round_step(0.25 * area.box.width * pixel);
  while (length > 0.3 * area.box.width * pixel) length = round_step(length * 0.4);
  const int pixels = std::max(1, static_cast<int>(std::lround(length / pixel)));
  const int thick = std::max(2, static_cast<int>(size / 6));
  const int right = area.box.left + area.box.width;
  const int y = area.box.top + area.box.height + static_cast<int>(1.1 * size);
  canvas.fill({right - pixels, y, pixels, thick}, ink);
  for (const int x : {right - pixels, right - thick / 2}) {
    canvas.fill({x, y - thick, std::max(1, thick / 2), 3 * thick}, ink);
  }
  io::draw_text(canvas, right - 0.5 * pixels, y + 1.5 * size, length_text(length, units),
                {size, ink, io::TextAlign::centre});
}

// Arrows with their letters, below the left corner of the flow.
void draw_axes(io::Canvas& canvas, const FlowArea& area, const PictureText& text, double size) {
  const double thick = std::max(1.0, std::floor(size / 10)), length = 1.7 * size;
  double left = 0, low = 0;
  for (const AxisArrow& axis : text.axes) {
    left = std::min(left, axis.right), low = std::min(low, axis.up);
  }
  const double x = std::floor(area.box.left - left * length) + 0.5;
  const double y = std::floor(area.box.top + area.box.height + 2.7 * size + low * length) + 0.5;
  for (const AxisArrow& axis : text.axes) {
    const double seen = std::hypot(axis.right, axis.up);
    if (seen < 0.15) continue;  // points at the viewer
    const double right = axis.right / seen, up = axis.up / seen;
    const double tip_x = x + axis.right * length, tip_y = y - axis.up * length;
    canvas.line(x, y, tip_x, tip_y, thick, ink);
    const double head = 0.35 * size;
    for (const double side : {-0.5, 0.5}) {
      canvas.line(tip_x, tip_y, tip_x - head * (right + side * up),
                  tip_y + head * (up - side * right), thick, ink);
    }
    const double away = 0.75 * size;
    io::draw_text(canvas, tip_x + away * right, tip_y - away * up + 0.35 * size,
                  std::string(1, axis.letter), {size, ink, io::TextAlign::centre});
  }
}

}  // namespace

PageSize page_size(const Picture& picture, const std::array<double, 2>& extent) {
  if (picture.size) {
    return {static_cast<int>((*picture.size)[0]), static_cast<int>((*picture.size)[1])};
  }
  // The size of the text depends on the height, and the height on that of the text.
  PageSize size{default_width, default_width};
  for (int turn = 0; turn < 4; ++turn) {
    const double text = text_size(size);
    const double width = default_width - (left_margin + right_margin) * text;
    const double height = width * extent[1] / extent[0] + (top_margin + bottom_margin) * text;
    // Even: films want that.
    size.height =
        static_cast<int>(std::clamp(height, 1.0 * least_height, 1.0 * most_height)) / 2 * 2;
  }
  return size;
}

FlowArea flow_area(const PageSize& size, const std::array<double, 2>& extent) {
  const double text = text_size(size);
  const double width = size.width - (left_margin + right_margin) * text;
  const double height = size.height - (top_margin + bottom_margin) * text;
  FlowArea area;
  area.cell = std::min(width / extent[0], height / extent[1]);
  area.box.width = std::max(1, static_cast<int>(std::lround(area.cell * extent[0])));
  area.box.height = std::max(1, static_cast<int>(std::lround(area.cell * extent[1])));
  area.box.left = static_cast<int>(left_margin * text + (width - area.box.width) / 2);
  area.box.top = static_cast<int>(top_margin * text + (height - area.box.height) / 2);
  return area;
}

io::Canvas draw_page(const std::array<double, 2>& extent, const PageStyle& style,
                     const PictureText& text, const FileUnits& units, const DrawFlow& draw) {
  io::Canvas canvas(style.size.width, style.size.height, paper);
  const FlowArea area = flow_area(style.size, extent);
  const double size = text_size(style.size);
  draw(canvas, area);
  draw_colour_bar(canvas, area, style, text, size);
  draw_scale_bar(canvas, area, style, units, size);
  draw_axes(canvas, area, text, size);
  const double left = left_margin * size, time_width = io::text_width(text.time, size);
  const double right = canvas.width() - 0.7 * size;
  io::draw_text(canvas, right, 1.4 * size, text.time, {size, ink, io::TextAlign::right});
  io::draw_text(canvas, left, 1.4 * size,
                io::fitting(text.title, right - left - time_width - size, size), {size, ink});
  io::draw_text(canvas, left, 2.8 * size, text.place, {size, ink});
  return canvas;
}

io::Canvas draw_page(const PictureField& field, const PageStyle& style, const PictureText& text,
                     const FileUnits& units) {
  const auto draw = [&](io::Canvas& canvas, const FlowArea& area) {
    draw_flow(canvas, field, area, style);
  };
  return draw_page({1.0 * field.width, 1.0 * field.height}, style, text, units, draw);
}

}  // namespace lbm::cases
