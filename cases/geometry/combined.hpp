// SPDX-License-Identifier: Apache-2.0

// Shapes made of other shapes: moved, united, intersected, subtracted.
#pragma once

#include <cstddef>

#include "cases/geometry/affine.hpp"
#include "cases/geometry/shape.hpp"

namespace lbm::geometry {

// `shape` moved by `a`. The vertices of meshes are moved here, so that later queries cost nothing
// extra. Throws UsageError for an `a` that is singular or not finite.
ShapePtr transformed(const ShapePtr& shape, const Affine& a);

// Points in any part (union) or in all parts (intersection). std::invalid_argument without parts.
// A repeated part counts once.
ShapePtr make_union(const std::vector<ShapePtr>& parts);
ShapePtr make_intersection(const std::vector<ShapePtr>& parts);

// Points in `whole` and in none of `cuts`. The surface of a cut is solid.
ShapePtr make_difference(const ShapePtr& whole, const std::vector<ShapePtr>& cuts);

// The shapes in a combination, those of its parts and itself included; 1 for any other shape.
std::size_t part_count(const ShapePtr& shape);

}  // namespace lbm::geometry
