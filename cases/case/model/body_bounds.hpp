// Approximate bounds of bodies: enough to find a body that misses the box or is hardly resolved,
// without reading meshes. Requires acyclic combinations.
#pragma once

#include <optional>

#include "cases/case/case.hpp"
#include "cases/case/units.hpp"
#include "cases/geometry/vec.hpp"

namespace lbm::cases {

// In cells from the corner of the box.
using Bounds = geometry::Box;

// An axis-aligned box that contains the transformed body, not always the smallest. Empty for planes
// (unbounded), meshes (unknown here), and combinations of these.
std::optional<Bounds> bounds_of(const Case& lbm_case, const Body& body, const Units& units);

// Smallest extent of the shape in cells: a diameter, edge or height. Empty for planes, meshes and
// combinations.
std::optional<double> smallest_extent(const Body& body, const Units& units);

// True if no corner of the box lies on the solid side of the plane.
bool plane_misses_box(const Case& lbm_case, const Body& plane, const Units& units);

// Null if no body has this name.
const Body* find_body(const Case& lbm_case, const std::string& name);

}  // namespace lbm::cases
