// Scaling, rotation and translation of bodies.
#pragma once

#include "cases/geometry/vec.hpp"

namespace lbm::geometry {

// p -> matrix p + shift. Composed with *: (b * a)(p) = b(a(p)), so the transform of a case that
// scales, then rotates, then translates is translation(t) * rotation(...) * scaling(s).
struct Affine {
  std::array<Vec, 3> matrix{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};  // rows
  Vec shift{0, 0, 0};

  Vec operator()(const Vec& p) const {
    return Vec{dot(matrix[0], p), dot(matrix[1], p), dot(matrix[2], p)} + shift;
  }
  double determinant() const { return dot(matrix[0], cross(matrix[1], matrix[2])); }
};

Affine operator*(const Affine& second, const Affine& first);

// Throws UsageError when the transform flattens bodies (a factor of zero, a value that is not
// finite).
Affine inverse(const Affine& a);

// Factors along the three axes, about the origin.
Affine scaling(const Vec& factors);

// Right-handed about an axis through the origin, of any length but zero (UsageError). Multiples of
// 90 degrees about a coordinate axis are exact.
Affine rotation(const Vec& axis, double degrees);

Affine translation(const Vec& shift);

}  // namespace lbm::geometry
