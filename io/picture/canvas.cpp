// SPDX-License-Identifier: Apache-2.0
#include "io/picture/canvas.hpp"

#include <algorithm>
#include <cmath>

namespace lbm::io {
namespace {

std::uint8_t between(std::uint8_t from, std::uint8_t to, double part) {
  return static_cast<std::uint8_t>(std::lround(from + part * (double{1} * to - from)));
}

}  // namespace

Colour mixed(Colour from, Colour to, double part) {
  return {between(from.red, to.red, part), between(from.green, to.green, part),
          between(from.blue, to.blue, part)};
}

Canvas::Canvas(int width, int height, Colour background)
    : width_(width),
      height_(height),
      pixels_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), background) {}

void Canvas::set(int x, int y, Colour colour) {
  if (holds(x, y)) pixels_[index(x, y)] = colour;
}

void Canvas::blend(int x, int y, Colour colour, double cover) {
  if (holds(x, y)) pixels_[index(x, y)] = mixed(pixels_[index(x, y)], colour, cover);
}

void Canvas::fill(const PixelBox& box, Colour colour) {
  for (int y = box.top; y < box.top + box.height; ++y) {
    for (int x = box.left; x < box.left + box.width; ++x) set(x, y, colour);
  }
}

void Canvas::frame(const PixelBox& box, Colour colour) {
  fill({box.left - 1, box.top - 1, box.width + 2, 1}, colour);
  fill({box.left - 1, box.top + box.height, box.width + 2, 1}, colour);
  fill({box.left - 1, box.top, 1, box.height}, colour);
  fill({box.left + box.width, box.top, 1, box.height}, colour);
}

// Each pixel is covered by the part of its width that lies within half the thickness of the line.
void Canvas::line(double x0, double y0, double x1, double y1, double thickness, Colour colour) {
  const double dx = x1 - x0, dy = y1 - y0, square = dx * dx + dy * dy;
  const double reach = 0.5 * thickness + 1;
  const bool flat = std::abs(dx) > std::abs(dy);
  const auto shade = [&](int x, int y) {
    const double px = x + 0.5 - x0, py = y + 0.5 - y0;
    const double part = square > 0 ? std::clamp((px * dx + py * dy) / square, 0.0, 1.0) : 0;
    const double distance = std::hypot(px - part * dx, py - part * dy);
    const double cover = std::clamp(0.5 * thickness + 0.5 - distance, 0.0, 1.0);
    if (cover > 0) blend(x, y, colour, cover);
  };
  // Along the longer side, and a little way across.
  const double from = flat ? std::min(x0, x1) : std::min(y0, y1);
  const double to = flat ? std::max(x0, x1) : std::max(y0, y1);
  const double slope = flat ? (dx != 0 ? dy / dx : 0) : (dy != 0 ? dx / dy : 0);
  const int end = flat ? width_ : height_;
  const int first = std::max(0, static_cast<int>(std::floor(from - reach)));
  const int last = std::min(end - 1, static_cast<int>(std::ceil(to + reach)));
  for (int along = first; along <= last; ++along) {
    const double at = std::clamp(along + 0.5, from, to) - (flat ? x0 : y0);
    const double middle = (flat ? y0 : x0) + slope * at;
    const int low = static_cast<int>(std::floor(middle - 1.5 * reach));
    const int high = static_cast<int>(std::ceil(middle + 1.5 * reach));
    for (int across = low; across <= high; ++across) {
      flat ? shade(along, across) : shade(across, along);
    }
  }
}

}  // namespace lbm::io
