// Key table: solid bodies.
#include <fmt/format.h>

#include "cases/case/schema/key_lists.hpp"
#include "cases/case/schema/key_table.hpp"

namespace lbm::cases::key_table {
namespace {

using namespace key_types;

std::optional<Rotation> rotation_of(const YAML::Node& node) {
  const auto values = numbers_of(node, parse_number);
  if (!values || values->size() != 4) return std::nullopt;
  const auto& v = *values;
  if (v[0] == 0 && v[1] == 0 && v[2] == 0) return std::nullopt;
  return Rotation{{v[0], v[1], v[2]}, v[3]};
}

template <class Access>
Key rotations(const Texts& texts, Access access) {
  Key key = key_of(texts, "list of rotations", "such as [[0, 0, 1, 45]], axes not 0");
  key.read = [=](const YAML::Node& node, Case& out) {
    if (!node.IsSequence() || node.size() == 0) return false;
    std::vector<Rotation> all;
    for (const auto& entry : node) {
      const auto rotation = rotation_of(entry);
      if (!rotation) return false;
      all.push_back(*rotation);
    }
    access(out) = all;
    return true;
  };
  key.write = [=](const Case& in) {
    std::vector<std::string> items;
    for (const Rotation& r : access(in)) {
      items.push_back(list_text(std::array<double, 4>{r.axis[0], r.axis[1], r.axis[2], r.degrees}));
    }
    return items.empty() ? std::string() : list_text(items);
  };
  return key;
}

template <class BodyOf>
void add_shape(std::vector<Key>& keys, const std::string& path, BodyOf body) {
  keys.push_back(word<BodyShape>(
      {path + ".shape", "required",
       "`box` (center, size), `sphere` (center, radius), `cylinder` and `capsule` (from, to, "
       "radius), `plane` (center, normal: solid behind it), `stl` (file), or a combination `of` "
       "bodies: `union`, `intersection`, `difference` (the first minus the others)."},
      {{"box", BodyShape::box},
       {"sphere", BodyShape::sphere},
       {"cylinder", BodyShape::cylinder},
       {"capsule", BodyShape::capsule},
       {"plane", BodyShape::plane},
       {"stl", BodyShape::stl},
       {"union", BodyShape::union_of},
       {"intersection", BodyShape::intersection},
       {"difference", BodyShape::difference}},
      [body](auto& c) -> auto& { return body(c).shape; }));
  keys.push_back(vector(
      {path + ".center", "by shape",
       "Centre of a box or sphere, or a point on a plane, from the corner of the box, in cells; "
       "all lengths in m with `units: si`."},
      [body](auto& c) -> auto& { return body(c).center; }));
  keys.push_back(numbers(
      {path + ".size", "by shape", "Extent of a box."}, NumberRange{.above = 0},
      "> 0", [body](auto& c) -> auto& { return body(c).size; }));
  keys.push_back(number(
      {path + ".radius", "by shape", "Radius of a sphere, cylinder or capsule."},
      0, [body](auto& c) -> auto& { return body(c).radius; }));
  keys.push_back(vector(
      {path + ".from", "by shape", "One end of the axis of a cylinder or capsule."},
      [body](auto& c) -> auto& { return body(c).from; }));
  keys.push_back(vector(
      {path + ".to", "by shape", "The other end."}, [body](auto& c) -> auto& {
        return body(c).to;
      }));
  keys.push_back(vector(
      {path + ".normal", "by shape",
       "Normal of a plane, pointing out of the solid; any length but 0."},
      [body](auto& c) -> auto& { return body(c).normal; }));
  keys.push_back(text(
      {path + ".file", "by shape", "STL file of a closed surface, relative to the case file."},
      "1 to 1000 characters", is_file_name, [body](auto& c) -> auto& { return body(c).file; }));
  keys.push_back(names(
      {path + ".of", "by shape", "The bodies to combine."},
      "such as [hull, keel]", [body](auto& c) -> auto& { return body(c).of; }));
}

template <class BodyOf>
void add_placement(std::vector<Key>& keys, const std::string& path, BodyOf body) {
  keys.push_back(number(
      {path + ".scale", "none",
       "Scaling factor of the shape, applied before `rotate` and `translate`. Converts the units "
       "of an STL file to those of the case."},
      0, [body](auto& c) -> auto& { return body(c).scale; }));
  keys.push_back(rotations(
      {path + ".rotate", "none",
       "Rotations `[ax, ay, az, degrees]` about axes through the origin of the shape's "
       "coordinates, right-handed, applied in order."},
      [body](auto& c) -> auto& { return body(c).rotate; }));
  keys.push_back(vector(
      {path + ".translate", "none", "Displacement of the shape, applied last."},
      [body](auto& c) -> auto& { return body(c).translate; }));
  keys.push_back(boolean(
      {path + ".solid", "true", "`false`: only a part of a combination, not solid itself."},
      [body](auto& c) -> auto& { return body(c).solid; }));
  keys.push_back(word<BodyWalls>(
      {path + ".walls", "auto",
       "`interpolated`: exact position of the surface; `conserving`: the same, and no mass "
       "passes; `staircase`: halfway between cells, and no mass passes; `auto`: `interpolated` if "
       "a face is `pressure` or `outflow`, else `conserving`."},
      {{"interpolated", BodyWalls::interpolated},
       {"conserving", BodyWalls::conserving},
       {"staircase", BodyWalls::staircase}},
      [body](auto& c) -> auto& { return body(c).walls; }, Auto::yes));
}

template <class BodyOf>
void add_motion(std::vector<Key>& keys, const std::string& path, BodyOf body) {
  keys.push_back(vector(
      {path + ".velocity", "none",
       "Velocity of the surface in reference velocities, in m/s with `units: si`. The shape "
       "itself does not move."},
      [body](auto& c) -> auto& { return body(c).velocity; }));
  keys.push_back(vector(
      {path + ".angular_velocity", "none",
       "Angular velocity of the surface in U/L, in rad/s with `units: si`, such as that of a "
       "cylinder turning about its axis."},
      [body](auto& c) -> auto& { return body(c).angular_velocity; }));
  keys.push_back(vector(
      {path + ".center_of_rotation", "the centre of the shape",
       "Centre of the rotation by `angular_velocity`, and reference point of torques."},
      [body](auto& c) -> auto& { return body(c).center_of_rotation; }));
  keys.push_back(number(
      {path + ".reference_area", "the reference length squared",
       "Area for force coefficients, in cells^2; in m^2 with `units: si`."},
      0, [body](auto& c) -> auto& { return body(c).reference_area; }));
  keys.push_back(number(
      {path + ".reference_length", "the reference length", "Length for torque coefficients."},
      0, [body](auto& c) -> auto& { return body(c).reference_length; }));
  keys.push_back(number(
      {path + ".reference_velocity", "the reference velocity", "Velocity for both coefficients."},
      0, [body](auto& c) -> auto& { return body(c).reference_velocity; }));
}

std::vector<Key> body_keys(const std::string& name) {
  const std::string path = "bodies." + name;
  const auto body = [name](auto& c) -> auto& { return item(c.bodies, name); };
  std::vector<Key> keys;
  add_shape(keys, path, body);
  add_placement(keys, path, body);
  add_motion(keys, path, body);
  return keys;
}

}  // namespace

void add_body_keys(Parts& parts) {
  add_group(parts, {"bodies", body_keys, [](const Case& c) { return names_of(c.bodies); }});
}

}  // namespace lbm::cases::key_table
