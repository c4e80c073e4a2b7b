// SPDX-License-Identifier: Apache-2.0

// Key table: solid bodies.
#include <algorithm>
#include <limits>

#include "cases/case/limits.hpp"
#include "cases/case/schema/key_table.hpp"
#include "cases/case/schema/keys.hpp"

namespace lbm::cases::key_table {
namespace {

using namespace value_types;

bool is_not_zero(const Vec3& v) { return v != Vec3{0, 0, 0}; }

const Names surfaces{"surface", "stl"};
const Names with_ends{"cylinder", "elliptic_cylinder", "capsule"};

ValueType<Rotation> rotation() {
  using Numbers = std::array<double, 4>;
  const auto read = [list = numbers<Numbers>(any_number, "").read](const YAML::Node& node) {
    const auto v = list(node);
    std::optional<Rotation> rotation;
    if (v && Vec3{(*v)[0], (*v)[1], (*v)[2]} != Vec3{0, 0, 0}) {
      rotation = {{(*v)[0], (*v)[1], (*v)[2]}, (*v)[3]};
    }
    return rotation;
  };
  const auto write = [](const Rotation& r) {
    return list_text(Numbers{r.axis[0], r.axis[1], r.axis[2], r.degrees});
  };
  return {"", "", read, write};
}

// One factor for all axes, or one for each axis.
ValueType<Vec3> scale() {
  const auto read = [one = number(positive).read,
                     three = vector().read](const YAML::Node& node) -> std::optional<Vec3> {
    if (const auto s = one(node)) return Vec3{*s, *s, *s};
    const auto factors = three(node);
    const bool flat = factors && std::find(factors->begin(), factors->end(), 0) != factors->end();
    return flat ? std::nullopt : factors;
  };
  const auto write = [](const Vec3& s) {
    const bool single = s[0] > 0 && s[0] == s[1] && s[1] == s[2];
    return single ? number(positive).write(s[0]) : list_text(s);
  };
  return {"number or list of three numbers", "such as 0.001 or [1, -1, 0.5], none 0", read, write};
}

// The word of a coordinate axis, or a direction.
ValueType<Vec3> axis_or_direction() {
  const auto read = [one = axis().read, three = where(vector(), "", is_not_zero).read](
                        const YAML::Node& node) -> std::optional<Vec3> {
    if (const auto word = one(node)) {
      Vec3 result{};
      result[static_cast<std::size_t>(*word)] = 1;
      return result;
    }
    return three(node);
  };
  const auto write = [](const Vec3& v) {
    for (std::size_t k = 0; k < 3; ++k) {
      Vec3 unit{};
      unit[k] = 1;
      if (v == unit) return axis().write(static_cast<int>(k));
    }
    return list_text(v);
  };
  return {"axis or list of three numbers", "such as z or [0, 1, 1], not all 0", read, write};
}

ValueType<std::vector<std::array<double, 2>>> plane_points() {
  return filled(list_of(numbers<std::array<double, 2>>(any_number, ""), "list of points",
                        "such as [[0, 0], [8, 0], [0, 6]]"));
}

// Files name their solids freely.
bool is_solid_name(const std::string& name) {
  return !name.empty() && name.size() <= 200 &&
         std::none_of(name.begin(), name.end(),
                      [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

ValueType<std::vector<std::string>> solid_names() {
  return filled(list_of(text("", is_solid_name), "list of names", "such as [hull, keel]"));
}

void add_shape(const auto& body) {
  body.add("shape", &Body::shape, words<BodyShape>()).required();
  body.add("center", &Body::center, vector())
      .belongs_to("shape", {"box", "sphere", "ellipsoid", "torus", "plane"});
  body.add("size", &Body::size, numbers<Vec3>(positive, "> 0"))
      .belongs_to("shape", {"box", "ellipsoid"});
  body.add("radius", &Body::radius, number(positive))
      .belongs_to("shape", {"sphere", "cylinder", "capsule"});
  body.add("radii", &Body::radii, numbers<std::array<double, 2>>(positive, "> 0"))
      .belongs_to("shape", {"elliptic_cylinder", "torus"});
  body.add("from", &Body::from, vector()).belongs_to("shape", with_ends);
  body.add("to", &Body::to, vector()).belongs_to("shape", with_ends);
  body.add("direction", &Body::direction, axis_or_direction())
      .only_with("shape", "elliptic_cylinder");
  body.add("axis", &Body::axis, axis_or_direction()).belongs_to("shape", {"torus", "polygon"});
  body.add("points", &Body::points, plane_points()).belongs_to("shape", "polygon");
  body.add("span", &Body::span,
           where(numbers<std::array<double, 2>>(any_number, ""),
                 "from less to more, such as [0, 40]",
                 [](const auto& span) { return span[0] < span[1]; }))
      .only_with("shape", "polygon");
  body.add("normal", &Body::normal, where(vector(), "not [0, 0, 0]", is_not_zero))
      .belongs_to("shape", "plane");
  body.add("file", &Body::file, file_name()).belongs_to("shape", {"surface", "stl", "voxels"});
  body.add("of", &Body::of, names(is_item_name, "[hull, keel]"))
      .belongs_to("shape", {"union", "intersection", "difference"});
}

void add_surface(const auto& body) {
  body.add("solids", &Body::solids, solid_names()).only_with("shape", surfaces);
  body.add("open", &Body::open, words<geometry::OpenSurface>()).only_with("shape", surfaces);
  body.add("thickness", &Body::thickness, number(positive)).only_with("open", "shell");
  body.add("merge_tolerance", &Body::merge_tolerance, number(not_negative))
      .only_with("shape", surfaces);
}

void add_voxel_keys(const auto& body) {
  constexpr std::int64_t most_label = std::numeric_limits<std::uint32_t>::max();
  body.add("dataset", &Body::dataset, file_name()).only_with("shape", "voxels");
  body.add("cells", &Body::cells,
           array_of<std::array<int, 3>>(whole(1, max_cells_per_axis), "whole numbers",
                                        "from 1 to 1000000, such as [400, 400, 1200]"))
      .only_with("shape", "voxels");
  body.add("type", &Body::type, words<io::VoxelType>()).only_with("shape", "voxels");
  body.add("byte_order", &Body::byte_order, words<ByteOrder>()).only_with("shape", "voxels");
  body.add("header_bytes", &Body::header_bytes, whole(0, std::int64_t{1} << 40))
      .only_with("shape", "voxels");
  body.add("fluid", &Body::fluid,
           filled(list_of(whole(-most_label, most_label), "list of whole numbers", "such as [0]")))
      .belongs_to("shape", "voxels");
  body.add("voxel_size", &Body::voxel_size, numbers<Vec3>(positive, "> 0"))
      .only_with("shape", "voxels");
}

// Each of x, y and z once.
ValueType<std::array<int, 3>> three_axes() {
  const ValueType<std::vector<int>> list = list_of_words(axis());
  const auto read = [list](const YAML::Node& node) {
    const auto axes = list.read(node);
    std::optional<std::array<int, 3>> three;
    if (axes && axes->size() == 3) three = {(*axes)[0], (*axes)[1], (*axes)[2]};
    return three;
  };
  const auto write = [list](const std::array<int, 3>& axes) {
    return list.write({axes[0], axes[1], axes[2]});
  };
  return {"list of axes", "x, y and z, each once, such as [z, x, y]", read, write};
}

// In the order in which they change the image.
void add_voxel_changes(const auto& body) {
  using Three = std::array<int, 3>;
  constexpr int most = 1 << 20;
  const auto three = [](int least, const char* example) {
    const auto cell = whole(least, most);
    return array_of<Three>(cell, "whole numbers", cell.allowed + ", such as " + example);
  };
  body.add("crop_from", &Body::crop_from, three(0, "[0, 0, 200]")).only_with("shape", "voxels");
  body.add("crop_to", &Body::crop_to, three(1, "[400, 400, 1000]")).only_with("shape", "voxels");
  body.add("resample", &Body::resample, boolean()).only_with("shape", "voxels");
  body.add("axes", &Body::axes, three_axes()).only_with("shape", "voxels");
  body.add("coarsen", &Body::coarsen, whole(1, most)).only_with("shape", "voxels");
  body.add("refine", &Body::refine, whole(1, most)).only_with("shape", "voxels");
  auto axes = list_of_words(axis());
  axes.name = "list of axes";
  axes.allowed = "x, y, z, each at most once, such as [z]";
  axes.write = [write = axes.write](const std::vector<int>& all) {
    return all.empty() ? std::string() : write(all);
  };
  body.add("mirror", &Body::mirror, axes).only_with("shape", "voxels");
  body.add("repeat", &Body::repeat, three(1, "[1, 1, 2]")).only_with("shape", "voxels");
  body.add("connected", &Body::connected, axis()).only_with("shape", "voxels");
  body.add("reservoir", &Body::reservoir, three(0, "[0, 0, 10]")).only_with("shape", "voxels");
}

void add_placement(const auto& body) {
  body.add("scale", &Body::scale, scale()).not_with("shape", "voxels");
  body.add("rotate", &Body::rotate,
           filled(list_of(rotation(), "list of rotations", "such as [[0, 0, 1, 45]], axes not 0")))
      .not_with("shape", "voxels");
  body.add("translate", &Body::translate, vector());
  body.add("solid", &Body::solid, boolean());
  body.add("walls", &Body::walls, or_auto(words<BodyWalls>()))
      .not_with("shape", "voxels")
      .when({"interpolated", "conserving", "multireflection"});
}

void add_zone(const auto& body) {
  const auto porous = body.group("porous", &Body::porous);
  porous.add("permeability", &PorousKeys::permeability, number(positive));
  porous.add("forchheimer", &PorousKeys::forchheimer, number(positive));
  const Names resistances{"porous.permeability", "porous.forchheimer"};
  porous.add("along", &PorousKeys::along, vector()).needs(resistances).excludes("porous.across");
  porous.add("across", &PorousKeys::across, vector()).needs(resistances);
  const auto disc = body.group("disc", &Body::disc);
  disc.add("thrust_coefficient", &DiscKeys::thrust_coefficient, number(positive))
      .excludes("disc.local_thrust_coefficient");
  disc.add("local_thrust_coefficient", &DiscKeys::local_thrust_coefficient, number(positive));
  disc.add("reference_velocity", &DiscKeys::reference_velocity, number(positive))
      .needs({"disc.thrust_coefficient"});
}

void add_motion(const auto& body) {
  body.add("velocity", &Body::velocity, vector()).not_with("solid", "false");
  body.add("angular_velocity", &Body::angular_velocity, vector()).not_with("solid", "false");
  body.add("velocity_factor", &Body::velocity_factor, formula("\"sin(t)\""))
      .needs({"velocity", "angular_velocity"});
  body.add("center_of_rotation", &Body::center_of_rotation, vector());
  const auto motion = body.group("motion", &Body::motion);
  motion.add("axis", &MotionKeys::axis, vector());
  motion.add("rate", &MotionKeys::rate, number(any_number)).needs({"motion.axis"});
  motion.add("angle", &MotionKeys::angle, formula("\"2*pi*t\"")).needs({"motion.axis"});
  auto way = formulas();
  way.allowed = "such as [\"sin(t)\", 0, 0]";
  motion.add("displacement", &MotionKeys::displacement, way);
  const auto free = body.group("free", &Body::free);
  free.add("density_ratio", &FreeKeys::density_ratio, number(positive));
  free.add("gravity", &FreeKeys::gravity, vector()).needs({"free.density_ratio"});
  free.add("velocity", &FreeKeys::velocity, vector()).needs({"free.density_ratio"});
  free.add("angular_velocity", &FreeKeys::angular_velocity, vector()).needs({"free.density_ratio"});
  free.add("release", &FreeKeys::release, number(not_negative)).needs({"free.density_ratio"});
  free.add("rotates", &FreeKeys::rotates, boolean()).needs({"free.density_ratio"});
  body.add("reference_area", &Body::reference_area, number(positive));
  body.add("reference_length", &Body::reference_length, number(positive));
  body.add("reference_velocity", &Body::reference_velocity, number(positive));
}

}  // namespace

void add_body_keys(Parts& parts) {
  const auto bodies = [](auto& c) -> auto& { return c.bodies; };
  add_group(parts, "bodies", bodies, [](const auto& body) {
    add_shape(body);
    add_surface(body);
    add_voxel_keys(body);
    add_voxel_changes(body);
    add_placement(body);
    add_motion(body);
    add_zone(body);
  });
}

}  // namespace lbm::cases::key_table
