// SPDX-License-Identifier: Apache-2.0

// The shapes with a closed form, one entry of a table each, and the transform of a body. Lengths
// are in units of the case.
#pragma once

#include <optional>

#include "cases/case/case.hpp"
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

}  // namespace lbm::cases
