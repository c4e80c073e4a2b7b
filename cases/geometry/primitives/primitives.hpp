// SPDX-License-Identifier: Apache-2.0

// Bodies with a closed form, exact to rounding. Lengths in cells. The caller has checked that all
// numbers are finite, sizes positive, and that axes and normals have a length. Polygons, and the
// bodies that they sweep along the normal of their plane, are in polygon.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "cases/geometry/shape.hpp"

namespace lbm::geometry {

// A box with faces normal to the axes.
ShapePtr make_box(const Vec& centre, const Vec& size);

ShapePtr make_sphere(const Vec& centre, double radius);

// An ellipsoid with these diameters along the axes.
ShapePtr make_ellipsoid(const Vec& centre, const Vec& diameters);

// A cylinder with flat ends at `a` and `b`.
ShapePtr make_cylinder(const Vec& a, const Vec& b, double radius);

// The same with an elliptic cross-section: radii[0] is the half axis along `direction`, whose part
// along the axis does not count, but must not be all of it; radii[1] the other one.
ShapePtr make_elliptic_cylinder(const Vec& a, const Vec& b, const std::array<double, 2>& radii,
                                const Vec& direction);

// A tube around a ring, the circle of radius `ring` about `centre` in the plane normal to `axis`.
// tube: its radius, below `ring`.
ShapePtr make_torus(const Vec& centre, const Vec& axis, double ring, double tube);

// All points within `radius` of the segment from `a` to `b`; a sphere for a == b.
ShapePtr make_capsule(const Vec& a, const Vec& b, double radius);

// The side of the plane through `point` opposite to `normal` (of any length).
ShapePtr make_half_space(const Vec& point, const Vec& normal);

// The rest is for shapes with a closed form in other files.
inline int sign(double value) { return value > 0 ? 1 : (value < 0 ? -1 : 0); }

inline void add_share(double share, std::vector<double>& shares) {
  if (share >= 0 && share <= 1) shares.push_back(share);
}

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
