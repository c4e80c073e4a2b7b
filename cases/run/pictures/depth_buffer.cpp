// SPDX-License-Identifier: Apache-2.0
#include "cases/run/pictures/depth_buffer.hpp"

#include <algorithm>
#include <cmath>

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
  if (one.near != other.near) return one.near > other.near;
  const bool body = std::isnan(one.colour), other_body = std::isnan(other.colour);
  if (body != other_body) return body;
  if (!body && one.colour != other.colour) return one.colour > other.colour;
  return one.light > other.light;
}

// Samples are at the middle of their square. The first and the last one between three places, with
// some room for rounding.
constexpr float sample_room = 0.5F + 1e-3F;
int first_sample(float a, float b, float c) {
  return static_cast<int>(std::ceil(std::min({a, b, c}) - sample_room));
}
int last_sample(float a, float b, float c) {
  return static_cast<int>(std::floor(std::max({a, b, c}) - 1 + sample_room));
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

void DepthBuffer::project(Part& part, bool bodies) const {
  part.corners.clear();
  for (const SurfacePoint& point : part.mesh.points) {
    part.corners.push_back(corner_of(point, bodies));
  }
  const int rows = samples * height_;
  // Calls take(band) for the bands of a triangle.
  const auto for_each_band = [&](const std::array<std::uint32_t, 3>& triangle, const auto& take) {
    const float a = part.corners[triangle[0]].y, b = part.corners[triangle[1]].y;
    const float c = part.corners[triangle[2]].y;
    const int first = std::max(first_sample(a, b, c), 0) / rows_of_band;
    const int last = std::min(last_sample(a, b, c), rows - 1);
    for (int band = first; band * rows_of_band <= last; ++band)
      take(static_cast<std::size_t>(band));
  };
  // Counts, then places.
  part.first.assign(static_cast<std::size_t>(bands()) + 2, 0);
  for (const auto& triangle : part.mesh.triangles) {
    for_each_band(triangle, [&](std::size_t band) { ++part.first[band + 2]; });
  }
  for (std::size_t i = 2; i < part.first.size(); ++i) part.first[i] += part.first[i - 1];
  part.triangles.resize(part.first.back());
  for (std::size_t i = 0; i < part.mesh.triangles.size(); ++i) {
    for_each_band(part.mesh.triangles[i], [&](std::size_t band) {
      part.triangles[part.first[band + 1]++] = static_cast<std::uint32_t>(i);
    });
  }
}

void DepthBuffer::draw_band(int band) {
  const int top = band * rows_of_band, bottom = std::min(top + rows_of_band, samples * height_);
  for (const Part& part : parts_) {
    const auto at = static_cast<std::size_t>(band);
    for (std::size_t i = part.first[at]; i < part.first[at + 1]; ++i) {
      const auto& triangle = part.mesh.triangles[part.triangles[i]];
      draw(part.corners[triangle[0]], part.corners[triangle[1]], part.corners[triangle[2]], top,
           bottom);
    }
  }
}

// Rows top ... bottom - 1 of a triangle.
void DepthBuffer::draw(const Corner& a, const Corner& b, const Corner& c, int top, int bottom) {
  const float area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
  if (area == 0) return;
  const int row = samples * width_;
  const int first_y = std::max(top, first_sample(a.y, b.y, c.y));
  const int last_y = std::min(bottom - 1, last_sample(a.y, b.y, c.y));
  const int first_x = std::max(0, first_sample(a.x, b.x, c.x));
  const int last_x = std::min(row - 1, last_sample(a.x, b.x, c.x));
  const float share = 1 / area;
  constexpr float edge = -1e-4F;  // samples on an edge belong to both of its triangles
  for (int j = first_y; j <= last_y; ++j) {
    const float y = static_cast<float>(j) + 0.5F - a.y;
    for (int i = first_x; i <= last_x; ++i) {
      const float x = static_cast<float>(i) + 0.5F - a.x;
      const float to_b = (x * (c.y - a.y) - y * (c.x - a.x)) * share;
      const float to_c = ((b.x - a.x) * y - (b.y - a.y) * x) * share;
      if (to_b < edge || to_c < edge || to_b + to_c > 1 - edge) continue;
      const auto mix = [&](float Corner::*number) {
        return a.*number + to_b * (b.*number - a.*number) + to_c * (c.*number - a.*number);
      };
      Seen& seen = seen_[static_cast<std::size_t>(j) * static_cast<std::size_t>(row) +
                         static_cast<std::size_t>(i)];
      Seen here;
      here.near = mix(&Corner::near);
      if (here.near < seen.near) continue;
      here.colour = mix(&Corner::colour);
      here.light = mix(&Corner::light);
      if (hides(here, seen)) seen = here;
    }
  }
}

}  // namespace lbm::cases
