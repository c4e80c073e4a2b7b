// SPDX-License-Identifier: Apache-2.0

// Shapes made of other shapes: moved, united, intersected, subtracted.
#pragma once

#include <cstddef>
#include <map>
#include <utility>

#include "cases/geometry/affine.hpp"
#include "cases/geometry/shape.hpp"

namespace lbm::geometry {

// Moves shapes. A shape that it moves twice in the same way is the same shape both times, so that
// parts which several combinations share stay shared. Keeps all of them.
class ShapeMover {
 public:
  // `shape` moved by `a`. The vertices of meshes are moved here, so that later queries cost nothing
  // extra. Throws UsageError for an `a` that is singular or not finite.
  ShapePtr moved(const ShapePtr& shape, const Affine& a);

 private:
  ShapePtr anew(const ShapePtr& shape, const Affine& a);

  std::map<std::pair<ShapePtr, Affine>, ShapePtr> made_;
};

// The same once, kept nowhere.
ShapePtr transformed(const ShapePtr& shape, const Affine& a);

// Points in any part (union) or in all parts (intersection). std::invalid_argument without parts.
// However often a part occurs in parts of parts, a query asks it once.
ShapePtr make_union(const std::vector<ShapePtr>& parts);
ShapePtr make_intersection(const std::vector<ShapePtr>& parts);

// Points in `whole` and in none of `cuts`. The surface of a cut is solid.
ShapePtr make_difference(const ShapePtr& whole, const std::vector<ShapePtr>& cuts);

// Different shapes in a combination, itself included; 1 for any other shape.
std::size_t part_count(const ShapePtr& shape);

}  // namespace lbm::geometry
