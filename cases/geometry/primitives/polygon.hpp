// SPDX-License-Identifier: Apache-2.0

// Polygons in a plane, and the bodies that they sweep along the normal of the plane. The last point
// is joined to the first; points that repeat the one before do not count.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "cases/geometry/shape.hpp"

namespace lbm::geometry {

using PlanePoint = std::array<double, 2>;
using Polygon = std::vector<PlanePoint>;

inline PlanePoint operator-(const PlanePoint& a, const PlanePoint& b) {
  return {a[0] - b[0], a[1] - b[1]};
}
inline double cross(const PlanePoint& a, const PlanePoint& b) { return a[0] * b[1] - a[1] * b[0]; }
inline double dot(const PlanePoint& a, const PlanePoint& b) { return a[0] * b[0] + a[1] * b[1]; }

// Enclosed by a polygon whose sides do not meet.
double area(const Polygon& polygon);

// The smallest distance of two parallel lines with the polygon between them.
double width(const Polygon& polygon);

// Two sides with a common point other than the end of one and the beginning of the next, by the
// positions of their first points; none in a simple polygon.
std::optional<std::array<std::size_t, 2>> meeting_sides(const Polygon& polygon);

// All points between two planes normal to the coordinate axis `axis`, at from and to, which may be
// infinite, whose other two coordinates, in the order x, y, z, lie in the polygon. It has an area
// and no meeting_sides(); from < to.
ShapePtr make_prism(const Polygon& polygon, int axis, double from, double to);

}  // namespace lbm::geometry
