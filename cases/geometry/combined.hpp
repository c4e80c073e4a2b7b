// Shapes made of other shapes: moved, united, intersected, subtracted.
#pragma once

#include "cases/geometry/affine.hpp"
#include "cases/geometry/shape.hpp"

namespace lbm::geometry {

// `shape` moved by `a`. The vertices of meshes are moved here, so that later queries cost nothing
// extra. Throws UsageError for a singular `a`.
ShapePtr transformed(const ShapePtr& shape, const Affine& a);

// Points in any part (union) or in all parts (intersection). std::invalid_argument without parts.
ShapePtr make_union(std::vector<ShapePtr> parts);
ShapePtr make_intersection(std::vector<ShapePtr> parts);

// Points in `whole` and in none of `cuts`. The surface of a cut is solid.
ShapePtr make_difference(ShapePtr whole, std::vector<ShapePtr> cuts);

}  // namespace lbm::geometry
