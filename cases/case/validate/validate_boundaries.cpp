// SPDX-License-Identifier: Apache-2.0

// Faces, patches and sponges: pairs of faces, regions, speeds, strength of sponges, balance of
// mass.
#include <algorithm>
#include <cmath>

#include "cases/case/case_location.hpp"
#include "cases/case/model/boundary_conditions.hpp"
#include "cases/case/model/case_formulas.hpp"
#include "cases/case/scalars.hpp"
#include "cases/case/schema/keys.hpp"
#include "cases/case/tables/tables.hpp"
#include "cases/case/validate/validate_parts.hpp"
#include "solver/lattice/lattice.hpp"

namespace lbm::cases::validation {
namespace {

// Each face and each patch is a condition of the lattice; factors of bodies count with them.
void check_count(const Case& lbm_case) {
  const auto factors = static_cast<std::size_t>(
      std::count_if(lbm_case.bodies.begin(), lbm_case.bodies.end(),
                    [](const Body& body) { return !body.velocity_factor.empty(); }));
  const std::size_t conditions = conditions_of(lbm_case).size() + factors;
  if (conditions <= max_boundary_conditions) return;
  missing(
      lbm_case,
      fmt::format("found {} faces, patches and bodies with velocity_factor, must be at most {}: "
                  "take larger patches, or bodies on the face",
                  conditions, max_boundary_conditions));
}

void check_axis(const Case& lbm_case, std::size_t axis) {
  const BoundaryKind low = lbm_case.faces[2 * axis].type, high = lbm_case.faces[2 * axis + 1].type;
  if ((low == BoundaryKind::periodic) == (high == BoundaryKind::periodic)) return;
  const std::size_t periodic = low == BoundaryKind::periodic ? 0 : 1;
  const std::string key = face_key(2 * axis + periodic);
  const bool long_form = lbm_case.lines.contains(key + ".type");  // this one has a line then
  refuse(lbm_case, long_form ? key + ".type" : key,
         fmt::format("periodic conflicts with {}, which is a {}: both faces of an axis must be "
                     "periodic, or neither",
                     face_names()[2 * axis + 1 - periodic], to_string(periodic == 0 ? high : low)));
}

// Refuses an interval along the transverse axis a (0 or 1) of a face that is not on it. In cells.
void check_on_face(const Case& lbm_case, const std::string& key, std::size_t face, std::size_t a,
                   double low, double high) {
  const std::size_t axis = transverse(face)[a];
  const double end = lbm_case.grid.cells[axis];
  if (low >= -rounding * end && high <= (1 + rounding) * end) return;
  refuse(lbm_case, key,
         fmt::format("found {:.6g} to {:.6g} cells along {}, must lie on the face, from 0 to {}",
                     low, high, "xyz"[axis], end));
}

// Away from the face a table would be constant.
void check_table(const Case& lbm_case, const PlacedCondition& at, const Units& units) {
  const VelocityTable table(path_of(lbm_case, at.condition.file));
  const auto axes = transverse(at.face);
  for (std::size_t i = 0; i < 2; ++i) {
    const auto [first, last] = table.range(i);
    const double end = lbm_case.grid.cells[axes[i]] * units.length;
    if (last >= -rounding * end && first <= (1 + rounding) * end) continue;
    refuse(lbm_case, at.key + ".file",
           fmt::format("found coordinates from {:.6g} to {:.6g} along {} in {}, must meet the "
                       "face, from 0 to {:.6g}: are they in units of the case?",
                       first, last, "xyz"[axes[i]], one_line(at.condition.file, 100), end));
  }
}

void check_condition(const Case& lbm_case, const PlacedCondition& at, const Derived& derived,
                     const Units& units) {
  const auto& [condition, face, key, patch] = at;
  for (std::size_t i = 0; patch && i < 2; ++i) {
    const double low = patch->box ? (*patch->box)[2 * i] : (*patch->center)[i] - *patch->radius;
    const double high =
        patch->box ? (*patch->box)[2 * i + 1] : (*patch->center)[i] + *patch->radius;
    check_on_face(lbm_case, key + (patch->box ? ".box" : ".center"), face, i, to_cells(units, low),
                  to_cells(units, high));
  }
  for (std::size_t i = 0; condition.profile_center && i < 2; ++i) {
    const double center = to_cells(units, (*condition.profile_center)[i]);
    check_on_face(lbm_case, key + ".profile_center", face, i, center, center);
  }
  if (!condition.file.empty()) check_file(lbm_case, key + ".file", condition.file);
  const GivenSpeed given = given_speed(lbm_case, derived, at);
  check_speed(lbm_case, given.key, given.speed, derived);
  if (!condition.file.empty()) check_table(lbm_case, at, units);
  if (condition.period) check_period(lbm_case, key + ".period", *condition.period, units);
  if (condition.pressure) check_pressure(lbm_case, key + ".pressure", *condition.pressure, units);
  if (!condition.pressure_formula.empty()) {
    (void)FaceFormulas(lbm_case, derived, static_cast<int>(face), key + ".pressure",
                       condition.pressure_formula)
        .sample();
  }
}

// Layers hold whole cells, and no cell belongs to those of both ends.
void check_room(const Case& lbm_case, double thickness, const Units& units) {
  const std::vector<int>& faces = lbm_case.sponge.faces;
  for (const int face : faces) {
    const int cells = lbm_case.grid.cells[static_cast<std::size_t>(face) / 2];
    const bool both = std::find(faces.begin(), faces.end(), face ^ 1) != faces.end();
    const int most = both ? cells / 2 : cells;
    if (std::ceil(thickness) <= most) continue;
    refuse(lbm_case, "sponge.thickness",
           fmt::format("found {:.6g} ({:.6g} cells), must be at most {:.6g}, {} the box along {}: "
                       "lower it or leave out {}",
                       thickness * units.length, thickness, most * units.length,
                       both ? "half of" : "all of", "xyz"[face / 2],
                       face_names()[static_cast<std::size_t>(face)]));
  }
}

// Rounded down, so that the value shown is itself allowed.
void check_strength(const Case& lbm_case, double thickness, const Units& units) {
  const double strength = lbm_case.sponge.strength.value_or(SpongeKeys::default_strength);
  if (sponge_share(strength, thickness) <= most_sponge_share) return;
  const double most = std::floor(100 * most_sponge_share / sponge_share(1, thickness)) / 100;
  const double least = std::ceil(sponge_share(strength, 1) / most_sponge_share) * units.length;
  refuse(lbm_case, "sponge.strength",
         fmt::format("found {:.6g}, must be at most {:.6g} for a thickness of {:.6g} cells: lower "
                     "it, or raise sponge.thickness to {:.6g}",
                     strength, most, thickness, least));
}

void check_sponge(const Case& lbm_case, const Derived& derived, const Units& units) {
  const SpongeKeys& sponge = lbm_case.sponge;
  if (sponge.faces.empty()) return;
  const double thickness = to_cells(units, *sponge.thickness);
  check_room(lbm_case, thickness, units);
  check_strength(lbm_case, thickness, units);
  const Vec3 u = to_lattice_velocity(units, *sponge.velocity);
  check_speed(lbm_case, "sponge.velocity", std::hypot(u[0], u[1], u[2]), derived);
  check_pressure(lbm_case, "sponge.pressure", sponge.pressure.value_or(0), units);
}

// Mass balance: an inflow requires an outflow. Where uniform flows cross whole faces they must be
// equal, in cells^2 x velocity of the case.
void check_balance(const Case& lbm_case) {
  double in = 0, out = 0;
  bool simple = true;
  std::string key;  // of the first inlet or outlet
  for (const auto& [condition, face, path, patch] : conditions_of(lbm_case)) {
    const auto profile = condition.profile.value_or(InletProfile::uniform);
    const bool unknown = profile == InletProfile::table || condition.velocity_formulas;
    if (fixes_pressure(condition.type) || unknown) return;
    simple = simple && !patch && profile == InletProfile::uniform;
    if (condition.type != BoundaryKind::velocity) continue;
    const auto axes = transverse(face);
    const double area = static_cast<double>(lbm_case.grid.cells[axes[0]]) *
                        static_cast<double>(lbm_case.grid.cells[axes[1]]);
    const double inward = condition.velocity[face / 2] * (face % 2 == 0 ? 1 : -1);
    if (inward != 0 && key.empty()) key = path + ".velocity";
    (inward > 0 ? in : out) += std::abs(inward) * area;
  }
  if (key.empty()) return;
  const char* remedy = "make a face or patch of type outflow or pressure";
  if (in == 0 || out == 0) {
    refuse(lbm_case, key,
           fmt::format("missing: {}: {}",
                       out == 0 ? "an outlet for this inlet" : "an inlet for this outlet", remedy));
  }
  if (simple && std::abs(in - out) > rounding * in) {
    refuse(lbm_case, key,
           fmt::format("found velocities on all openings that let {:.6g} in and {:.6g} out "
                       "(velocity x cells), must be equal: {}",
                       in, out, remedy));
  }
}

}  // namespace

std::string face_key(std::size_t face) { return "boundaries." + face_names()[face]; }

std::vector<PlacedCondition> conditions_of(const Case& lbm_case) {
  std::vector<PlacedCondition> all;
  for (std::size_t face = 0; face < lbm_case.faces.size(); ++face) {
    const Face& whole = lbm_case.faces[face];
    all.push_back({whole, face, face_key(face), nullptr});
    for (const Patch& patch : whole.patches) {
      all.push_back({patch, face, face_key(face) + ".patches." + patch.name, &patch});
    }
  }
  return all;
}

GivenSpeed given_speed(const Case& lbm_case, const Derived& derived, const PlacedCondition& at) {
  const auto& [condition, face, key, patch] = at;
  const double factor = largest_factor(lbm_case, derived, key, condition.velocity_factor);
  if (!condition.file.empty()) {
    const VelocityTable table(path_of(lbm_case, condition.file));
    const Vec3 u = to_lattice_velocity(make_units(lbm_case, derived), table.fastest());
    return {key + ".file", factor * std::hypot(u[0], u[1], u[2])};
  }
  return {key + (factor > 1 ? ".velocity_factor" : ".velocity"),
          factor * fastest_speed(lbm_case, derived, static_cast<int>(face), key, condition)};
}

std::array<std::size_t, 2> transverse(std::size_t face) {
  const std::size_t normal = face / 2;
  return {normal == 0 ? std::size_t{1} : std::size_t{0},
          normal == 2 ? std::size_t{1} : std::size_t{2}};
}

void check_faces(const Case& lbm_case) {
  check_count(lbm_case);
  for (const auto& [condition, face, key, patch] : conditions_of(lbm_case)) {
    const double normal = condition.velocity[face / 2];
    if (condition.type == BoundaryKind::wall && normal != 0) {
      refuse(lbm_case, key + ".velocity",
             fmt::format("found {} for the component normal to the wall (u{}), must be 0", normal,
                         "xyz"[face / 2]));
    }
    const BoundaryKind below = lbm_case.faces[face].type;
    if (patch && (below == BoundaryKind::periodic || below == BoundaryKind::slip)) {
      refuse(lbm_case, key,
             fmt::format("found {} for the face under a patch, must be wall, velocity, pressure, "
                         "outflow or far_field",
                         to_string(below)));
    }
  }
  for (std::size_t axis = 0; axis < 3; ++axis) check_axis(lbm_case, axis);
  for (const int face : lbm_case.sponge.faces) {
    const auto f = static_cast<std::size_t>(face);
    if (lbm_case.faces[f].type != BoundaryKind::periodic) continue;
    refuse(lbm_case, "sponge.faces",
           fmt::format("found a face of type periodic ({}), must be another type: slip or velocity "
                       "for the sides of a stream",
                       face_key(f)));
  }
}

void check_face_values(const Case& lbm_case, const Derived& derived, const Units& units) {
  for (const PlacedCondition& at : conditions_of(lbm_case)) {
    check_condition(lbm_case, at, derived, units);
  }
  check_sponge(lbm_case, derived, units);
  check_balance(lbm_case);
}

// All layers across the flow have the same flow rate, and the force that drives it is constant.
void check_flow_rate_corrections(const Case& lbm_case) {
  if (lbm_case.run.flow_rate_corrections == 0) return;
  const auto need = [&](bool met, const std::string& what) {
    if (!met) refuse(lbm_case, "run.flow_rate_corrections", "needs " + what);
  };
  const Vec3 force = lbm_case.force.acceleration.value_or(Vec3{});
  const auto along = std::find_if(force.begin(), force.end(), [](double f) { return f != 0; });
  need(std::count(force.begin(), force.end(), 0.0) == 2 && !lbm_case.force.amplitude &&
           !lbm_case.force.acceleration_formulas,
       "a constant force.acceleration along one axis");
  const auto axis = static_cast<std::size_t>(along - force.begin());
  need(lbm_case.grid.cells[axis] >= 16, "at least 16 cells along the force");
  need(lbm_case.sponge.faces.empty(), "no sponge");
  for (std::size_t f = 0; f < lbm_case.faces.size(); ++f) {
    const Face& face = lbm_case.faces[f];
    const bool periodic = face.type == BoundaryKind::periodic && !face.pressure_drop;
    need(face.patches.empty() && face.velocity == Vec3{},
         face_key(f) + " without patches, at rest");
    need(periodic || (f / 2 != axis &&
                      (face.type == BoundaryKind::wall || face.type == BoundaryKind::slip)),
         fmt::format("{} to be periodic without a pressure drop{}", face_key(f),
                     f / 2 == axis ? "" : ", a wall or slip"));
  }
  for (const Body& body : lbm_case.bodies) {
    need(!body.velocity && !body.angular_velocity, "bodies." + body.name + " at rest");
  }
}

}  // namespace lbm::cases::validation
