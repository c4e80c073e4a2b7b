// SPDX-License-Identifier: Apache-2.0

// Bodies with a closed form, exact to rounding. Lengths in cells. The caller has checked that all
// numbers are finite, sizes positive, and that axes and normals have a length.
#pragma once

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

}  // namespace lbm::geometry
