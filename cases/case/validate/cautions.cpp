// SPDX-License-Identifier: Apache-2.0
#include "cases/case/validate/validate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "cases/case/bodies/body_shapes.hpp"
#include "cases/case/model/boundary_conditions.hpp"
#include "cases/case/validate/validate_parts.hpp"
#include "cases/geometry/primitives/primitives.hpp"

namespace lbm::cases {
namespace {

bool is_solid(const Body& body) { return body.solid && !body.resists(); }

bool has_solid_bodies(const Case& lbm_case) {
  return std::any_of(lbm_case.bodies.begin(), lbm_case.bodies.end(), is_solid);
}

// Peak of the laminar channel over its friction velocity at Re_tau 100, where channels become
// turbulent; a turbulent one has less than 25.
constexpr double most_friction_velocities = 50;

BoundaryKind kind(const Case& lbm_case, std::size_t axis, std::size_t side) {
  return lbm_case.faces[2 * axis + side].type;
}

bool is_free(BoundaryKind type) { return type == BoundaryKind::periodic || fixes_pressure(type); }

int walls_across(const Case& lbm_case, std::size_t normal) {
  return static_cast<int>(kind(lbm_case, normal, 0) == BoundaryKind::wall) +
         static_cast<int>(kind(lbm_case, normal, 1) == BoundaryKind::wall);
}

// 0: no walls.
double hydraulic_radius(const Case& lbm_case, const Derived& derived, std::size_t axis) {
  const auto [a, b] = validation::transverse(2 * axis);
  const double width = lbm_case.grid.cells[a], height = lbm_case.grid.cells[b];
  const double perimeter = walls_across(lbm_case, a) * height + walls_across(lbm_case, b) * width;
  if (perimeter > 0) return width * height / perimeter;
  return has_solid_bodies(lbm_case) ? derived.length / 4 : 0;
}

// time: steps in which the acceleration points one way, at its peak.
ForcedSpeed along(const Case& lbm_case, const Derived& derived, std::size_t axis,
                  double acceleration, double time) {
  // A closed axis has no stream, and an inlet its own.
  if (!is_free(kind(lbm_case, axis, 0)) || !is_free(kind(lbm_case, axis, 1))) return {};
  acceleration = std::abs(acceleration);
  ForcedSpeed found{{}, acceleration * time, std::numeric_limits<double>::infinity()};
  for (std::size_t normal = 0; normal < 3; ++normal) {
    if (normal == axis) continue;
    const int walls = walls_across(lbm_case, normal);
    if (walls == 0) continue;
    const double half = lbm_case.grid.cells[normal] / static_cast<double>(walls);  // of a channel
    const double laminar = acceleration * half * half / (2 * derived.viscosity);
    found.linear = std::min(found.linear, laminar);
    found.capped =
        std::min(found.capped, most_friction_velocities * std::sqrt(acceleration * half));
  }
  return found;
}

// An acceleration of all fluid, in lattice units.
struct Drive {
  std::string key;
  Vec3 acceleration;
  double time;  // steps in which it points one way, at its peak
  bool constant = true;
};

std::vector<Drive> drives_of(const Case& lbm_case, const Derived& derived) {
  std::vector<Drive> all;
  const Units units = make_units(lbm_case, derived);
  const auto steps = static_cast<double>(derived.steps);
  const Force& force = lbm_case.force;
  if (force.acceleration) {
    all.push_back(
        {"force.acceleration", to_lattice_acceleration(units, *force.acceleration), steps});
  }
  if (force.amplitude && force.period) {
    // The integral of a cosine over half its crest.
    const double time = to_steps(units, *force.period) / (2 * std::numbers::pi);
    all.push_back({"force.amplitude", to_lattice_acceleration(units, *force.amplitude),
                   std::min(steps, time), false});
  }
  for (std::size_t face = 0; face < lbm_case.faces.size(); ++face) {
    const auto& drop = lbm_case.faces[face].pressure_drop;
    if (!drop) continue;
    Vec3 a{0, 0, 0};  // p = rho / 3
    a[face / 2] = to_density_difference(units, *drop) / 3 / lbm_case.grid.cells[face / 2];
    all.push_back({validation::face_key(face) + ".pressure_drop", a, steps});
  }
  return all;
}

// Friction of a developed flow along an axis: the walls balance the force on the fluid.
struct WallFriction {
  std::string key;              // "force.acceleration"
  double velocity = 0;          // friction velocity: sqrt(wall stress / density), cells per step
  double hydraulic_radius = 0;  // area / perimeter in cells: the half height of a channel
};

// By constant forces and pressure drops. Where only bodies are walls: as in a pipe with the
// reference length as diameter.
std::vector<WallFriction> wall_frictions(const Case& lbm_case, const Derived& derived) {
  std::vector<WallFriction> found;
  for (const auto& [key, a, time, constant] : drives_of(lbm_case, derived)) {
    for (std::size_t axis = 0; constant && axis < 3; ++axis) {
      if (!is_free(kind(lbm_case, axis, 0)) || !is_free(kind(lbm_case, axis, 1))) continue;
      const double radius = hydraulic_radius(lbm_case, derived, axis);
      const double velocity = std::sqrt(std::abs(a[axis]) * radius);
      if (velocity > 0) found.push_back({key, velocity, radius});
    }
  }
  return found;
}

constexpr double turbulent_plate = 5e5;    // Reynolds number of the length
constexpr double turbulent_channel = 100;  // friction Reynolds number of the half height
constexpr double least_cells = 2;          // across a laminar boundary layer
constexpr double many_wall_units = 5;      // a cell: the height of the viscous sublayer
// Blockage of a tunnel by a body: less does not matter, more means a channel or a packing.
constexpr double high_blockage = 0.06, most_blockage = 0.3;
constexpr std::ptrdiff_t few_bodies = 8;  // more are a packing

// Through open faces: in a developed flow between periodic ones no boundary layer grows.
bool has_stream(const Case& lbm_case) {
  return std::any_of(lbm_case.faces.begin(), lbm_case.faces.end(), [](const Face& face) {
    return face.type == BoundaryKind::velocity || fixes_pressure(face.type);
  });
}

void add_target(const Case& lbm_case, const Derived& d, std::vector<Caution>& all) {
  if (!misses_target(lbm_case, d)) return;
  const double target = *lbm_case.fluid.target_reynolds;
  all.push_back(
      {"fluid.target_reynolds", fmt::format("at Re {:.4g}, target {:.4g}", d.reynolds, target),
       fmt::format("the case computes Re {:.4g}, {:.3g} times {} than the target {:.4g}: forces, "
                   "separation and wake are those of Re {:.4g}; a finer grid bears a higher one",
                   d.reynolds, std::max(d.reynolds / target, target / d.reynolds),
                   d.reynolds < target ? "less" : "more", target, d.reynolds)});
}

// Boundary layer of a plate as long as the reference length: laminar (Blasius) 5 L / sqrt(Re)
// thick; turbulent with the friction coefficient 0.0592 Re^(-1/5) (Schlichting, Boundary-Layer
// Theory). There is no wall function.
void add_bodies(const Case& lbm_case, const Derived& d, std::vector<Caution>& all) {
  if (!has_solid_bodies(lbm_case) || !has_stream(lbm_case) || !(d.reynolds > 0)) return;
  const double layer = 5 * d.length / std::sqrt(d.reynolds);
  const double units = d.reynolds / d.length * std::sqrt(0.0592 / 2 * std::pow(d.reynolds, -0.2));
  const bool turbulent = d.reynolds > turbulent_plate;
  if (turbulent ? units <= many_wall_units : layer >= least_cells) return;
  const std::string size =
      turbulent ? fmt::format("a cell is about {:.2g} wall units", units)
                : fmt::format("the boundary layer is about {:.2g} cells thick", layer);
  all.push_back({validation::viscosity_key(lbm_case), "walls not resolved: " + size,
                 fmt::format("at Re {:.4g} {}, {} {}: walls of bodies are not resolved, and forces "
                             "may be far off: use a finer grid or a lower Reynolds number",
                             d.reynolds, size, turbulent ? "above" : "below",
                             turbulent ? many_wall_units : least_cells)});
}

// The friction velocity of a developed flow follows from the force that drives it.
void add_channel(const Case& lbm_case, const Derived& d, std::vector<Caution>& all) {
  for (const WallFriction& wall : wall_frictions(lbm_case, d)) {
    const double units = wall.velocity / d.viscosity;
    const double reynolds = units * wall.hydraulic_radius;
    if (reynolds < turbulent_channel || units <= many_wall_units) continue;
    all.push_back({wall.key, "",
                   fmt::format("the flow that it drives has a friction Reynolds number of about "
                               "{:.3g} and is turbulent; a cell is {:.2g} wall units, above {}: "
                               "turbulence at the walls is not resolved: use a grid {:.2g} times "
                               "finer, or a lower Reynolds number",
                               reynolds, units, many_wall_units, units / many_wall_units)});
  }
}

// The only axis along which a stream goes from one open face to the other.
std::optional<std::size_t> stream_axis(const Case& lbm_case) {
  const auto open = [&](std::size_t face) {
    const BoundaryKind kind = lbm_case.faces[face].type;
    return kind == BoundaryKind::velocity || fixes_pressure(kind);
  };
  std::optional<std::size_t> found;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!open(2 * axis) || !open(2 * axis + 1)) continue;
    if (found) return std::nullopt;  // open sides give way
    found = axis;
  }
  return found;
}

// Share of its bounds that a body fills as seen along an axis; 1 where this is not known.
double filled_share(const Body& body, std::size_t axis) {
  constexpr double ellipse = std::numbers::pi / 4;
  if (body.shape == BodyShape::sphere || body.shape == BodyShape::ellipsoid) return ellipse;
  if (!body.rotate.empty()) return 1;
  const auto [across, other] = validation::transverse(2 * axis);
  if (body.shape == BodyShape::cylinder || body.shape == BodyShape::elliptic_cylinder) {
    const Vec3 &a = *body.from, &b = *body.to;
    return a[across] == b[across] && a[other] == b[other] ? ellipse : 1;
  }
  if (body.shape == BodyShape::polygon && extrusion_axis(body) == static_cast<int>(axis)) {
    geometry::Box box;
    for (const auto& [u, v] : body.points) box.add(geometry::Vec{u, v, 0});
    return geometry::area(body.points) / (box.high[0] - box.low[0]) / (box.high[1] - box.low[1]);
  }
  if (body.shape != BodyShape::torus) return 1;
  const auto& [ring, tube] = *body.radii;
  const double outer = ring + tube;
  const auto zeros = std::count(body.axis->begin(), body.axis->end(), 0);
  if (zeros != 2) return 1;
  if ((*body.axis)[axis] != 0) return std::numbers::pi * ring * tube / (outer * outer);
  return (ring + ellipse * tube) / outer;  // a rectangle between two half discs
}

// In cells^2, inside the box.
double frontal_area(const Case& lbm_case, const Body& body, const Units& units, BodyBounds& bounds,
                    std::size_t axis) {
  const auto box = bounds.of(body);
  if (!box) {
    return body.reference_area.value_or(0) / units.length / units.length;
  }
  double area = filled_share(body, axis);
  for (const std::size_t a : validation::transverse(2 * axis)) {
    const double end = lbm_case.grid.cells[a];
    area *= std::max(0.0, std::min(box->high[a], end) - std::max(box->low[a], 0.0));
  }
  return area;
}

bool between_walls_at_rest(const Case& lbm_case, std::size_t axis) {
  const auto rests = [&](std::size_t face) {
    const Face& one = lbm_case.faces[face];
    return one.type == BoundaryKind::wall && one.velocity == Vec3{0, 0, 0};
  };
  const auto axes = validation::transverse(2 * axis);
  return std::any_of(axes.begin(), axes.end(),
                     [&](std::size_t a) { return rests(2 * a) || rests(2 * a + 1); });
}

// Between walls at rest the channel is a part of the problem, and so are the others of a packing.
void add_blockage(const Case& lbm_case, const Derived& d, std::vector<Caution>& all) {
  const auto share = blockage(lbm_case, d);
  const auto bodies = std::count_if(lbm_case.bodies.begin(), lbm_case.bodies.end(), is_solid);
  if (!share || *share <= high_blockage || *share > most_blockage || bodies > few_bodies) return;
  if (between_walls_at_rest(lbm_case, *stream_axis(lbm_case))) return;
  all.push_back({lbm_case.grid.size ? "grid.size" : "grid.cells", "",
                 fmt::format("a body fills {}: use a wider box, or far_field at its sides",
                             blockage_text(*share))});
}

}  // namespace

std::optional<double> blockage(const Case& lbm_case, const Derived& derived) {
  const auto axis = stream_axis(lbm_case);
  if (!axis || !has_solid_bodies(lbm_case)) return std::nullopt;
  const Units units = make_units(lbm_case, derived);
  BodyBounds bounds(lbm_case, units);
  double filled = 0;
  for (const Body& body : lbm_case.bodies) {
    // Bodies behind each other fill the same part.
    if (is_solid(body))
      filled = std::max(filled, frontal_area(lbm_case, body, units, bounds, *axis));
  }
  double whole = 1;
  for (const std::size_t a : validation::transverse(2 * *axis)) whole *= lbm_case.grid.cells[a];
  if (filled == 0 || filled >= whole) return std::nullopt;
  return filled / whole;
}

std::string blockage_text(double share) {
  std::string text = fmt::format("{:.3g} % of the cross-section", 100 * share);
  if (share <= most_blockage) {
    const double drag = 1 / ((1 - share) * (1 - share));
    text += fmt::format("; drag is some {:.2g} % above that in an open stream", 100 * (drag - 1));
  }
  return text;
}

std::vector<Caution> cautions(const Case& lbm_case, const Derived& derived) {
  std::vector<Caution> all;
  add_target(lbm_case, derived, all);
  add_bodies(lbm_case, derived, all);
  add_channel(lbm_case, derived, all);
  add_blockage(lbm_case, derived, all);
  return all;
}

std::string brief_caution(const Case& lbm_case, const Derived& derived) {
  std::vector<std::string> briefs;
  for (const Caution& one : cautions(lbm_case, derived)) {
    if (!one.brief.empty()) briefs.push_back(one.brief);
  }
  return fmt::format("{}", fmt::join(briefs, "; "));
}

double ForcedSpeed::excess_over(double limit) const {
  return std::min(linear / limit, capped / limit * (capped / limit));
}

std::vector<ForcedSpeed> forced_speeds(const Case& lbm_case, const Derived& derived) {
  std::vector<ForcedSpeed> found;
  for (const auto& [key, a, time, constant] : drives_of(lbm_case, derived)) {
    ForcedSpeed all{key, 0, 0};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (a[axis] == 0) continue;
      const ForcedSpeed one = along(lbm_case, derived, axis, a[axis], time);
      all.linear = std::hypot(all.linear, one.linear);
      all.capped = std::hypot(all.capped, one.capped);
    }
    if (all.speed() > 0) found.push_back(all);
  }
  return found;
}

}  // namespace lbm::cases
