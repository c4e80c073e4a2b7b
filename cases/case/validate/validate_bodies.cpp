// SPDX-License-Identifier: Apache-2.0

// Bodies: keys of shapes, combinations, places and speeds.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "cases/case/bodies/body_bounds.hpp"
#include "cases/case/case_location.hpp"
#include "cases/case/limits.hpp"
#include "cases/case/model/boundary_conditions.hpp"
#include "cases/case/model/case_formulas.hpp"
#include "cases/case/scalars.hpp"
#include "cases/case/schema/key_table.hpp"
#include "cases/case/schema/keys.hpp"
#include "cases/case/validate/validate_parts.hpp"
#include "cases/geometry/primitives/polygon.hpp"
#include "cases/geometry/surface/shell_shape.hpp"
#include "io/voxels/plane_files.hpp"

namespace lbm::cases::validation {
namespace {

std::string key_of(const Body& body, const std::string& name) {
  return "bodies." + body.name + (name.empty() ? "" : "." + name);
}

bool is_combination(const Body& body) {
  return body.shape == BodyShape::union_of || body.shape == BodyShape::intersection ||
         body.shape == BodyShape::difference;
}

// The keys that define a shape. It requires all of them and excludes those of other shapes.
std::set<std::string> shape_keys(BodyShape shape) {
  switch (shape) {
    case BodyShape::box:
    case BodyShape::ellipsoid:
      return {"center", "size"};
    case BodyShape::sphere:
      return {"center", "radius"};
    case BodyShape::cylinder:
    case BodyShape::capsule:
      return {"from", "to", "radius"};
    case BodyShape::elliptic_cylinder:
      return {"from", "to", "radii"};
    case BodyShape::polygon:
      return {"points", "axis"};
    case BodyShape::torus:
      return {"center", "axis", "radii"};
    case BodyShape::plane:
      return {"center", "normal"};
    case BodyShape::surface:
    case BodyShape::stl:
    case BodyShape::voxels:
      return {"file"};
    case BodyShape::union_of:
    case BodyShape::intersection:
    case BodyShape::difference:
      break;
  }
  return {"of"};
}

// Keys of surfaces, none of which is required.
void check_surface_keys(const Case& lbm_case, const Body& body) {
  const std::array<std::pair<const char*, bool>, 4> given{
      {{"solids", !body.solids.empty()},
       {"open", body.open.has_value()},
       {"thickness", body.thickness.has_value()},
       {"merge_tolerance", body.merge_tolerance.has_value()}}};
  for (const auto& [name, is_given] : given) {
    if (!is_given || is_surface(*body.shape)) continue;
    refuse(lbm_case, key_of(body, name),
           "conflicts with shape: only a surface from a file takes it: remove it");
  }
  if (body.thickness && body.open != geometry::OpenSurface::shell) {
    refuse(
        lbm_case, key_of(body, "thickness"),
        "conflicts with open: only open: shell takes a thickness: remove it, or set open: shell");
  }
}

// Keys of images of voxels, of which `fluid` is required.
void check_voxel_keys(const Case& lbm_case, const Body& body) {
  const bool voxels = body.shape == BodyShape::voxels;
  const std::array<std::pair<const char*, bool>, 6> given{
      {{"dataset", !body.dataset.empty()},
       {"cells", body.cells.has_value()},
       {"type", body.type.has_value()},
       {"byte_order", body.byte_order.has_value()},
       {"header_bytes", body.header_bytes.has_value()},
       {"fluid", !body.fluid.empty()}}};
  for (const auto& [name, is_given] : given) {
    if (!is_given || voxels) continue;
    refuse(lbm_case, key_of(body, name),
           "conflicts with shape: only voxels take it: remove it, or set shape: voxels");
  }
  if (!voxels) return;
  if (body.fluid.empty()) {
    refuse(lbm_case, key_of(body, "fluid"),
           "missing: voxels require the labels of the pores, such as [0]");
  }
  for (const auto& [name, is_given] :
       {std::pair{"scale", body.scale.has_value()}, {"rotate", !body.rotate.empty()}}) {
    if (!is_given) continue;
    refuse(lbm_case, key_of(body, name),
           "conflicts with shape: a voxel is a cell, and stays one: remove it");
  }
  if (body.walls && *body.walls != BodyWalls::staircase) {
    refuse(lbm_case, key_of(body, "walls"),
           "conflicts with shape: walls of voxels lie halfway between cells: remove it, or set "
           "staircase");
  }
}

// A voxel is a cell.
void check_voxel_place(const Case& lbm_case, const Body& body, const Units& units) {
  if (body.shape != BodyShape::voxels || !body.translate) return;
  for (const double length : *body.translate) {
    const double cells = to_cells(units, length);
    if (!(std::abs(cells) <= max_cells_per_axis)) {
      refuse(lbm_case, key_of(body, "translate"),
             fmt::format("found {:.6g}, which is {:.6g} cells, must be at most {}", length, cells,
                         max_cells_per_axis));
    }
    if (std::abs(cells - std::round(cells)) <= 1e-6 * std::max(1.0, std::abs(cells))) continue;
    refuse(lbm_case, key_of(body, "translate"),
           fmt::format("found {:.6g}, which is {:.6g} cells, must be whole cells", length, cells));
  }
}

void check_thickness(const Case& lbm_case, const Body& body, const Units& units) {
  if (!body.thickness || to_cells(units, *body.thickness) >= geometry::least_thickness) return;
  refuse(
      lbm_case, key_of(body, "thickness"),
      fmt::format("found {:.6g}, which is {:.4g} cells, must be {:.9g} or more ({} cells): fluid "
                  "would pass through a thinner wall",
                  *body.thickness, to_cells(units, *body.thickness),
                  geometry::least_thickness * units.length, geometry::least_thickness));
}

void check_shape_values(const Case& lbm_case, const Body& body) {
  if (body.from && body.from == body.to) {
    refuse(lbm_case, key_of(body, "to"), "found the same point as from, must be another");
  }
  if (body.normal == Vec3{0, 0, 0}) {
    refuse(lbm_case, key_of(body, "normal"), "found [0, 0, 0], must have a length");
  }
  if (body.shape == BodyShape::torus && (*body.radii)[1] >= (*body.radii)[0]) {
    refuse(lbm_case, key_of(body, "radii"),
           fmt::format("found a tube of radius {} around a ring of radius {}, must be thinner: "
                       "give the ring first",
                       (*body.radii)[1], (*body.radii)[0]));
  }
}

void check_polygon(const Case& lbm_case, const Body& body) {
  if (body.shape != BodyShape::polygon) {
    if (!body.span) return;
    refuse(lbm_case, key_of(body, "span"),
           "conflicts with shape: only a polygon takes it: remove it");
  }
  if (std::count(body.axis->begin(), body.axis->end(), 0) != 2) {
    refuse(lbm_case, key_of(body, "axis"),
           "found an oblique axis, must be x, y or z: turn the polygon by rotate");
  }
  if (body.span && (*body.span)[0] >= (*body.span)[1]) {
    refuse(lbm_case, key_of(body, "span"),
           fmt::format("found from {} to {}, must be from less to more", (*body.span)[0],
                       (*body.span)[1]));
  }
  const std::string key = key_of(body, "points");
  const std::set<std::array<double, 2>> different(body.points.begin(), body.points.end());
  if (different.size() < 3 || body.points.size() > max_polygon_points) {
    refuse(lbm_case, key,
           fmt::format("found {} points, {} of them different, must be at least 3 different ones "
                       "and at most {} in all",
                       body.points.size(), different.size(), max_polygon_points));
  }
  if (!(geometry::width(body.points) > 0)) {
    refuse(lbm_case, key, "found all points on a line, must enclose an area");
  }
  if (const auto sides = geometry::meeting_sides(body.points)) {
    const auto point = [&](std::size_t n) {
      return fmt::format("{} at [{}, {}]", n + 1, body.points[n][0], body.points[n][1]);
    };
    refuse(lbm_case, key,
           fmt::format("found sides that cross or touch, from point {} and from point {} on, must "
                       "be a border that meets itself nowhere: check the order of the points",
                       point((*sides)[0]), point((*sides)[1])));
  }
}

void check_direction(const Case& lbm_case, const Body& body) {
  if (body.shape != BodyShape::elliptic_cylinder) {
    if (!body.direction) return;
    refuse(lbm_case, key_of(body, "direction"),
           "conflicts with shape: only an elliptic_cylinder takes it: remove it");
  }
  const auto direction = direction_of(body);
  if (!direction) {
    refuse(lbm_case, key_of(body, "direction"),
           "missing: the axis is along none of x, y, z: give the direction of the first of radii");
  }
  const Vec3 &a = *body.from, &b = *body.to;
  const Vec3 axis = geometry::unit({b[0] - a[0], b[1] - a[1], b[2] - a[2]});
  if (geometry::length(geometry::cross(axis, geometry::unit(*direction))) <= 1e-9) {
    refuse(lbm_case, key_of(body, "direction"),
           "found the direction of the axis, must be across it");
  }
}

void check_parts(const Case& lbm_case, const BodyIndex& index, const Body& body) {
  if (!is_combination(body)) return;
  if (body.of.size() < 2) {
    refuse(lbm_case, key_of(body, "of"), "found one body, must be at least two");
  }
  for (const std::string& part : body.of) {
    if (index.find(part)) continue;
    refuse(lbm_case, key_of(body, "of"),
           fmt::format(
               "found {}, must be bodies of this case: {}", one_line(part, 64),
               one_line(fmt::format("{}", fmt::join(key_table::names_of(lbm_case.bodies), ", ")),
                        100)));
  }
}

// Refuses circular combinations, and those nested too deep to be followed.
class Nesting {
 public:
  Nesting(const Case& lbm_case, const BodyIndex& index) : case_(lbm_case), index_(index) {}

  // Levels of combinations in a body: 0 for a primitive. Visits every body once, depth first.
  int levels(const Body& body) {
    const auto known = known_.find(body.name);
    if (known != known_.end()) return known->second;
    if (open_.size() > max_body_levels) too_deep(body);
    open_.push_back(body.name);
    int below = 0;
    for (const std::string& part : body.of) {
      if (std::find(open_.begin(), open_.end(), part) != open_.end()) circular(body, part);
      below = std::max(below, 1 + levels(*index_.find(part)));
    }
    open_.pop_back();
    if (below > max_body_levels) too_deep(body);
    return known_[body.name] = below;
  }

 private:
  [[noreturn]] void circular(const Body& body, const std::string& part) const {
    refuse(case_, key_of(body, "of"),
           fmt::format("found {}, which has {} as a part itself; must not be circular", part,
                       body.name));
  }
  [[noreturn]] void too_deep(const Body& body) const {
    refuse(case_, key_of(body, "of"),
           fmt::format("found combinations nested more than {} levels deep, must be fewer: combine "
                       "more bodies in one list",
                       max_body_levels));
  }

  const Case& case_;
  const BodyIndex& index_;
  std::vector<std::string> open_;  // bodies on the current path
  std::map<std::string, int> known_;
};

void check_place(const Case& lbm_case, const Body& body, const Units& units, BodyBounds& all) {
  bool misses = body.shape == BodyShape::plane && plane_misses_box(lbm_case, body, units);
  const auto bounds = all.of(body);
  for (std::size_t axis = 0; bounds && axis < 3; ++axis) {
    const double low = bounds->low[axis], high = bounds->high[axis];
    misses = misses || !(high > 0) || !(low < lbm_case.grid.cells[axis]);
    if (low > high) {
      refuse(lbm_case, key_of(body, "of"),
             "found bodies without a common point, must have some: move or enlarge them");
    }
  }
  if (misses) {
    const auto& n = lbm_case.grid.cells;
    refuse(lbm_case, key_of(body, ""),
           fmt::format("found outside the box of {} x {} x {} cells, must touch it", n[0], n[1],
                       n[2]));
  }
  for (std::size_t axis = 0; bounds && axis < 3; ++axis) {
    if (bounds->high[axis] > bounds->low[axis]) continue;
    refuse(lbm_case, key_of(body, ""),
           fmt::format("found no extent along {}, must be larger: check its size, scale and units",
                       "xyz"[axis]));
  }
}

// Speed of the surface as far as the bounds tell: that of the corner farthest from the centre.
void check_motion(const Case& lbm_case, const Body& body, const Derived& derived,
                  const Units& units) {
  if (!body.solid && (body.velocity || body.angular_velocity)) {
    refuse(lbm_case, key_of(body, body.velocity ? "velocity" : "angular_velocity"),
           "conflicts with solid: false, a part without a surface of its own: set it for the "
           "combination");
  }
  if (!body.velocity_factor.empty() && !body.velocity && !body.angular_velocity) {
    refuse(lbm_case, key_of(body, "velocity_factor"),
           "missing: velocity or angular_velocity, which this factor multiplies");
  }
  const double factor =
      largest_factor(lbm_case, derived, "bodies." + body.name, body.velocity_factor);
  if (body.velocity) {
    const Vec3 u = to_lattice_velocity(units, *body.velocity);
    check_speed(lbm_case, key_of(body, "velocity"), factor * std::hypot(u[0], u[1], u[2]), derived);
  }
  const auto extent = smallest_extent(body, units);
  if (!body.angular_velocity || !extent) return;
  const Vec3 w = to_lattice_angular_velocity(units, *body.angular_velocity);
  check_speed(lbm_case, key_of(body, "angular_velocity"),
              factor * std::hypot(w[0], w[1], w[2]) * *extent / 2, derived);
}

}  // namespace

void check_bodies(const Case& lbm_case) {
  std::set<std::string> names;
  const BodyIndex index(lbm_case);
  for (std::size_t i = 0; i < lbm_case.bodies.size(); ++i) {
    const Body& body = lbm_case.bodies[i];
    if (!is_new_name(body.name, names)) {
      missing(lbm_case, fmt::format("found a body named \"{}\", must be another name, of {}",
                                    one_line(body.name, 64), item_name_rule));
    }
    if (!body.shape)
      refuse(lbm_case, key_of(body, "shape"), "missing: every body requires a shape");
    check_keys_of_kind(lbm_case, key_of(body, ""), i, "shape",
                       {"center", "size", "radius", "radii", "from", "to", "axis", "points",
                        "normal", "file", "of"},
                       shape_keys(*body.shape));
    check_surface_keys(lbm_case, body);
    check_voxel_keys(lbm_case, body);
    check_voxel_changes(lbm_case, body);
    check_shape_values(lbm_case, body);
    check_direction(lbm_case, body);
    check_polygon(lbm_case, body);
    check_parts(lbm_case, index, body);
  }
  Nesting nesting(lbm_case, index);
  for (const Body& body : lbm_case.bodies) nesting.levels(body);
}

void check_body_values(const Case& lbm_case, const Derived& derived, const Units& units) {
  BodyBounds bounds(lbm_case, units);
  for (const Body& body : lbm_case.bodies) {
    const bool of_file = is_surface(*body.shape) || body.shape == BodyShape::voxels;
    const bool of_planes =
        body.shape == BodyShape::voxels && io::names_plane_files(path_of(lbm_case, body.file));
    if (of_file && !of_planes) check_file(lbm_case, key_of(body, "file"), body.file);
    check_thickness(lbm_case, body, units);
    check_voxel_place(lbm_case, body, units);
    if (body.solid) check_place(lbm_case, body, units, bounds);
    check_motion(lbm_case, body, derived, units);
  }
}

}  // namespace lbm::cases::validation
