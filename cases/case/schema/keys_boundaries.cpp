// Key table: faces of the box and their patches.
#include <fmt/format.h>

#include "cases/case/limits.hpp"
#include "cases/case/schema/key_lists.hpp"
#include "cases/case/schema/key_table.hpp"
#include "cases/case/schema/keys.hpp"

namespace lbm::cases::key_table {
namespace {

using namespace key_types;

const Words<BoundaryKind>& face_types() {
  static const Words<BoundaryKind> words{
      {"wall", BoundaryKind::wall},         {"periodic", BoundaryKind::periodic},
      {"velocity", BoundaryKind::velocity}, {"pressure", BoundaryKind::pressure},
      {"outflow", BoundaryKind::outflow},   {"slip", BoundaryKind::slip}};
  return words;
}

// Keys of an inlet's profile in space and time. `condition` returns the FaceCondition of a case.
template <class Condition>
void add_inlet(std::vector<Key>& keys, const std::string& path, Condition condition) {
  keys.push_back(word<InletProfile>(
      {path + ".profile", "uniform",
       "`velocity` only: profile of the velocity over the face. `duct`: developed flow of a "
       "rectangular duct, or a plane parabola if the face has a periodic or slip axis; `pipe`: a "
       "parabola in a circle, 0 outside; `table`: from `file`. `velocity` is the peak."},
      {{"uniform", InletProfile::uniform},
       {"duct", InletProfile::duct},
       {"pipe", InletProfile::pipe},
       {"table", InletProfile::table}},
      [condition](auto& c) -> auto& { return condition(c).profile; }));
  keys.push_back(numbers(
      {path + ".profile_center", "required for pipe",
       "Centre of the circle on the two transverse axes, in the order x, y, z, from the corner of "
       "the box."},
      any_number,
      "such as [16, 16]", [condition](auto& c) -> auto& { return condition(c).profile_center; }));
  keys.push_back(number(
      {path + ".profile_radius", "required for pipe", "Radius of the circle."},
      0, [condition](auto& c) -> auto& { return condition(c).profile_radius; }));
  keys.push_back(text(
      {path + ".file", "required for table",
       "CSV file, relative to the case file, in units of the case: two transverse coordinates and "
       "three velocities on a regular grid, interpolated linearly."},
      "1 to 1000 characters",
      is_file_name, [condition](auto& c) -> auto& { return condition(c).file; }));
  keys.push_back(number(
      {path + ".ramp_time", "none",
       "`velocity` only: time over which the velocity rises smoothly from 0, in "
       "convective times; in s with `units: si`."},
      0, [condition](auto& c) -> auto& { return condition(c).ramp_time; }));
  keys.push_back(number(
      {path + ".turbulence.intensity", "none",
       "`velocity` only: size of synthetic disturbances (rms of a component in reference "
       "velocities)."},
      NumberRange{.above = 0, .below = 1}, [condition](auto& c) -> auto& {
        return condition(c).turbulence.intensity;
      }));
  keys.push_back(number(
      {path + ".turbulence.length", "required for turbulence",
       "Integral scale (of the longitudinal correlation), in cells; in m with `units: si`."},
      0, [condition](auto& c) -> auto& { return condition(c).turbulence.length; }));
  keys.push_back(whole(
      {path + ".turbulence.seed", "1 in turbulence",
       "Another seed gives other disturbances with the same statistics."},
      {0, 1'000'000'000}, [condition](auto& c) -> auto& { return condition(c).turbulence.seed; }));
}

template <class Condition>
void add_condition(std::vector<Key>& keys, const std::string& path, Condition condition) {
  keys.push_back(word<BoundaryKind>(
      {path + ".type", "wall",
       "`wall`: halfway bounce-back; `periodic`; `velocity`: an inlet or outlet with given "
       "velocity; `pressure`: fixed pressure; `outflow`: characteristic outflow, which imposes "
       "its pressure only weakly; `slip`: free slip."},
      face_types(), [condition](auto& c) -> auto& { return condition(c).type; }));
  keys.push_back(vector(
      {path + ".velocity", "[0, 0, 0]",
       "Velocity `[ux, uy, uz]` of the wall or inflow in reference velocities (1 means "
       "`fluid.lattice_velocity` cells per step); in m/s with `units: si`. A wall has no normal "
       "velocity."},
      [condition](auto& c) -> auto& { return condition(c).velocity; }));
  keys.push_back(number(
      {path + ".period", "none",
       "`wall` only: the wall oscillates; its velocity is multiplied by cos(2 pi t / period). In "
       "convective times; in s with `units: si`."},
      0, [condition](auto& c) -> auto& { return condition(c).period; }));
  keys.push_back(number(
      {path + ".pressure", "0 where there is one",
       "`pressure` and `outflow` only: relative to the reference pressure, in "
       "rho0 U^2; in Pa with `units: si`."},
      any_number, [condition](auto& c) -> auto& { return condition(c).pressure; }));
  add_inlet(keys, path, condition);
}

// Lets the six faces share their rows in the documentation.
void share_rows(std::vector<Key>& keys, std::size_t face) {
  const std::string start = "boundaries." + face_names()[face];
  for (Key& key : keys) key.row = "boundaries.FACE" + key.path.substr(start.size());
}

std::vector<Key> face_keys(std::size_t face) {
  const std::string path = "boundaries." + face_names()[face];
  std::vector<Key> keys;
  keys.push_back(word<BoundaryKind>(
      {path, "wall",
       "Boundary condition of a face; FACE is `x_min`, `x_max`, `y_min`, `y_max`, `z_min` or "
       "`z_max`. A word, or a map of the keys below. Both faces of an axis are periodic, or "
       "neither."},
      face_types(), [face](auto& c) -> auto& { return c.faces[face].type; }));
  // Not written: the writer uses the long form.
  keys.back().write = [](const Case&) { return std::string(); };
  add_condition(
      keys, path, [face](auto& c) -> auto& { return c.faces[face]; });
  keys.push_back(number(
      {path + ".pressure_drop", "none",
       "`periodic` only: pressure difference from the min to the max face, which drives the flow. "
       "Given on one of the two faces. In rho0 U^2; in Pa with `units: si`."},
      any_number, [face](auto& c) -> auto& { return c.faces[face].pressure_drop; }));
  share_rows(keys, face);
  return keys;
}

std::vector<Key> patch_keys(std::size_t face, const std::string& name) {
  const std::string path = fmt::format("boundaries.{}.patches.{}", face_names()[face], name);
  const auto patch = [ face, name ](auto& c) -> auto& { return item(c.faces[face].patches, name); };
  std::vector<Key> keys;
  keys.push_back(numbers(
      {path + ".box", "this or a circle",
       "The part of the face: `[a0, a1, b0, b1]`, from a0 to a1 along the first transverse axis "
       "and from b0 to b1 along the second, in the order x, y, z, from the corner of the box. "
       "Where patches overlap, the first one in the file counts."},
      any_number, "such as [8, 24, 0, 16]", [patch](auto& c) -> auto& { return patch(c).box; }));
  keys.push_back(numbers(
      {path + ".center", "this and radius, or a box",
       "The part of the face: centre of a circle, in the same coordinates."},
      any_number, "such as [16, 16]", [patch](auto& c) -> auto& { return patch(c).center; }));
  keys.push_back(number(
      {path + ".radius", "this and center, or a box", "Radius of that circle."},
      0, [patch](auto& c) -> auto& { return patch(c).radius; }));
  std::vector<Key> condition;
  add_condition(condition, path, patch);
  for (Key& key : condition) {
    key.doc = fmt::format("As `boundaries.FACE{}`.", key.path.substr(path.size()));
    if (key.path == path + ".type") key.doc += " Neither periodic nor slip.";
    keys.push_back(std::move(key));
  }
  share_rows(keys, face);
  return keys;
}

}  // namespace

void add_boundary_keys(Parts& parts) {
  for (std::size_t face = 0; face < face_names().size(); ++face) {
    for (Key& key : face_keys(face)) add(parts, std::move(key));
    const auto keys = [face](const std::string& name) { return patch_keys(face, name); };
    const auto names = [face](const Case& c) { return names_of(c.faces[face].patches); };
    add_group(parts, {"boundaries." + face_names()[face] + ".patches", keys, names});
  }
}

}  // namespace lbm::cases::key_table
