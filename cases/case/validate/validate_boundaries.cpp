// SPDX-License-Identifier: Apache-2.0

// Faces and patches: keys of boundary types, regions, speeds and pairs of faces.
#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

#include "cases/case/case_files.hpp"
#include "cases/case/model/boundary_conditions.hpp"
#include "cases/case/model/place_formulas.hpp"
#include "cases/case/scalars.hpp"
#include "cases/case/schema/keys.hpp"
#include "cases/case/tables/velocity_table.hpp"
#include "cases/case/validate/validate_parts.hpp"

namespace lbm::cases::validation {
namespace {

bool is_zero(const Vec3& v) { return v == Vec3{0, 0, 0}; }

// A key that only some types of boundary conditions accept.
struct TypedKey {
  const char* name;
  bool given;
  std::vector<BoundaryKind> types;
  const char* as = "";  // "by formulas ": only in this form
};

std::vector<TypedKey> typed_keys(const FaceCondition& condition) {
  const std::vector<BoundaryKind> inlet{BoundaryKind::velocity};
  const std::vector<BoundaryKind> moving{BoundaryKind::wall, BoundaryKind::velocity,
                                         BoundaryKind::far_field};
  return {{"velocity", !is_zero(condition.velocity), moving},
          {"velocity", condition.velocity_formulas.has_value(), inlet, "by formulas "},
          {"velocity_factor", !condition.velocity_factor.empty(), moving},
          {"period", condition.period.has_value(), {BoundaryKind::wall}},
          {"pressure",
           condition.pressure.has_value(),
           {BoundaryKind::pressure, BoundaryKind::outflow, BoundaryKind::far_field}},
          {"pressure",
           !condition.pressure_formula.empty(),
           {BoundaryKind::pressure, BoundaryKind::outflow},
           "by formulas "},
          {"profile", condition.profile.has_value(), inlet},
          {"profile_center", condition.profile_center.has_value(), inlet},
          {"profile_radius", condition.profile_radius.has_value(), inlet},
          {"file", !condition.file.empty(), inlet},
          {"ramp_time",
           condition.ramp_time.has_value(),
           {BoundaryKind::velocity, BoundaryKind::far_field}},
          {"turbulence.intensity", condition.turbulence.intensity.has_value(), inlet},
          {"turbulence.length", condition.turbulence.length.has_value(), inlet},
          {"turbulence.seed", condition.turbulence.seed.has_value(), inlet}};
}

void check_types(const Case& lbm_case, const std::string& key, const FaceCondition& condition) {
  for (const TypedKey& typed : typed_keys(condition)) {
    const auto& types = typed.types;
    if (!typed.given || std::find(types.begin(), types.end(), condition.type) != types.end())
      continue;
    std::vector<std::string> words;
    words.reserve(types.size());
    for (const BoundaryKind type : types) words.emplace_back(to_string(type));
    refuse(lbm_case, key + "." + typed.name,
           fmt::format("{}conflicts with type: {}, requires type: {}: change the type or remove it",
                       typed.as, to_string(condition.type), fmt::join(words, " or ")));
  }
}

void check_pair(const Case& lbm_case, const std::string& key, const char* first, bool has_first,
                const char* second, bool has_second) {
  if (has_first == has_second) return;
  refuse(lbm_case, key + "." + (has_first ? first : second),
         fmt::format("missing: {} (give both or neither)", has_first ? second : first));
}

// circle: of a round patch, which gives the circle of a pipe's profile.
void check_inlet(const Case& lbm_case, const std::string& key, const FaceCondition& condition,
                 bool circle) {
  const auto profile = condition.profile.value_or(InletProfile::uniform);
  const auto only_with = [&](const char* name, bool given, InletProfile wanted, const char* word) {
    if (given == (profile == wanted)) return;
    if (circle && wanted == InletProfile::pipe && !given) return;
    refuse(lbm_case, key + "." + name,
           given ? fmt::format("missing: profile: {} (add it or remove this key)", word)
                 : fmt::format("missing: profile: {} requires it", word));
  };
  only_with("profile_center", condition.profile_center.has_value(), InletProfile::pipe, "pipe");
  only_with("profile_radius", condition.profile_radius.has_value(), InletProfile::pipe, "pipe");
  if (circle && profile == InletProfile::duct) {
    refuse(lbm_case, key + ".profile",
           "found duct for a round patch, must be uniform, pipe or table: take pipe, or give the "
           "patch a box");
  }
  only_with("file", !condition.file.empty(), InletProfile::table, "table");
  if (condition.velocity_formulas && condition.profile) {
    refuse(lbm_case, key + ".profile",
           "conflicts with velocity by formulas, which give the profile: remove one");
  }
  if (profile == InletProfile::table && !is_zero(condition.velocity)) {
    refuse(lbm_case, key + ".velocity",
           "conflicts with profile: table, whose file has the velocity: remove one");
  }
  const Turbulence& turbulence = condition.turbulence;
  check_pair(lbm_case, key, "turbulence.intensity", turbulence.intensity.has_value(),
             "turbulence.length", turbulence.length.has_value());
  if (turbulence.seed && !turbulence.intensity) {
    refuse(lbm_case, key + ".turbulence.seed",
           "missing: turbulence.intensity (add it or remove this key)");
  }
}

void check_rule(const Case& lbm_case, std::size_t face, const std::string& key,
                const FaceCondition& condition, bool circle = false) {
  check_types(lbm_case, key, condition);
  const double normal = condition.velocity[face / 2];
  if (condition.type == BoundaryKind::wall && normal != 0) {
    refuse(lbm_case, key + ".velocity",
           fmt::format("found {} for the component normal to the wall (u{}), must be 0", normal,
                       "xyz"[face / 2]));
  }
  const bool moves = !is_zero(condition.velocity) || condition.velocity_formulas;
  if (condition.period && !moves) {
    refuse(lbm_case, key + ".period", "missing: velocity, which oscillates with this period");
  }
  if (!condition.velocity_factor.empty()) {
    if (!moves && condition.file.empty()) {
      refuse(lbm_case, key + ".velocity_factor", "missing: velocity, which this factor multiplies");
    }
    for (const auto& [name, given] : {std::pair{"period", condition.period.has_value()},
                                      std::pair{"ramp_time", condition.ramp_time.has_value()}}) {
      if (!given) continue;
      refuse(lbm_case, key + "." + name, "conflicts with velocity_factor: remove one");
    }
  }
  if (condition.type == BoundaryKind::velocity) check_inlet(lbm_case, key, condition, circle);
}

void check_patch(const Case& lbm_case, std::size_t face, const Patch& patch) {
  const std::string key = patch_key(face, patch);
  for (const BoundaryKind type : {patch.type, lbm_case.faces[face].type}) {
    if (type != BoundaryKind::periodic && type != BoundaryKind::slip) continue;
    refuse(lbm_case, type == patch.type ? key + ".type" : key,
           fmt::format("found {} {}, must be wall, velocity, pressure, outflow or far_field",
                       to_string(type),
                       type == patch.type ? "for a patch" : "for the face under a patch"));
  }
  check_pair(lbm_case, key, "center", patch.center.has_value(), "radius", patch.radius.has_value());
  if (patch.box.has_value() == patch.center.has_value()) {
    refuse(lbm_case, key,
           patch.box ? "box conflicts with center and radius: remove one"
                     : "missing: box, or center and radius: the region of the patch");
  }
  if (patch.box && !((*patch.box)[0] < (*patch.box)[1] && (*patch.box)[2] < (*patch.box)[3])) {
    const auto& b = *patch.box;
    refuse(lbm_case, key + ".box",
           fmt::format("found [{}, {}, {}, {}], must be [a0, a1, b0, b1] with a0 < a1 and b0 < b1",
                       b[0], b[1], b[2], b[3]));
  }
  check_rule(lbm_case, face, key, patch, patch.center.has_value());
}

// Each face and each patch is a condition of the lattice; factors of bodies count with them.
void check_patch_count(const Case& lbm_case) {
  const auto factors = static_cast<std::size_t>(
      std::count_if(lbm_case.bodies.begin(), lbm_case.bodies.end(),
                    [](const Body& body) { return !body.velocity_factor.empty(); }));
  const std::size_t all = max_boundary_conditions - lbm_case.faces.size();
  if (factors > all) {
    missing(lbm_case,
            fmt::format("found {} bodies with velocity_factor, must be at most {}", factors, all));
  }
  const std::size_t most = all - factors;
  std::size_t patches = 0;
  for (std::size_t face = 0; face < lbm_case.faces.size(); ++face) {
    patches += lbm_case.faces[face].patches.size();
    if (patches <= most) continue;
    refuse(lbm_case, face_key(face) + ".patches",
           fmt::format("found {} patches on the faces up to this one, must be at most {} in all: "
                       "take larger patches, or bodies on the face",
                       patches, most));
  }
}

void check_patch_names(const Case& lbm_case, std::size_t face) {
  std::set<std::string> names;
  for (const Patch& patch : lbm_case.faces[face].patches) {
    if (is_new_name(patch.name, names)) continue;
    refuse(lbm_case, face_key(face) + ".patches",
           fmt::format("found a patch named \"{}\", must be another name, of {}",
                       one_line(patch.name, 64), item_name_rule));
  }
}

void check_axis(const Case& lbm_case, std::size_t axis) {
  const Face& low = lbm_case.faces[2 * axis];
  const Face& high = lbm_case.faces[2 * axis + 1];
  for (std::size_t face = 2 * axis; face < 2 * axis + 2; ++face) {
    const BoundaryKind type = lbm_case.faces[face].type;
    if (!lbm_case.faces[face].pressure_drop || type == BoundaryKind::periodic) continue;
    refuse(lbm_case, face_key(face) + ".pressure_drop",
           fmt::format("conflicts with type: {}, requires type: periodic; give other faces type: "
                       "pressure instead",
                       to_string(type)));
  }
  if (low.pressure_drop && high.pressure_drop) {
    refuse(lbm_case, face_key(2 * axis + 1) + ".pressure_drop",
           fmt::format("conflicts with pressure_drop on {}: give it on one of the two faces",
                       face_names()[2 * axis]));
  }
  if ((low.type == BoundaryKind::periodic) == (high.type == BoundaryKind::periodic)) return;
  const std::size_t periodic = low.type == BoundaryKind::periodic ? 0 : 1;
  const BoundaryKind other = periodic == 0 ? high.type : low.type;
  const std::string key = face_key(2 * axis + periodic);
  const bool long_form = lbm_case.lines.contains(key + ".type");  // this one has a line then
  refuse(lbm_case, long_form ? key + ".type" : key,
         fmt::format("periodic conflicts with {}, which is a {}: both faces of an axis must be "
                     "periodic, or neither",
                     face_names()[2 * axis + 1 - periodic], to_string(other)));
}

// Extent of the region in cells: a0, a1, b0, b1.
std::array<double, 4> region_of(const Patch& patch, const Units& units) {
  std::array<double, 4> region{};
  for (std::size_t i = 0; i < 4; ++i) {
    const double sign = i % 2 == 0 ? -1 : 1;
    region[i] = to_cells(
        units, patch.box ? (*patch.box)[i] : (*patch.center)[i / 2] + sign * *patch.radius);
  }
  return region;
}

void check_region(const Case& lbm_case, std::size_t face, const Patch& patch, const Units& units) {
  const auto region = region_of(patch, units);
  const auto axes = transverse(face);
  for (std::size_t i = 0; i < 2; ++i) {
    const double end = lbm_case.grid.cells[axes[i]];
    if (region[2 * i] >= -rounding * end && region[2 * i + 1] <= (1 + rounding) * end) continue;
    refuse(lbm_case, patch_key(face, patch) + (patch.box ? ".box" : ".center"),
           fmt::format("found a region from {:.6g} to {:.6g} cells along {}, must lie on the face, "
                       "from 0 to {}",
                       region[2 * i], region[2 * i + 1], "xyz"[axes[i]], end));
  }
}

// The table is judged as a constant velocity is; away from the face it would be constant, too.
void check_table(const Case& lbm_case, std::size_t face, const std::string& key,
                 const FaceCondition& condition, const Derived& derived, const Units& units,
                 double factor) {
  check_file(lbm_case, key, condition.file);
  const VelocityTable table(path_of(lbm_case, condition.file));
  const Vec3 u = to_lattice_velocity(units, table.fastest());
  check_speed(lbm_case, key, factor * std::hypot(u[0], u[1], u[2]), derived);
  const auto axes = transverse(face);
  for (std::size_t i = 0; i < 2; ++i) {
    const auto [first, last] = table.range(i);
    const double end = lbm_case.grid.cells[axes[i]] * units.length;
    if (last >= -rounding * end && first <= (1 + rounding) * end) continue;
    refuse(
        lbm_case, key,
        fmt::format("found coordinates from {:.6g} to {:.6g} along {} in {}, must meet the face, "
                    "from 0 to {:.6g}: are they in units of the case?",
                    first, last, "xyz"[axes[i]], one_line(condition.file, 100), end));
  }
}

void check_rule_values(const Case& lbm_case, std::size_t face, const std::string& key,
                       const FaceCondition& condition, const Derived& derived, const Units& units) {
  const double factor = largest_factor(lbm_case, derived, key, condition.velocity_factor);
  const double speed =
      factor * fastest_speed(lbm_case, derived, static_cast<int>(face), key, condition);
  check_speed(lbm_case, key + (factor > 1 ? ".velocity_factor" : ".velocity"), speed, derived);
  if (condition.period) check_period(lbm_case, key + ".period", *condition.period, units);
  if (!condition.file.empty()) {
    check_table(lbm_case, face, key + ".file", condition, derived, units, factor);
  }
  if (condition.pressure) check_pressure(lbm_case, key + ".pressure", *condition.pressure, units);
  if (!condition.pressure_formula.empty()) {
    (void)FaceFormulas(lbm_case, derived, static_cast<int>(face), key + ".pressure",
                       condition.pressure_formula)
        .sample();
  }
  if (!condition.profile_center) return;
  const auto axes = transverse(face);
  for (std::size_t i = 0; i < 2; ++i) {
    const double at = to_cells(units, (*condition.profile_center)[i]);
    if (at >= 0 && at <= lbm_case.grid.cells[axes[i]]) continue;
    refuse(lbm_case, key + ".profile_center",
           fmt::format("found {:.6g} cells along {}, must lie on the face, from 0 to {}", at,
                       "xyz"[axes[i]], lbm_case.grid.cells[axes[i]]));
  }
}

}  // namespace

std::string patch_key(std::size_t face, const Patch& patch) {
  return face_key(face) + ".patches." + patch.name;
}

std::array<std::size_t, 2> transverse(std::size_t face) {
  const std::size_t normal = face / 2;
  return {normal == 0 ? std::size_t{1} : std::size_t{0},
          normal == 2 ? std::size_t{1} : std::size_t{2}};
}

void check_faces(const Case& lbm_case) {
  check_patch_count(lbm_case);
  for (std::size_t face = 0; face < lbm_case.faces.size(); ++face) {
    check_rule(lbm_case, face, face_key(face), lbm_case.faces[face]);
    check_patch_names(lbm_case, face);
    for (const Patch& patch : lbm_case.faces[face].patches) check_patch(lbm_case, face, patch);
  }
  for (std::size_t axis = 0; axis < 3; ++axis) check_axis(lbm_case, axis);
}

void check_face_values(const Case& lbm_case, const Derived& derived, const Units& units) {
  for (std::size_t face = 0; face < lbm_case.faces.size(); ++face) {
    check_rule_values(lbm_case, face, face_key(face), lbm_case.faces[face], derived, units);
    for (const Patch& patch : lbm_case.faces[face].patches) {
      check_region(lbm_case, face, patch, units);
      check_rule_values(lbm_case, face, patch_key(face, patch), patch, derived, units);
    }
  }
}

}  // namespace lbm::cases::validation
