// Where bodies lie, roughly: enough to tell a body that misses the box or is hardly resolved,
// without reading meshes. For cases whose structure is right (no combination of itself).
#pragma once

#include <optional>

#include "cases/case/case.hpp"
#include "cases/case/units.hpp"

namespace lbm::cases {

// In cells from the corner of the box. low > high on some axis: nothing is in it.
struct Bounds {
  Vec3 low;
  Vec3 high;
};

// An upright box that holds the body, transforms applied; not always the smallest. Empty for what
// has none (planes) or is not known here (meshes), and for combinations of these.
std::optional<Bounds> bounds_of(const Case& lbm_case, const Body& body, const Units& units);

// The smallest extent of the shape itself in cells: a diameter, an edge, a height. Empty for
// planes, meshes and combinations.
std::optional<double> smallest_extent(const Body& body, const Units& units);

// True for a plane whose solid side holds no corner of the box of cells.
bool plane_misses_box(const Case& lbm_case, const Body& plane, const Units& units);

// Null when there is none of that name.
const Body* find_body(const Case& lbm_case, const std::string& name);

}  // namespace lbm::cases
