// SPDX-License-Identifier: Apache-2.0
#include "cases/run/preview/preview_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "cases/run/pictures/picture_text.hpp"
#include "io/picture/text.hpp"

namespace lbm::cases {
namespace {

using geometry::Box;

constexpr io::Colour white{255, 255, 255}, floor_of_panel{241, 241, 241}, dark{32, 32, 32},
    grey{110, 110, 110}, arrow_colour{0, 90, 50};

// Lengths in pixels.
constexpr int letters = 16;  // height of the text
constexpr int page_margin = 24, left_of_panel = 62, above_panel = 34, below_panel = 50,
              between = 26;
constexpr int most_width = 1240, most_height = 660, most_height_of_first = 420;
constexpr int least_page = 900, least_column = 130, head = 112, foot = 86;
constexpr int tiny = 90, enlarged = 150, least_side = 3;
// The bodies have a block of their own where that enlarges them so many times.
constexpr double worth_enlarging = 1.5;

struct Size {
  int width = 0, height = 0;
};

constexpr std::array<ViewAxes, 3> views{front_view, side_view, top_view};

double extent(const Box& region, std::size_t axis) { return region.high[axis] - region.low[axis]; }

// Pixels of a cell, equal in all views of a block.
double scale_of(const Box& region, int height) {
  constexpr double most = 48;
  const double nx = extent(region, 0), ny = extent(region, 1), nz = extent(region, 2);
  return std::min({most_width / (nx + ny), height / (ny + nz), most});
}

Size size_of(const Box& region, const ViewAxes& axes, double scale) {
  const double width = extent(region, axes.right), height = extent(region, axes.up);
  const double largest = std::max(width, height);
  if (largest * scale < tiny) scale = enlarged / largest;
  const auto pixels = [&](double cells) {
    return std::max(least_side, static_cast<int>(std::lround(cells * scale)));
  };
  return {pixels(width), pixels(height)};
}

// `top`: of its title.
PreviewBlock block_of(const std::string& title, const Box& region, int height, int top) {
  PreviewBlock block{title, region, {}, 0};
  const double scale = scale_of(region, height);
  std::array<Size, 3> size;
  for (std::size_t i = 0; i < 3; ++i) size[i] = size_of(region, views[i], scale);
  const int first_column = std::max(size[0].width, least_column);
  const int left = page_margin + left_of_panel;
  const int right = left + first_column + between + left_of_panel;
  const int first_row = top + static_cast<int>(1.6 * letters) + above_panel;
  const int second_row = first_row + size[2].height + below_panel + above_panel;
  const int row_height = std::max(size[0].height, size[1].height);
  block.panels = {
      {{views[0], "front, along x", {left, second_row, size[0].width, size[0].height}},
       {views[1], "side, along y", {right, second_row, size[1].width, size[1].height}},
       {views[2], "top, from above along z", {right, first_row, size[2].width, size[2].height}}}};
  block.bottom = second_row + row_height + below_panel;
  return block;
}

int right_of(const PreviewBlock& block) {
  int right = 0;
  for (const PreviewPanel& panel : block.panels) {
    right = std::max(right, panel.box.left + std::max(panel.box.width, least_column));
  }
  return right;
}

class Page {
 public:
  Page(const PreviewLayout& layout, const PreviewText& text, const std::optional<Wind>& wind)
      : canvas_(layout.width, layout.height, white), text_(text), wind_(wind) {}

  void write_head() {
    double y = page_margin + letters;
    const double width = canvas_.width() - 2.0 * page_margin;
    write(page_margin, y, io::fitting(text_.title, width, 1.3 * letters),
          {1.3 * letters, dark, io::TextAlign::left});
    for (const std::string& line : text_.lines) {
      y += 1.5 * letters;
      write(page_margin, y, io::fitting(line, width, letters), style(dark));
    }
  }

  // With arrows, and a frame around what the next block enlarges.
  void draw_box(const PreviewBlock& block, const PreviewBlock* next, const ViewOf& view) {
    draw(block, view);
    for (const PreviewPanel& panel : block.panels) {
      if (next != nullptr) mark(panel, block.region, next->region);
      if (wind_) draw_arrow(panel);
    }
  }

  void draw(const PreviewBlock& block, const ViewOf& view) {
    const double title = block.panels[2].box.top - above_panel - 0.4 * letters;
    write(page_margin, title, block.title, {1.1 * letters, dark, io::TextAlign::left});
    shares_ = {};
    for (const PreviewPanel& panel : block.panels) {
      canvas_.fill(panel.box, floor_of_panel);
      if (view) draw_bodies(panel, block.region, view);
      canvas_.frame(panel.box, grey);
      write(panel.box.left, panel.box.top - 0.6 * letters, panel.title, style(dark));
      write_extents(panel, block.region);
    }
  }

  // Draws the legend, with the shares of the latest block.
  void draw_legend(bool any_bodies) {
    const double top = canvas_.height() - foot + 1.2 * letters;
    if (!any_bodies) {
      write(page_margin, top, "no bodies", style(dark));
      return;
    }
    write(page_margin, top,
          "local thickness of the bodies in cells, and its share of what is seen of them:",
          style(dark));
    double total = 0;
    for (const double share : shares_) total += share;
    double x = page_margin;
    const int y = static_cast<int>(top + 0.9 * letters);
    const int edge = static_cast<int>(1.1 * letters);
    for (std::size_t i = 0; i < thickness_classes.size(); ++i) {
      const ThicknessClass& one = thickness_classes[i];
      const io::PixelBox box{static_cast<int>(x), y, edge, edge};
      canvas_.fill(box, one.colour);
      canvas_.frame(box, dark);
      const double share = total > 0 ? 100 * shares_[i] / total : 0;
      const std::string words = fmt::format("{}: {:.0f} %", one.text, share);
      x += edge + 0.5 * letters;
      write(x, y + 0.85 * edge, words, style(dark));
      x += io::text_width(words, letters) + 1.6 * letters;
    }
  }

  io::Canvas take() { return std::move(canvas_); }

 private:
  static io::TextStyle style(io::Colour colour, io::TextAlign align = io::TextAlign::left) {
    return {letters, colour, align};
  }
  void write(double x, double y, const std::string& words, const io::TextStyle& how) {
    io::draw_text(canvas_, x, y, words, how);
  }

  void draw_bodies(const PreviewPanel& panel, const Box& region, const ViewOf& view) {
    const BodyView seen = view(panel.axes, region, panel.box.width, panel.box.height);
    for (int y = 0; y < seen.height; ++y) {
      for (int x = 0; x < seen.width; ++x) {
        const BodyPixel& pixel = seen.at(x, y);
        if (!pixel.is_body()) continue;
        std::size_t i = 0;
        while (pixel.thickness >= thickness_classes[i].below) ++i;
        shares_[i] += 1;
        canvas_.set(panel.box.left + x, panel.box.top + y,
                    io::mixed({0, 0, 0}, thickness_classes[i].colour, pixel.light));
      }
    }
  }

  void mark(const PreviewPanel& panel, const Box& region, const Box& part) {
    const auto [axis, right, up, right_falls, from_above] = panel.axes;
    const auto shares = [&](std::size_t a, bool falls) {
      const double low = (part.low[a] - region.low[a]) / extent(region, a);
      const double high = (part.high[a] - region.low[a]) / extent(region, a);
      return falls ? std::array{1 - high, 1 - low} : std::array{low, high};
    };
    const auto x = shares(right, right_falls), y = shares(up, true);
    const auto stretch = [](int begin, int size, const std::array<double, 2>& share) {
      constexpr int least = 5;  // so that it is seen
      const int length = std::max(least, static_cast<int>(size * (share[1] - share[0])));
      const double middle = begin + 0.5 * size * (share[0] + share[1]);
      return std::array{static_cast<int>(std::lround(middle - 0.5 * length)), length};
    };
    const auto [left, width] = stretch(panel.box.left, panel.box.width, x);
    const auto [top, height] = stretch(panel.box.top, panel.box.height, y);
    canvas_.frame({left, top, width, height}, dark);
  }

  std::string axis_text(const Box& region, std::size_t axis) const {
    const char letter = "xyz"[axis];
    if (text_.cell == 0) return fmt::format("{} in cells", letter);
    return fmt::format("{} in cells, {}", letter, metres_text(extent(region, axis) * text_.cell));
  }

  // Numbers at both ends of an axis, in cells, and its name between them; in one line where there
  // is no room.
  void write_extents(const PreviewPanel& panel, const Box& region) {
    const auto [left, top, width, height] = panel.box;
    const auto number = [](double at) { return fmt::format("{:.6g}", std::round(10 * at) / 10); };
    const std::size_t along = panel.axes.right, up = panel.axes.up;
    std::string first = number(region.low[along]), last = number(region.high[along]);
    if (panel.axes.right_falls) std::swap(first, last);
    const double below = top + height + 1.2 * letters;
    const std::string name = axis_text(region, along);
    const double ends = io::text_width(first, letters) + io::text_width(last, letters);
    if (ends + 2 * letters < width) {
      write(left, below, first, style(dark));
      write(left + width, below, last, style(dark, io::TextAlign::right));
      const bool beside = ends + io::text_width(name, letters) + 2 * letters < width;
      write(left + 0.5 * width, below + (beside ? 0 : 1.2 * letters), name,
            style(dark, io::TextAlign::centre));
    } else {
      write(left, below, first + " to " + last, style(dark));
      write(left, below + 1.2 * letters, name, style(dark));
    }
    const double before = left - 0.5 * letters;
    const auto right_end = style(dark, io::TextAlign::right);
    const std::string letter(1, "xyz"[up]);
    if (height > 3.6 * letters) {
      write(before, top + 0.8 * letters, number(region.high[up]), right_end);
      write(before, top + 0.5 * height + 0.35 * letters, letter, right_end);
      write(before, top + height, number(region.low[up]), right_end);
    } else {
      write(before, top + 0.5 * height + 0.35 * letters,
            fmt::format("{}: {}", letter, number(extent(region, up))), right_end);
    }
  }

  // Twice: a white rim keeps it apart from bodies.
  void stroke(double x0, double y0, double x1, double y1) { lines_.push_back({x0, y0, x1, y1}); }
  void draw_strokes() {
    for (const auto& [thick, colour] : {std::pair(7.0, white), std::pair(3.0, arrow_colour)}) {
      for (const auto& l : lines_) canvas_.line(l[0], l[1], l[2], l[3], thick, colour);
    }
    lines_.clear();
  }

  // Without room for an arrow, which then stands beside the title.
  static bool is_narrow(const PreviewPanel& panel) {
    return std::min(panel.box.width, panel.box.height) < 60;
  }
  double beside_title(const PreviewPanel& panel) const {
    return panel.box.left + io::text_width(panel.title, letters) + 1.5 * letters;
  }

  void draw_arrow(const PreviewPanel& panel) {
    const ViewAxes& axes = panel.axes;
    const Vec3& d = wind_->direction;
    const double right = axes.right_falls ? -d[axes.right] : d[axes.right];
    const double down = -d[axes.up];
    const double seen = std::hypot(right, down);
    const double middle_x = panel.box.left + 0.5 * panel.box.width;
    const double middle_y = panel.box.top + 0.5 * panel.box.height;
    if (seen < 0.2) {
      draw_end_on(panel, axes.from_above == (d[axes.axis] > 0));
      return;
    }
    const double ux = right / seen, uy = down / seen;
    const double half = std::min(std::abs(ux) > 1e-9 ? 0.5 * panel.box.width / std::abs(ux) : 1e9,
                                 std::abs(uy) > 1e-9 ? 0.5 * panel.box.height / std::abs(uy) : 1e9);
    const bool narrow = is_narrow(panel);
    const double size = narrow ? 26 : std::clamp(0.3 * half, 48.0, 90.0);
    // At the side from which the flow comes.
    const double back = std::max(0.0, half - 0.5 * size - 8);
    const double x = narrow ? beside_title(panel) : middle_x - back * ux;
    const double y = narrow ? panel.box.top - letters : middle_y - back * uy;
    const double tip_x = x + 0.5 * size * ux, tip_y = y + 0.5 * size * uy;
    stroke(x - 0.5 * size * ux, y - 0.5 * size * uy, tip_x, tip_y);
    for (const double side : {-0.55, 0.55}) {
      const double barb = std::min(15.0, 0.35 * size);
      stroke(tip_x, tip_y, tip_x - barb * (ux - side * uy), tip_y - barb * (uy + side * ux));
    }
    draw_strokes();
  }

  // A dot comes to the viewer, a cross goes away from it.
  void draw_end_on(const PreviewPanel& panel, bool to_viewer) {
    constexpr double radius = 12;
    constexpr int sides = 24;
    const bool narrow = is_narrow(panel);
    const double x = narrow ? beside_title(panel) : panel.box.left + 26;
    const double y = panel.box.top + (narrow ? -letters : 26);
    const auto at = [&](int side) {
      const double angle = 2 * std::numbers::pi * side / sides;
      return std::pair(x + radius * std::cos(angle), y + radius * std::sin(angle));
    };
    for (int side = 0; side < sides; ++side) {
      const auto [x0, y0] = at(side);
      const auto [x1, y1] = at(side + 1);
      stroke(x0, y0, x1, y1);
    }
    if (to_viewer) {
      stroke(x - 2.5, y, x + 2.5, y);
      stroke(x, y - 2.5, x, y + 2.5);
    } else {
      const double reach = radius * std::numbers::sqrt2 / 2;
      stroke(x - reach, y - reach, x + reach, y + reach);
      stroke(x - reach, y + reach, x + reach, y - reach);
    }
    draw_strokes();
  }

  io::Canvas canvas_;
  const PreviewText& text_;
  const std::optional<Wind>& wind_;
  std::array<double, thickness_classes.size()> shares_{};
  std::vector<std::array<double, 4>> lines_;
};

}  // namespace

std::string metres_text(double metres) {
  FileUnits units;
  units.physical = true;
  return length_text(metres, units);
}

PreviewLayout preview_layout(const std::array<int, 3>& cells, const Box& bodies) {
  const Box whole{{0, 0, 0}, {1.0 * cells[0], 1.0 * cells[1], 1.0 * cells[2]}};
  std::optional<Box> close;
  if (!bodies.empty()) {
    close = bodies;
    double largest = 0;
    for (std::size_t a = 0; a < 3; ++a) largest = std::max(largest, extent(bodies, a));
    const double around = std::max(1.0, 0.06 * largest);
    for (std::size_t a = 0; a < 3; ++a) {
      close->low[a] = std::max(bodies.low[a] - around, 0.0);
      close->high[a] = std::min(bodies.high[a] + around, whole.high[a]);
    }
    if (scale_of(*close, most_height) < worth_enlarging * scale_of(whole, most_height)) {
      close.reset();
    }
  }
  PreviewLayout layout;
  layout.blocks.push_back(
      block_of("The box", whole, close ? most_height_of_first : most_height, head));
  if (close) {
    layout.blocks.push_back(
        block_of("The bodies, enlarged", *close, most_height, layout.blocks[0].bottom));
  }
  layout.width = least_page;
  for (const PreviewBlock& block : layout.blocks) {
    layout.width = std::max(layout.width, right_of(block) + 2 * page_margin);
  }
  layout.height = layout.blocks.back().bottom + foot;
  return layout;
}

io::Canvas draw_preview_page(const PreviewLayout& layout, const PreviewText& text,
                             const std::optional<Wind>& wind, const ViewOf& view) {
  Page page(layout, text, wind);
  page.write_head();
  const bool enlarges = layout.blocks.size() > 1;
  page.draw_box(layout.blocks[0], enlarges ? &layout.blocks[1] : nullptr, view);
  if (enlarges) page.draw(layout.blocks[1], view);
  page.draw_legend(static_cast<bool>(view));
  return page.take();
}

}  // namespace lbm::cases
