// SPDX-License-Identifier: Apache-2.0
#include "cases/run/preview/body_views.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "cases/geometry/voxels/voxel_images.hpp"
#include "solver/core/in_parts.hpp"

namespace lbm::cases {
namespace {

using geometry::Box, geometry::LocalThickness, geometry::Segment, geometry::Vec;
using geometry::operator-;  // NOLINT(misc-unused-using-decls)

constexpr double begins_before = 0.01;  // lines begin so far before a body, in cells
// Thickness is measured once for a square of so many pixels, since it costs ten times what the
// surface does.
constexpr int square_pixels = 3;
constexpr double same_side = 0.95;  // cosine of the angle between normals

// The nearest surface at a pixel.
struct Nearest {
  double depth = std::numeric_limits<double>::infinity();  // from the viewer
  int body = -1;
  Segment line{};  // which the body meets there, in the coordinates of its shape
  double share = 0;
};

// From pixels to cells.
class Projection {
 public:
  Projection(const ViewAxes& axes, const Box& region, int width, int height)
      : axes_(axes),
        region_(region),
        per_x_((region.high[axes.right] - region.low[axes.right]) / width),
        per_y_((region.high[axes.up] - region.low[axes.up]) / height) {}

  double right_at(double x) const {
    return axes_.right_falls ? region_.high[axes_.right] - x * per_x_
                             : region_.low[axes_.right] + x * per_x_;
  }
  double up_at(double y) const { return region_.high[axes_.up] - y * per_y_; }
  double x_of(double right) const {
    return (axes_.right_falls ? region_.high[axes_.right] - right
                              : right - region_.low[axes_.right]) /
           per_x_;
  }
  double y_of(double up) const { return (region_.high[axes_.up] - up) / per_y_; }

 private:
  const ViewAxes& axes_;
  const Box& region_;
  double per_x_, per_y_;
};

// Pixels that a stretch overlaps: [first, last).
std::array<int, 2> pixels_of(double a, double b, int count) {
  const auto [low, high] = std::minmax(a, b);
  const double first = std::clamp(std::floor(low), 0.0, 1.0 * count);
  return {static_cast<int>(first),
          static_cast<int>(std::clamp(std::max(std::ceil(high), first + 1), first, 1.0 * count))};
}

Box common(const Box& a, const Box& b) {
  Box box;
  for (std::size_t i = 0; i < 3; ++i) {
    box.low[i] = std::max(a.low[i], b.low[i]);
    box.high[i] = std::min(a.high[i], b.high[i]);
  }
  return box;
}

// Light comes from above the viewer's left shoulder.
float light_of(const ViewAxes& axes, const Vec& inward) {
  const double right = axes.right_falls ? inward[axes.right] : -inward[axes.right];
  const double up = -inward[axes.up];
  const double near = axes.from_above ? -inward[axes.axis] : inward[axes.axis];
  const double lit = -0.35 * right + 0.5 * up + 0.79 * near;
  return static_cast<float>(0.6 + 0.4 * std::clamp(lit, 0.0, 1.0));
}

}  // namespace

BodyViews::BodyViews(const geometry::BodySet& set, const std::array<int, 3>& cells) : set_(set) {
  for (const geometry::Body& body : set.bodies()) {
    const auto* voxels = dynamic_cast<const geometry::VoxelShape*>(body.shape.get());
    shapes_.push_back(voxels != nullptr ? voxels->in_memory() : body.shape);
    thickness_.emplace_back(
        *shapes_.back(),
        voxels != nullptr ? geometry::SurfaceKind::voxels : geometry::SurfaceKind::smooth, cells,
        most_thickness);
  }
  const Box box{{0, 0, 0}, {1.0 * cells[0], 1.0 * cells[1], 1.0 * cells[2]}};
  for (const auto& image : set.images()) {
    const Box part = common(image.bounds, box);
    if (!part.empty()) bounds_.add(part);
  }
}

BodyView BodyViews::view(const ViewAxes& axes, const Box& region, int width, int height,
                         int threads) const {
  BodyView view{width, height, {}};
  view.pixels.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  const Projection projection(axes, region, width, height);

  const auto find = [&](const geometry::BodySet::Image& image, int x, int y, Nearest& nearest) {
    const Box part = common(image.bounds, region);
    // Moves a ray into the body: to its middle where the body is narrower than a pixel. A ray stays
    // off the very edge, where the body has no thickness.
    const auto within = [](double at, double low, double high, double size) {
      const double edge = std::min(0.01, 0.25 * (high - low));
      return high - low < size ? 0.5 * (low + high) : std::clamp(at, low + edge, high - edge);
    };
    Vec from;
    from[axes.right] =
        within(projection.right_at(x + 0.5), part.low[axes.right], part.high[axes.right],
               std::abs(projection.right_at(1) - projection.right_at(0)));
    from[axes.up] = within(projection.up_at(y + 0.5), part.low[axes.up], part.high[axes.up],
                           projection.up_at(0) - projection.up_at(1));
    Vec to = from;
    const double low = std::max(image.bounds.low[axes.axis] - begins_before, region.low[axes.axis]);
    const double high =
        std::min(image.bounds.high[axes.axis] + begins_before, region.high[axes.axis]);
    // Depth grows away from the viewer; what is behind the nearest surface does not count.
    const double sign = axes.from_above ? -1 : 1;
    const double begin = axes.from_above ? -high : low;
    const double end = std::min(axes.from_above ? -low : high, nearest.depth);
    if (begin >= end) return;
    from[axes.axis] = sign * begin;
    to[axes.axis] = sign * end;
    const Segment line{from - image.shift, to - image.shift};
    const auto share = thickness_[static_cast<std::size_t>(image.body)].entry(line);
    if (share) nearest = {begin + *share * (end - begin), image.body, line, *share};
  };

  const auto draw_band = [&](int top) {
    const int bottom = std::min(top + square_pixels, height);
    std::vector<Nearest> nearest(static_cast<std::size_t>(width) *
                                 static_cast<std::size_t>(bottom - top));
    const auto at = [&](int x, int y) -> Nearest& {
      return nearest[static_cast<std::size_t>(y - top) * static_cast<std::size_t>(width) +
                     static_cast<std::size_t>(x)];
    };
    for (const auto& image : set_.images()) {
      const Box part = common(image.bounds, region);
      if (part.empty()) continue;
      const auto rows = pixels_of(projection.y_of(part.high[axes.up]),
                                  projection.y_of(part.low[axes.up]), height);
      const auto columns = pixels_of(projection.x_of(part.low[axes.right]),
                                     projection.x_of(part.high[axes.right]), width);
      for (int y = std::max(rows[0], top); y < std::min(rows[1], bottom); ++y) {
        for (int x = columns[0]; x < columns[1]; ++x) find(image, x, y, at(x, y));
      }
    }
    for (int left = 0; left < width; left += square_pixels) {
      const int right = std::min(left + square_pixels, width);
      // One number for all pixels of the square that show the same body from the same side.
      int known_body = -1;
      Vec known_side{};
      float known = BodyPixel::none;
      for (int y = top; y < bottom; ++y) {
        for (int x = left; x < right; ++x) {
          const Nearest& here = at(x, y);
          if (here.body < 0) continue;
          const LocalThickness& thickness = thickness_[static_cast<std::size_t>(here.body)];
          const geometry::SurfacePoint point = thickness.point_at(here.line, here.share);
          if (here.body != known_body || geometry::dot(point.inward, known_side) < same_side) {
            known_body = here.body;
            known_side = point.inward;
            known = static_cast<float>(thickness.at(point));
          }
          view.pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                      static_cast<std::size_t>(x)] = {known, light_of(axes, point.inward)};
        }
      }
    }
  };

  in_parts(threads, (height + square_pixels - 1) / square_pixels, [&](int first, int last) {
    for (int band = first; band < last; ++band) draw_band(square_pixels * band);
  });
  return view;
}

}  // namespace lbm::cases
