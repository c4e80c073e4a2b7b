// SPDX-License-Identifier: Apache-2.0
#include "cases/run/pictures/depth_buffer.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace lbm::cases {
namespace {

constexpr double ambient = 0.5;
// Direction to the light: to the right, upwards, towards the viewer.
constexpr std::array<double, 3> to_light{-0.4, 0.55, 0.73};

std::size_t count_of(int width, int height) {
  return static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * DepthBuffer::samples *
         DepthBuffer::samples;
}

// A total order: the nearest one wins, and of equally near ones always the same.
bool hides(const Seen& one, const Seen& other) {
  const auto key = [](const Seen& seen) {
    const bool body = std::isnan(seen.colour);
    return std::make_tuple(seen.near, body, body ? 0.0F : seen.colour, seen.light);
  };
  return key(one) > key(other);
}

}  // namespace

DepthBuffer::DepthBuffer(const View& view, const Outline& outline, int width, int height)
    : view_(view),
      outline_(outline),
      width_(width),
      height_(height),
      scale_(samples * std::min(width / outline.width, height / outline.height)),
      seen_(count_of(width, height)) {}

std::uint64_t DepthBuffer::bytes(int width, int height) {
  return sizeof(Seen) * count_of(width, height);
}

DepthBuffer::Corner DepthBuffer::corner_of(const SurfacePoint& point, bool body) const {
  const Projected at = view_.of({point.at[0], point.at[1], point.at[2]});
  const Projected normal = view_.of({point.normal[0], point.normal[1], point.normal[2]});
  const double length = std::hypot(normal.right, normal.up, normal.near);
  double light = 0.5;
  if (length > 0) {
    const double towards = normal.near < 0 ? -1 : 1;
    light = towards *
            (normal.right * to_light[0] + normal.up * to_light[1] + normal.near * to_light[2]) /
            length;
  }
  Corner corner;
  corner.x = static_cast<float>((at.right - outline_.left) * scale_);
  corner.y = static_cast<float>((outline_.low + outline_.height - at.up) * scale_);
  corner.near = static_cast<float>(at.near);
  corner.colour = body ? std::numeric_limits<float>::quiet_NaN() : point.colour;
  corner.light = static_cast<float>(ambient + (1 - ambient) * std::clamp(light, 0.0, 1.0));
  return corner;
}

void DepthBuffer::add(std::span<const Triangle> triangles, bool bodies, io::WorkerTeam& team) {
  constexpr std::size_t least_shared = 2048;
  corners_.resize(triangles.size());
  const auto project = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      for (std::size_t c = 0; c < 3; ++c) corners_[i][c] = corner_of(triangles[i][c], bodies);
    }
  };
  const auto draw_rows = [&](int top, int bottom) {
    for (const auto& triangle : corners_) draw(triangle, top, bottom);
  };
  const int rows = samples * height_;
  if (triangles.size() < least_shared) {
    project(0, triangles.size());
    return draw_rows(0, rows);
  }
  io::in_parts(team, static_cast<int>(triangles.size()), [&](int from, int to) {
    project(static_cast<std::size_t>(from), static_cast<std::size_t>(to));
  });
  io::in_parts(team, rows, draw_rows);
}

// Rows top ... bottom - 1 of a triangle.
void DepthBuffer::draw(const std::array<Corner, 3>& triangle, int top, int bottom) {
  const auto& [a, b, c] = triangle;
  const auto lowest = [](float x, float y, float z) { return std::min({x, y, z}); };
  const auto highest = [](float x, float y, float z) { return std::max({x, y, z}); };
  // Samples are at the middle of their square.
  const int first_y = std::max(top, static_cast<int>(std::floor(lowest(a.y, b.y, c.y) - 0.5F)));
  const int last_y =
      std::min(bottom - 1, static_cast<int>(std::ceil(highest(a.y, b.y, c.y) - 0.5F)));
  if (first_y > last_y) return;
  const int first_x = std::max(0, static_cast<int>(std::floor(lowest(a.x, b.x, c.x) - 0.5F)));
  const int last_x =
      std::min(samples * width_ - 1, static_cast<int>(std::ceil(highest(a.x, b.x, c.x) - 0.5F)));
  const float area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
  if (area == 0) return;
  constexpr float edge = -1e-4F;  // samples on an edge belong to both of its triangles
  for (int j = first_y; j <= last_y; ++j) {
    const float y = static_cast<float>(j) + 0.5F;
    for (int i = first_x; i <= last_x; ++i) {
      const float x = static_cast<float>(i) + 0.5F;
      const float to_b = ((x - a.x) * (c.y - a.y) - (y - a.y) * (c.x - a.x)) / area;
      const float to_c = ((b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x)) / area;
      if (to_b < edge || to_c < edge || to_b + to_c > 1 - edge) continue;
      const auto mix = [&](float Corner::*number) {
        return a.*number + to_b * (b.*number - a.*number) + to_c * (c.*number - a.*number);
      };
      const Seen here{mix(&Corner::near), mix(&Corner::colour), mix(&Corner::light)};
      Seen& seen = seen_[static_cast<std::size_t>(j) * static_cast<std::size_t>(samples * width_) +
                         static_cast<std::size_t>(i)];
      if (hides(here, seen)) seen = here;
    }
  }
}

}  // namespace lbm::cases
