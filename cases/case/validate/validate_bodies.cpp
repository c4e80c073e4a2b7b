// SPDX-License-Identifier: Apache-2.0

// Bodies: keys of shapes, combinations, places and speeds; unusual settings, judged by their
// bounds.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "cases/case/bodies/body_shapes.hpp"
#include "cases/case/case_location.hpp"
#include "cases/case/limits.hpp"
#include "cases/case/model/boundary_conditions.hpp"
#include "cases/case/model/case_formulas.hpp"
#include "cases/case/model/moving_bodies.hpp"
#include "cases/case/scalars.hpp"
#include "cases/case/schema/key_table.hpp"
#include "cases/case/schema/keys.hpp"
#include "cases/case/validate/validate_parts.hpp"
#include "cases/geometry/primitives/primitives.hpp"
#include "cases/geometry/surface/open_shapes.hpp"
#include "io/voxels/voxel_image.hpp"

namespace lbm::cases::validation {
namespace {

std::string key_of(const Body& body, const std::string& name) {
  return "bodies." + body.name + (name.empty() ? "" : "." + name);
}

void check_image(const Case& lbm_case, const Body& body) {
  if (body.coarsen.value_or(1) > 1 && body.refine.value_or(1) > 1) {
    refuse(lbm_case, key_of(body, "refine"), "conflicts with coarsen: remove one");
  }
  for (std::size_t a = 0; body.crop_from && body.crop_to && a < 3; ++a) {
    if ((*body.crop_from)[a] < (*body.crop_to)[a]) continue;
    refuse(lbm_case, key_of(body, "crop_to"),
           fmt::format("found {} along {}, must be more than crop_from, {}", (*body.crop_to)[a],
                       "xyz"[a], (*body.crop_from)[a]));
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
  const double least = least_thickness(velocity_set(lbm_case.lattice));
  if (!body.thickness || to_cells(units, *body.thickness) >= least) return;
  refuse(
      lbm_case, key_of(body, "thickness"),
      fmt::format("found {:.6g}, which is {:.4g} cells, must be {:.9g} or more ({} cells): fluid "
                  "would pass through a thinner wall",
                  *body.thickness, to_cells(units, *body.thickness), least * units.length, least));
}

void check_shape_values(const Case& lbm_case, const Body& body) {
  if (body.from && body.from == body.to) {
    refuse(lbm_case, key_of(body, "to"), "found the same point as from, must be another");
  }
  if (body.shape == BodyShape::torus && (*body.radii)[1] >= (*body.radii)[0]) {
    refuse(lbm_case, key_of(body, "radii"),
           fmt::format("found a tube of radius {} around a ring of radius {}, must be thinner: "
                       "give the ring first",
                       (*body.radii)[1], (*body.radii)[0]));
  }
}

void check_polygon(const Case& lbm_case, const Body& body) {
  if (body.shape != BodyShape::polygon) return;
  if (std::count(body.axis->begin(), body.axis->end(), 0) != 2) {
    refuse(lbm_case, key_of(body, "axis"),
           "found an oblique axis, must be x, y or z: turn the polygon by rotate");
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
  if (body.shape != BodyShape::elliptic_cylinder) return;
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
  if (body.of.empty()) return;
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

// Levels of combinations in a body: 0 for a primitive. Refuses circular combinations, and those
// nested too deep to be followed. path: bodies above this one. known: levels found before.
int levels_of(const Case& lbm_case, const BodyIndex& index, const Body& body,
              std::vector<const Body*> path, std::map<const Body*, int>& known) {
  if (const auto found = known.find(&body); found != known.end()) return found->second;
  const bool too_deep = path.size() > max_body_levels;
  path.push_back(&body);
  int below = 0;
  for (std::size_t i = 0; !too_deep && i < body.of.size(); ++i) {
    const Body* const part = index.find(body.of[i]);
    if (std::find(path.begin(), path.end(), part) != path.end()) {
      refuse(lbm_case, key_of(body, "of"),
             fmt::format("found {}, which has {} as a part itself; must not be circular",
                         body.of[i], body.name));
    }
    below = std::max(below, 1 + levels_of(lbm_case, index, *part, path, known));
  }
  if (too_deep || below > max_body_levels) {
    refuse(lbm_case, key_of(body, "of"),
           fmt::format("found combinations nested more than {} levels deep, must be fewer: combine "
                       "more bodies in one list",
                       max_body_levels));
  }
  return known[&body] = below;
}

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

// Rule of thumb, in cells, for the flow between a body and a face.
constexpr double narrow_gap = 4;

class BodyWarnings {
 public:
  BodyWarnings(const Case& lbm_case, const Derived& derived, const Units& units)
      : case_(lbm_case), tau_(derived.tau), units_(units), bounds_(lbm_case, units) {}

  std::vector<std::string> all() {
    for (const Body& body : case_.bodies) {
      for (const std::string& part : body.of) used_.insert(part);
    }
    for (const Body& body : case_.bodies) {
      use(body);
      size(body);
      if (body.solid) {
        gaps(body);
        span(body);
        mass(body);
        multireflection(body);
      }
    }
    return std::move(lines_);
  }

 private:
  void add(const Body& body, const std::string& key, const std::string& what) {
    lines_.push_back(where(case_, "bodies." + body.name + key) + ": " + what);
  }

  void use(const Body& body) {
    if (body.solid && used_.contains(body.name)) {
      add(body, ".solid", "a part of another body, and solid itself, too: should it be false?");
    }
    if (!body.solid && !used_.contains(body.name)) {
      add(body, ".solid", "not solid, and no part of another body either: it has no effect");
    }
  }

  // The smallest extent, but for axes along which the body goes through the whole box.
  std::optional<double> extent_inside(Body body) {
    const auto bounds = bounds_.of(body);
    constexpr double endless = std::numeric_limits<double>::max() / 4;
    for (std::size_t axis = 0; axis < 3 && bounds && body.rotate.empty(); ++axis) {
      const bool through =
          bounds->low[axis] <= touching && bounds->high[axis] >= case_.grid.cells[axis] - touching;
      if (!through) continue;
      if (body.size) (*body.size)[axis] = endless;
      if (body.to && (*body.to)[axis] != (*body.from)[axis]) (*body.to)[axis] = endless;
    }
    if (body.shape == BodyShape::polygon && bounds) {
      // Also where it is turned about its axis.
      const auto axis = static_cast<std::size_t>(extrusion_axis(body));
      if (bounds->low[axis] <= touching && bounds->high[axis] >= case_.grid.cells[axis] - touching)
        body.span.reset();
    }
    const auto extent = smallest_extent(body, units_);
    return extent < endless ? extent : std::nullopt;
  }

  void size(const Body& body) {
    const auto extent = extent_inside(body);
    if (!extent || *extent >= few_cells_of_shape * (1 - 1e-9) || body.resists()) return;
    // With a margin for rounding: a plate along an axis is tight from one cell on.
    auto tight = tight_thickness(body, velocity_set(case_.lattice));
    const bool moves = moves_in_whole(case_, body);
    if (moves) tight = least_moving_thickness;
    add(body, "",
        fmt::format(
            "its smallest extent is {:.3g} cells, below {}: its shape is not resolved{}", *extent,
            few_cells_of_shape,
            tight && *extent < *tight - 1e-6
                ? fmt::format(", and fluid may pass through it: make it {:.3g} cells or more",
                              std::ceil(100 * *tight) / 100)
            : tight && !moves ? ", but no fluid passes through it"
                              : ""));
  }

  // A body that crosses a face has no gap there. Walls begin at an inlet, round bodies do not.
  void gaps(const Body& body) {
    const auto bounds = bounds_.of(body);
    if (!bounds) return;
    for (std::size_t face = 0; face < case_.faces.size(); ++face) {
      const std::size_t axis = face / 2;
      const double gap =
          face % 2 == 0 ? bounds->low[axis] : case_.grid.cells[axis] - bounds->high[axis];
      const BoundaryKind type = case_.faces[face].type;
      const bool open = type == BoundaryKind::velocity || fixes_pressure(type);
      const ClosedForm* const form = closed_form(body);
      const bool meets = gap <= touching && !(open && form != nullptr && form->is_round);
      if (type == BoundaryKind::periodic || gap >= narrow_gap || meets) continue;
      add(body, "",
          fmt::format("{:.3g} cells from {}, fewer than {}: {}", std::max(gap, 0.0), face_key(face),
                      narrow_gap,
                      open ? "the condition there is disturbed" : "the gap is not resolved"));
    }
  }

  // Coefficients of a profile: a body that goes through the whole box along a periodic axis, and is
  // no part of a channel's walls.
  void span(const Body& body) {
    const auto bounds = bounds_.of(body);
    if (body.reference_area || !bounds) return;
    std::optional<std::size_t> through;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const bool first = bounds->low[axis] <= touching;
      const bool last = bounds->high[axis] >= case_.grid.cells[axis] - touching;
      const bool periodic = case_.faces[2 * axis].type == BoundaryKind::periodic;
      if (!periodic && (first || last)) return;
      if (first && last) through = axis;
    }
    const bool stream = std::any_of(case_.faces.begin(), case_.faces.end(), [](const Face& face) {
      return face.type == BoundaryKind::velocity || face.type == BoundaryKind::pressure ||
             face.type == BoundaryKind::far_field;
    });
    if (!through || !stream) return;
    add(body, ".reference_area",
        fmt::format("it is not given, so coefficients are over the square of the reference length, "
                    "but the body goes through the box along {}: give {} x span",
                    "xyz"[*through], body.shape == BodyShape::polygon ? "chord" : "diameter"));
  }

  void mass(const Body& body) {
    if (is_open(case_) || !body.walls || *body.walls == BodyWalls::conserving ||
        *body.walls == BodyWalls::staircase) {
      return;
    }
    add(body, ".walls",
        fmt::format(
            "no face fixes the pressure, and walls: {} lets mass in or out bit by bit: take "
            "walls: conserving if the run is long",
            enum_names(BodyWalls{})[static_cast<std::size_t>(*body.walls)]));
  }

  // docs/method.md, multireflection: what it says about the models.
  void multireflection(const Body& body) {
    if (body.walls != BodyWalls::multireflection) return;
    if (tau_ < low_tau && !is_regularised(case_.lattice.collision)) {
      add(body, ".walls",
          fmt::format(
              "multireflection may be unstable with this lattice.collision at tau = {:.4g}, "
              "below {}: take lattice.collision: regularised, or walls: interpolated",
              tau_, low_tau));
    }
  }

  static constexpr double touching = 1e-6;
  static constexpr double low_tau = 0.55;
  const Case& case_;
  const double tau_;
  const Units& units_;
  BodyBounds bounds_;
  std::set<std::string> used_;
  std::vector<std::string> lines_;
};

}  // namespace

void check_bodies(const Case& lbm_case) {
  const BodyIndex index(lbm_case);
  for (const Body& body : lbm_case.bodies) {
    check_image(lbm_case, body);
    check_shape_values(lbm_case, body);
    check_direction(lbm_case, body);
    check_polygon(lbm_case, body);
    check_parts(lbm_case, index, body);
  }
  std::map<const Body*, int> known;
  for (const Body& body : lbm_case.bodies) levels_of(lbm_case, index, body, {}, known);
}

void check_body_values(const Case& lbm_case, const Derived& derived, const Units& units) {
  BodyBounds bounds(lbm_case, units);
  for (const Body& body : lbm_case.bodies) {
    const bool of_planes =
        body.shape == BodyShape::voxels && io::names_plane_files(path_of(lbm_case, body.file));
    if (!body.file.empty() && !of_planes) check_file(lbm_case, key_of(body, "file"), body.file);
    check_thickness(lbm_case, body, units);
    check_voxel_place(lbm_case, body, units);
    if (body.solid) check_place(lbm_case, body, units, bounds);
    check_motion(lbm_case, body, derived, units);
    check_motion_keys(lbm_case, body);
  }
}

std::vector<std::string> body_warnings(const Case& lbm_case, const Derived& derived,
                                       const Units& units) {
  return BodyWarnings(lbm_case, derived, units).all();
}

}  // namespace lbm::cases::validation
