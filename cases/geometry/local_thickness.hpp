// SPDX-License-Identifier: Apache-2.0

// How thick a body is at a point of its surface.
#pragma once

#include <array>
#include <optional>

#include "cases/geometry/shape.hpp"

namespace lbm::geometry {

// A smooth surface has a normal at each point; that of voxels is the mean over some voxels around.
enum class SurfaceKind { smooth, voxels };

struct SurfacePoint {
  Vec at;
  Vec inward;           // unit vector
  bool is_cut = false;  // a face of the box cuts the body here: no surface of the body
};

// The thickness at a point of the surface is the length of the line from there along the inward
// normal to the other side ("ray method"). Lines across the middle of that line find thinner parts:
// the narrow edge of a plate is as thin as the plate. Exact for plates, spheres and cylinders. An
// axis along which the body goes through the whole box does not count. All members may be called
// from many threads; they throw what the shape throws.
class LocalThickness {
 public:
  // cells: size of the box. most: lengths above it are cut to it, in cells. The shape must outlive
  // the object.
  LocalThickness(const Shape& shape, SurfaceKind kind, const std::array<int, 3>& cells,
                 double most);

  // Share of the segment at which it enters the body: 0 where it begins inside.
  std::optional<double> entry(const Segment& s) const;
  // There; a cut where the segment begins inside.
  SurfacePoint point_at(const Segment& s, double entry) const;
  // Both at once.
  std::optional<SurfacePoint> first_point(const Segment& s) const;

  // In cells, 0 to `most`.
  double at(const SurfacePoint& point) const;

 private:
  Vec smooth_normal(const Vec& at, const Vec& along) const;
  Vec voxel_normal(const Vec& at, const Vec& along) const;
  Vec normal(const Vec& at, const Vec& along) const;
  double length_inside(const Vec& at, const Vec& along) const;
  double across_at(const Vec& at, const Vec& normal, double within) const;
  double thickness_along(const Vec& at, const Vec& inward) const;
  bool spans_box(const Vec& from, const Vec& to) const;
  bool is_face(int axis, double at) const;

  const Shape& shape_;
  SurfaceKind kind_;
  std::array<int, 3> cells_;
  double most_;
  double piece_;  // of a line, in cells
};

// Over the surface of a body within the box, as seen along the three axes.
struct ThicknessSummary {
  double median = 0;     // in cells; `most` for more
  double below_one = 0;  // share of the surface that is less than a cell thick, 0 to 1
  int samples = 0;       // 0: no line met the body
};

// Asks lines x lines lines along each axis.
ThicknessSummary thickness_summary(const LocalThickness& thickness, const Box& bounds,
                                   const std::array<int, 3>& cells, int lines);

}  // namespace lbm::geometry
