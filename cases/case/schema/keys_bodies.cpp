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
  body.add("shape", &Body::shape, words<BodyShape>(), "required",
           "`box` and `ellipsoid` (center, size), `sphere` (center, radius), `cylinder` and "
           "`capsule` (from, to, radius), `elliptic_cylinder` (from, to, radii, direction), "
           "`torus` (center, axis, radii), `polygon` (points, axis, span: extruded along the "
           "axis), `plane` (center, normal: solid behind it), `surface` (file; `stl` is its older "
           "name), `voxels` (file: an image whose voxels are cells), or a combination `of` bodies: "
           "`union`, `intersection`, `difference` (the first minus the others).")
      .required();
  body.add("center", &Body::center, vector(), "by shape",
           "Centre of a box, ellipsoid, sphere or torus, or a point on a plane, from the corner of "
           "the box, in cells; all lengths in m with `units: si`.")
      .belongs_to("shape", {"box", "sphere", "ellipsoid", "torus", "plane"});
  body.add("size", &Body::size, numbers<Vec3>(positive, "> 0"), "by shape",
           "Edges of a box, or the three diameters of an ellipsoid.")
      .belongs_to("shape", {"box", "ellipsoid"});
  body.add("radius", &Body::radius, number(positive), "by shape",
           "Radius of a sphere, cylinder or capsule.")
      .belongs_to("shape", {"sphere", "cylinder", "capsule"});
  body.add("radii", &Body::radii, numbers<std::array<double, 2>>(positive, "> 0"), "by shape",
           "The two half axes of an elliptic cylinder; or the radius of the ring of a torus, which "
           "is the middle of its tube, and the smaller radius of the tube.")
      .belongs_to("shape", {"elliptic_cylinder", "torus"});
  body.add("from", &Body::from, vector(), "by shape",
           "One end of the axis of a cylinder, elliptic cylinder or capsule.")
      .belongs_to("shape", with_ends);
  body.add("to", &Body::to, vector(), "by shape", "The other end.").belongs_to("shape", with_ends);
  body.add("direction", &Body::direction, axis_or_direction(), "x, or y if the axis is along x",
           "`elliptic_cylinder`: direction of the first of its `radii`; its part along the axis "
           "does not count. Required if the axis is along none of x, y, z.")
      .only_with("shape", "elliptic_cylinder");
  body.add("axis", &Body::axis, axis_or_direction(), "by shape",
           "Axis of a torus, normal to its ring; or that along which a polygon is extruded: x, y "
           "or z.")
      .belongs_to("shape", {"torus", "polygon"});
  body.add("points", &Body::points, plane_points(), "by shape",
           "Corners of a polygon in their order, as the two coordinates across `axis`, in the "
           "order x, y, z. The last one is joined to the first. At most 10000.")
      .belongs_to("shape", "polygon");
  body.add("span", &Body::span,
           where(numbers<std::array<double, 2>>(any_number, ""),
                 "from less to more, such as [0, 40]",
                 [](const auto& span) { return span[0] < span[1]; }),
           "endless", "`polygon`: from where to where along `axis` it reaches.")
      .only_with("shape", "polygon");
  body.add("normal", &Body::normal, where(vector(), "not [0, 0, 0]", is_not_zero), "by shape",
           "Normal of a plane, pointing out of the solid; any length but 0.")
      .belongs_to("shape", "plane");
  body.add("file", &Body::file, file_name(), "by shape",
           "File of a surface of triangles or polygons: STL or OBJ; or of voxels: .npy, .tif, .h5, "
           "or raw; a folder or a pattern such as rock_*.tif for one plane a file. Relative to the "
           "case file.")
      .belongs_to("shape", {"surface", "stl", "voxels"});
  body.add("of", &Body::of, names(is_item_name, "[hull, keel]"), "by shape",
           "The bodies to combine; combinations nest up to 64 levels deep.")
      .belongs_to("shape", {"union", "intersection", "difference"});
}

void add_surface(const auto& body) {
  body.add("solids", &Body::solids, solid_names(), "all solids of the file",
           "`surface`: only these solids of the file: `solid NAME` of a text STL file, objects `o "
           "NAME` and groups `g NAME` of an OBJ file.")
      .only_with("shape", surfaces);
  body.add("open", &Body::open, words<geometry::OpenSurface>(), "refuse",
           "`surface`: a surface that is not closed is an error (`refuse`); or it is filled where "
           "most of six rays along the axes meet it (`fill`); or the surface itself becomes a "
           "solid wall (`shell`), also a closed one, which is then hollow.")
      .only_with("shape", surfaces);
  body.add("thickness", &Body::thickness, number(positive), "1.5 cells",
           "`open: shell` only: thickness of the wall, half of it on each side of the surface, in "
           "cells; in m with `units: si`. At least 1.41422 cells, so that no fluid passes.")
      .only_with("open", "shell");
  body.add("merge_tolerance", &Body::merge_tolerance, number(not_negative),
           "1e-6 of the diagonal of the surface",
           "`surface`: corners of open edges that are no farther apart are joined. In the units of "
           "the file, before `scale`.")
      .only_with("shape", surfaces);
}

void add_voxel_keys(const auto& body) {
  constexpr std::int64_t most_label = std::numeric_limits<std::uint32_t>::max();
  body.add("dataset", &Body::dataset, file_name(), "the only one of labels in the file",
           "`voxels`: the path of the labels in an HDF5 file, such as `/labels`.")
      .only_with("shape", "voxels");
  body.add("cells", &Body::cells,
           array_of<std::array<int, 3>>(whole(1, max_cells_per_axis), "whole numbers",
                                        "from 1 to 1000000, such as [400, 400, 1200]"),
           "by the header",
           "`voxels`: voxels of the image along x, which runs fastest in the file, y and z. "
           "Required for a raw file.")
      .only_with("shape", "voxels");
  body.add("type", &Body::type, words<io::VoxelType>(), "by the header; raw: `uint8`",
           "`voxels`: the type of the labels in the file.")
      .only_with("shape", "voxels");
  body.add("byte_order", &Body::byte_order, words<ByteOrder>(), "by the header; raw: `little`",
           "`voxels`: of labels of more than one byte.")
      .only_with("shape", "voxels");
  body.add("header_bytes", &Body::header_bytes, whole(0, std::int64_t{1} << 40),
           "by the header; raw: 0", "`voxels`: bytes of the file before the first label.")
      .only_with("shape", "voxels");
  body.add("fluid", &Body::fluid,
           filled(list_of(whole(-most_label, most_label), "list of whole numbers", "such as [0]")),
           "required by voxels", "`voxels`: the labels of the pores. All other voxels are solid.")
      .belongs_to("shape", "voxels");
  body.add("voxel_size", &Body::voxel_size, numbers<Vec3>(positive, "> 0"), "by the header",
           "`voxels`: edges of a voxel along x, y and z of the file, where its header has none or "
           "wrong ones. Voxels must be cubes with the edge of a cell, `grid.spacing`; in lattice "
           "units only their ratio counts.")
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
  body.add("crop_from", &Body::crop_from, three(0, "[0, 0, 200]"), "the first voxel",
           "`voxels`: only a part of the image is read: the first voxel of it, counted from 0, "
           "along x, y and z of the file.")
      .only_with("shape", "voxels");
  body.add("crop_to", &Body::crop_to, three(1, "[400, 400, 1000]"), "behind the last voxel",
           "`voxels`: the voxel behind the part, as in `image[from:to]` of NumPy.")
      .only_with("shape", "voxels");
  body.add("resample", &Body::resample, boolean(), "false",
           "`voxels`: voxels that are no cubes become cubes with the shortest edge of a voxel. "
           "Each takes the label at its centre.")
      .only_with("shape", "voxels");
  body.add("axes", &Body::axes, three_axes(), "as in the file",
           "`voxels`: which axes of the file become x, y and z of the box. An exchange of two axes "
           "also mirrors the image.")
      .only_with("shape", "voxels");
  body.add("coarsen", &Body::coarsen, whole(1, most), "none",
           "`voxels`: n^3 voxels become one cell, which is solid where at least half of them are. "
           "The part of the image must have a multiple of n voxels along each axis.")
      .only_with("shape", "voxels");
  body.add("refine", &Body::refine, whole(1, most), "none", "`voxels`: a voxel becomes n^3 cells.")
      .only_with("shape", "voxels");
  auto axes = list_of_words(axis());
  axes.name = "list of axes";
  axes.allowed = "x, y, z, each at most once, such as [z]";
  axes.write = [write = axes.write](const std::vector<int>& all) {
    return all.empty() ? std::string() : write(all);
  };
  body.add("mirror", &Body::mirror, axes, "none",
           "`voxels`: along these axes the image is followed by its mirror image, so that opposite "
           "faces of a periodic box fit each other.")
      .only_with("shape", "voxels");
  body.add("repeat", &Body::repeat, three(1, "[1, 1, 2]"), "once",
           "`voxels`: so many images one behind the other along x, y and z.")
      .only_with("shape", "voxels");
  body.add("connected", &Body::connected, axis(), "no axis",
           "`voxels`: pores that do not lead from one face of the image to the other along this "
           "axis become solid. The image must fit into memory with one bit a cell.")
      .only_with("shape", "voxels");
  body.add("reservoir", &Body::reservoir, three(0, "[0, 0, 10]"), "none",
           "`voxels`: cells of fluid before and behind the image along x, y and z. The image "
           "begins behind the first of them.")
      .only_with("shape", "voxels");
}

void add_placement(const auto& body) {
  body.add("scale", &Body::scale, scale(), "none",
           "Scaling factor of the shape, or one for each axis, applied before `rotate` and "
           "`translate`. A negative factor of a list mirrors the shape. Converts the units of a "
           "file to those of the case.")
      .not_with("shape", "voxels");
  body.add("rotate", &Body::rotate,
           filled(list_of(rotation(), "list of rotations", "such as [[0, 0, 1, 45]], axes not 0")),
           "none",
           "Rotations `[ax, ay, az, degrees]` about axes through the origin of the shape's "
           "coordinates, right-handed, applied in order.")
      .not_with("shape", "voxels");
  body.add("translate", &Body::translate, vector(), "none",
           "Displacement of the shape, applied last. Voxels: by whole cells; what lies outside the "
           "box then is cut off.");
  body.add("solid", &Body::solid, boolean(), "true",
           "`false`: only a part of a combination, not solid itself.");
  body.add("walls", &Body::walls, or_auto(words<BodyWalls>()), "auto",
           "`interpolated`: exact position of the surface; `conserving`: the same, and no mass "
           "passes; `staircase`: halfway between cells, and no mass passes; `multireflection`: "
           "exact position, of third order in steady flow; `auto`: `interpolated` if a face is "
           "`pressure`, `outflow` or `far_field`, else `conserving`; for voxels `staircase`, which "
           "is exact.")
      .not_with("shape", "voxels")
      .when({"interpolated", "conserving", "multireflection"});
}

void add_motion(const auto& body) {
  body.add("velocity", &Body::velocity, vector(), "none",
           "Velocity of the surface in reference velocities, in m/s with `units: si`. The shape "
           "itself does not move.")
      .not_with("solid", "false");
  body.add("angular_velocity", &Body::angular_velocity, vector(), "none",
           "Angular velocity of the surface in U/L, in rad/s with `units: si`, such as that of a "
           "cylinder turning about its axis.")
      .not_with("solid", "false");
  body.add("velocity_factor", &Body::velocity_factor, formula("\"sin(t)\""), "none",
           "A formula ([formulas.md](formulas.md)) of the time `t` that multiplies `velocity` and "
           "`angular_velocity`; `t` in convective times, in s with `units: si`.")
      .needs({"velocity", "angular_velocity"});
  body.add("center_of_rotation", &Body::center_of_rotation, vector(), "the centre of the shape",
           "Centre of the rotation by `angular_velocity`, and reference point of torques.");
  body.add("reference_area", &Body::reference_area, number(positive),
           "the reference length squared",
           "Area for force coefficients, in cells^2; in m^2 with `units: si`.");
  body.add("reference_length", &Body::reference_length, number(positive), "the reference length",
           "Length for torque coefficients.");
  body.add("reference_velocity", &Body::reference_velocity, number(positive),
           "the reference velocity", "Velocity for both coefficients.");
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
  });
}

}  // namespace lbm::cases::key_table
