// SPDX-License-Identifier: Apache-2.0

// Vectors, and the plane fitted to places on a wall.
#pragma once

#include <span>

#include "cases/geometry/vec.hpp"

namespace lbm::fields {

using Vector = geometry::Vec;
using geometry::cross, geometry::dot;

struct PlaneFit {
  Vector normal{};       // unit length, towards the view; 0 without places and view
  bool is_sure = false;  // false: places too close together, or collinear
};

// Least squares. `view` is best about a cell away from the places, which weakens the effect of
// their curvature. Directions left undetermined get the smallest component of the normal.
PlaneFit fit_plane(std::span<const Vector> places, const Vector& view);

// v scaled to length 1; 0 stays 0.
Vector unit(const Vector& v);

}  // namespace lbm::fields
