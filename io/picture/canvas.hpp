// SPDX-License-Identifier: Apache-2.0

// Pixels of a picture in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lbm::io {

// Red, green, blue, as sRGB.
struct Colour {
  std::uint8_t red = 0, green = 0, blue = 0;
  friend bool operator==(const Colour&, const Colour&) = default;
};

// part 0: from; 1: to.
Colour mixed(Colour from, Colour to, double part);

// A rectangle of pixels: x from `left`, y from `top` downwards.
struct PixelBox {
  int left = 0, top = 0, width = 0, height = 0;
};

// Pixels outside the canvas are left out by all that draws.
class Canvas {
 public:
  // width, height: at least 1.
  Canvas(int width, int height, Colour background);

  int width() const { return width_; }
  int height() const { return height_; }
  Colour at(int x, int y) const { return pixels_[index(x, y)]; }
  void set(int x, int y, Colour colour);
  // cover: part of the pixel that is covered, 0 to 1.
  void blend(int x, int y, Colour colour, double cover);
  void fill(const PixelBox& box, Colour colour);
  // A line of one pixel around the box, outside it.
  void frame(const PixelBox& box, Colour colour);
  // A line between two points, in pixels from the left and from the top; smooth.
  void line(double x0, double y0, double x1, double y1, double thickness, Colour colour);
  // Rows from the top, [height][width].
  std::span<const Colour> pixels() const { return pixels_; }

 private:
  bool holds(int x, int y) const { return x >= 0 && y >= 0 && x < width_ && y < height_; }
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
           static_cast<std::size_t>(x);
  }

  int width_, height_;
  std::vector<Colour> pixels_;
};

}  // namespace lbm::io
