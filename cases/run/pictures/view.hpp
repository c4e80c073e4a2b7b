// SPDX-License-Identifier: Apache-2.0

// Where a picture of surfaces looks from: a parallel projection of a box of cells.
#pragma once

#include <array>
#include <vector>

#include "cases/case/case_pictures.hpp"

namespace lbm::cases {

// A point on the picture, in cells: to the right, upwards, and towards the viewer.
struct Projected {
  double right = 0, up = 0, near = 0;
};

// A parallel projection: equal lengths look equal wherever they are, so that one scale bar serves
// the whole picture.
class View {
 public:
  // azimuth: of the viewer around the axis `up`, in degrees, counted from the next axis (from x for
  // z, from y for x, from z for y); elevation: of the viewer above the plane normal to `up`.
  View(double azimuth, double elevation, int up);

  Projected of(const Vec3& point) const;

  const Vec3& right() const { return right_; }
  const Vec3& upward() const { return upward_; }
  const Vec3& toward() const { return toward_; }

 private:
  Vec3 right_, upward_, toward_;  // unit vectors
};

View view_of(const Picture& picture);

// The rectangle that a box of cells, from the origin to `cells`, fills on a picture; in cells.
struct Outline {
  double left = 0, low = 0, width = 1, height = 1;
};
Outline outline_of(const View& view, const std::array<int, 3>& cells);

// The edges of that box behind which nothing of it lies: those of the faces that look away from the
// viewer.
struct Edge {
  Vec3 from, to;
};
std::vector<Edge> far_edges(const View& view, const std::array<int, 3>& cells);

}  // namespace lbm::cases
