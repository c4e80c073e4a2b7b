// SPDX-License-Identifier: Apache-2.0

// Bodies by their keys: the shapes with a closed form, one entry of a table each, the transform of
// a body, and bounds that are enough to find a body that misses the box or is hardly resolved,
// without reading meshes. Lengths are in units of the case, bounds and extents in cells.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "cases/case/case.hpp"
#include "cases/case/units.hpp"
#include "cases/geometry/affine.hpp"
#include "cases/geometry/shape.hpp"

namespace lbm::cases {

// A shape before the transform of its body, by the keys of the body, which the table of keys has
// checked.
struct ClosedForm {
  geometry::ShapePtr (*make)(const Body& body);
  // The largest n . p of its points p (the support function). Null: the shape has no bounds.
  double (*support)(const Body& body, const Vec3& n);
  // Smallest extent after the scale of the body: a diameter, edge or height. Null: it has none.
  double (*extent)(const Body& body);
  bool is_round = false;  // without flat ends or faces
};

// Null for files and combinations.
const ClosedForm* closed_form(const Body& body);

// Factors along x, y and z.
Vec3 scale_of(const Body& body);

// From the coordinates of the shape: scale, then rotate in order, then translate.
geometry::Affine transform_of(const Body& body);

// Direction of the first half axis of an elliptic cylinder: body.direction, else the first
// coordinate axis across the cylinder. Empty: no direction is given, and the cylinder lies along no
// coordinate axis.
std::optional<Vec3> direction_of(const Body& body);

// The axis along which a polygon is extruded, as a number.
int extrusion_axis(const Body& polygon);

// Least thickness, in cells, of a box or a flat cylinder at its orientation: links pass through a
// thinner one from fluid to fluid. Empty for other shapes.
std::optional<double> tight_thickness(const Body& body);

// In cells from the corner of the box.
using Bounds = geometry::Box;

// The bodies of a case by name. The case must outlive it.
class BodyIndex {
 public:
  explicit BodyIndex(const Case& lbm_case);

  // Null if no body has this name.
  const Body* find(std::string_view name) const;

 private:
  std::unordered_map<std::string_view, const Body*> bodies_;
};

// The bounds of all bodies of a case, each found once, whatever the number of combinations that it
// is a part of. Requires acyclic combinations. Case and units must outlive it.
class BodyBounds {
 public:
  BodyBounds(const Case& lbm_case, const Units& units) : index_(lbm_case), units_(units) {}

  // An axis-aligned box that contains the transformed body, not always the smallest. Empty for
  // planes (unbounded), meshes (unknown here), and combinations of these.
  std::optional<Bounds> of(const Body& body);

 private:
  // In units of the case.
  std::optional<Bounds> known(const Body& body);
  std::optional<Bounds> combined(const Body& body);

  BodyIndex index_;
  const Units& units_;
  std::map<std::string, std::optional<Bounds>> known_;
};

// Smallest extent of the shape in cells: a diameter, edge or height. Empty for planes, meshes and
// combinations.
std::optional<double> smallest_extent(const Body& body, const Units& units);

// True if no corner of the box lies on the solid side of the plane.
bool plane_misses_box(const Case& lbm_case, const Body& plane, const Units& units);

}  // namespace lbm::cases
