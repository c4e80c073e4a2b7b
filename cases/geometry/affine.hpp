// SPDX-License-Identifier: Apache-2.0

// Scaling, rotation and translation of bodies.
#pragma once

#include "cases/geometry/vec.hpp"

namespace lbm::geometry {

// p -> matrix p + shift. (b * a)(p) = b(a(p)): scaling, then rotation, then translation is
// translation(t) * rotation(...) * scaling(s).
struct Affine {
  std::array<Vec, 3> matrix{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};  // rows
  Vec shift{0, 0, 0};

  bool operator==(const Affine&) const = default;

  Vec operator()(const Vec& p) const {
    return Vec{dot(matrix[0], p), dot(matrix[1], p), dot(matrix[2], p)} + shift;
  }
  double determinant() const { return dot(matrix[0], cross(matrix[1], matrix[2])); }
};

Affine operator*(const Affine& second, const Affine& first);

// Throws UsageError for a singular or non-finite transform, which would flatten bodies.
Affine inverse(const Affine& a);

// Scales about the origin, one factor per axis.
Affine scaling(const Vec& factors);

// Right-handed rotation about an axis through the origin, exact at multiples of 90 degrees about a
// coordinate axis. The axis may have any finite length but zero.
Affine rotation(const Vec& axis, double degrees);

Affine translation(const Vec& shift);

// Bounds of the moved box. Stays finite along the axes that no infinite axis reaches.
Box moved(const Box& box, const Affine& a);

}  // namespace lbm::geometry
