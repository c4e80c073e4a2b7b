// SPDX-License-Identifier: Apache-2.0
#include "io/picture/canvas.hpp"

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

}  // namespace lbm::io
