// Shapes made of shapes: moved, joined, cut.
#pragma once

#include "cases/geometry/affine.hpp"
#include "cases/geometry/shape.hpp"

namespace lbm::geometry {

// `shape` moved by `a`. Meshes are moved vertex by vertex, at no later cost. Throws UsageError when
// `a` flattens.
ShapePtr transformed(const ShapePtr& shape, const Affine& a);

// In any of the parts; in all of them. At least one part (std::invalid_argument).
ShapePtr make_union(std::vector<ShapePtr> parts);
ShapePtr make_intersection(std::vector<ShapePtr> parts);

// In `whole` and in none of `cuts`. The surface left by a cut is solid.
ShapePtr make_difference(ShapePtr whole, std::vector<ShapePtr> cuts);

}  // namespace lbm::geometry
