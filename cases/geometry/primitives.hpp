// Bodies with a closed form: their surface is met exactly (to rounding). Lengths in cells. The
// makers throw UsageError where a size is not positive and finite, or an axis has no length.
#pragma once

#include "cases/geometry/shape.hpp"

namespace lbm::geometry {

// Faces along the axes.
ShapePtr make_box(const Vec& centre, const Vec& size);

ShapePtr make_sphere(const Vec& centre, double radius);

// Flat ends at `a` and `b`.
ShapePtr make_cylinder(const Vec& a, const Vec& b, double radius);

// All points nearer than `radius` to the segment from `a` to `b`; a == b is a sphere.
ShapePtr make_capsule(const Vec& a, const Vec& b, double radius);

// All points behind the plane through `point`, on the side from which `normal` (of any length)
// points away.
ShapePtr make_half_space(const Vec& point, const Vec& normal);

}  // namespace lbm::geometry
