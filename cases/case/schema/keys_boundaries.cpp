// SPDX-License-Identifier: Apache-2.0

// Key table: faces of the box and their patches.
#include <fmt/format.h>

#include <span>
#include <utility>
#include <vector>

#include "cases/case/schema/key_table.hpp"
#include "cases/case/schema/keys.hpp"

namespace lbm::cases::key_table {
namespace {

using namespace value_types;

// With those that a face alone may have, or without.
ValueType<BoundaryKind> boundary_type(bool of_patch) {
  if (of_patch) {
    return words<BoundaryKind>({{"wall", BoundaryKind::wall},
                                {"velocity", BoundaryKind::velocity},
                                {"pressure", BoundaryKind::pressure},
                                {"outflow", BoundaryKind::outflow},
                                {"far_field", BoundaryKind::far_field}});
  }
  return words<BoundaryKind>({{"wall", BoundaryKind::wall},
                              {"periodic", BoundaryKind::periodic},
                              {"velocity", BoundaryKind::velocity},
                              {"pressure", BoundaryKind::pressure},
                              {"outflow", BoundaryKind::outflow},
                              {"slip", BoundaryKind::slip},
                              {"far_field", BoundaryKind::far_field}});
}

// Keys of an inlet's profile in space and time.
void add_inlet(const auto& condition) {
  condition
      .add("profile", &FaceCondition::profile, words<InletProfile>(), "uniform",
           "`velocity` only: profile of the velocity over the face. `duct`: developed flow of a "
           "rectangular duct as wide as the face, or as the patch and its box; slip faces are "
           "planes of symmetry, and a periodic axis leaves a plane parabola; `pipe`: a parabola in "
           "a circle, 0 outside. In these `velocity` is the peak. `table`: from `file`, without "
           "`velocity`.")
      .only_with("type", "velocity");
  condition
      .add("profile_center", &FaceCondition::profile_center,
           numbers<Vec2>(any_number, "such as [16, 16]"),
           "required for pipe, but for a round patch its own",
           "Centre of the circle on the two transverse axes, in the order x, y, z, from the corner "
           "of the box.")
      .only_with("type", "velocity")
      .only_with("profile", "pipe")
      .required_with("profile", "pipe");
  condition
      .add("profile_radius", &FaceCondition::profile_radius, number(positive),
           "required for pipe, but for a round patch its own", "Radius of the circle.")
      .only_with("type", "velocity")
      .only_with("profile", "pipe")
      .required_with("profile", "pipe");
  condition
      .add("file", &FaceCondition::file, file_name(), "required for table",
           "CSV file, relative to the case file, in units of the case: two transverse coordinates "
           "and three velocities on a regular grid that meets the face, interpolated linearly and "
           "constant beyond.")
      .only_with("type", "velocity")
      .belongs_to("profile", "table");
  condition
      .add("ramp_time", &FaceCondition::ramp_time, number(positive), "none",
           "`velocity` and `far_field` only: time over which the velocity rises smoothly from 0, "
           "in convective times; in s with `units: si`.")
      .only_with("type", {"velocity", "far_field"})
      .excludes("velocity_factor");
  const auto turbulence = condition.group("turbulence", &FaceCondition::turbulence);
  turbulence
      .add("intensity", &Turbulence::intensity, number({.above = 0, .below = 1}), "none",
           "`velocity` only: size of synthetic disturbances (rms of a component in reference "
           "velocities).")
      .only_with("type", "velocity")
      .needs("length");
  turbulence
      .add("length", &Turbulence::length, number(positive), "required for turbulence",
           "Integral scale (of the longitudinal correlation), in cells; in m with `units: si`.")
      .only_with("type", "velocity")
      .needs("intensity");
  turbulence
      .add("seed", &Turbulence::seed, whole(0, 1'000'000'000), "1 in turbulence",
           "Another seed gives other disturbances with the same statistics.")
      .only_with("type", "velocity")
      .needs("intensity");
}

void add_condition(const auto& condition, bool of_patch) {
  condition.add(
      "type", &FaceCondition::type, boundary_type(of_patch), "wall",
      "`wall`: halfway bounce-back; `periodic`; `velocity`: an inlet or outlet with given "
      "velocity; `pressure`: fixed pressure; `outflow`: characteristic outflow, which imposes its "
      "pressure only weakly; `slip`: free slip; `far_field`: a far field with given velocity and "
      "pressure, which lets most of the sound go ([far_field.md](far_field.md)).");
  condition
      .add_vector_or_formulas(
          "velocity", &FaceCondition::velocity, &FaceCondition::velocity_formulas,
          R"(["1 - (y/ly)^2", 0, 0])", "[0, 0, 0]",
          "Velocity `[ux, uy, uz]` of the wall, inflow or far field in reference velocities (1 "
          "means `fluid.lattice_velocity` cells per step); in m/s with `units: si`. A wall has no "
          "normal velocity. With type `velocity` also formulas ([formulas.md](formulas.md)) of the "
          "two transverse coordinates, without `profile`.")
      .only_with("type", {"wall", "velocity", "far_field"})
      .only_with("type", "velocity")
      .when(by_formulas)
      .excludes("profile")
      .when(by_formulas)
      .not_with("profile", "table");
  condition
      .add("velocity_factor", &FaceCondition::velocity_factor, formula("\"1 - exp(-t)\""), "none",
           "`wall`, `velocity` and `far_field` only: a formula ([formulas.md](formulas.md)) of the "
           "time `t` that multiplies the velocity; `t` in convective times, in s with `units: si`. "
           "Without `period` and `ramp_time`.")
      .only_with("type", {"wall", "velocity", "far_field"})
      .needs({"velocity", "file"});
  condition
      .add("period", &FaceCondition::period, number(positive), "none",
           "`wall` only: the wall oscillates; its velocity is multiplied by cos(2 pi t / period), "
           "at least 4 steps. In convective times; in s with `units: si`.")
      .only_with("type", "wall")
      .needs("velocity")
      .excludes("velocity_factor");
  condition
      .add_number_or_formula(
          "pressure", &FaceCondition::pressure, &FaceCondition::pressure_formula,
          "\"-9.81*rho0*(y - ly/2)\"", "0 where there is one",
          "`pressure`, `outflow` and `far_field` only: relative to the reference pressure, in rho0 "
          "U^2; in Pa with `units: si`. With `pressure` and `outflow` also a formula "
          "([formulas.md](formulas.md)) of the two transverse coordinates, such as the weight of "
          "the fluid above.")
      .only_with("type", {"pressure", "outflow", "far_field"})
      .only_with("type", {"pressure", "outflow"})
      .when(by_formulas);
  add_inlet(condition);
}

// Lets the six faces share their rows in the documentation.
void share_rows(std::vector<Key>& keys, std::size_t face) {
  const std::string start = "boundaries." + face_names()[face];
  for (Key& key : keys) {
    if (key.path.starts_with(start)) key.row = "boundaries.FACE" + key.path.substr(start.size());
  }
}

void add_face(const auto& face) {
  Key& whole = face.add("", &Face::type, boundary_type(false), "wall",
                        "Boundary condition of a face; FACE is `x_min`, `x_max`, `y_min`, `y_max`, "
                        "`z_min` or `z_max`. A word, or a map of the keys below. Both faces of an "
                        "axis are periodic, or neither.");
  // Not written: the writer uses the long form.
  whole.writer = [](const Case&, std::size_t) { return std::string(); };
  add_condition(face, false);
  face.add("pressure_drop", &Face::pressure_drop, number(any_number), "none",
           "`periodic` only: pressure difference from the min to the max face, which drives the "
           "flow. Given on one of the two faces. In rho0 U^2; in Pa with `units: si`.")
      .only_with("type", "periodic");
}

void add_patch(const auto& patch) {
  patch
      .add("box", &Patch::box, numbers<std::array<double, 4>>(any_number, "such as [8, 24, 0, 16]"),
           "this or a circle",
           "The part of the face: `[a0, a1, b0, b1]`, from a0 to a1 along the first transverse "
           "axis and from b0 to b1 along the second, in the order x, y, z, from the corner of the "
           "box. Where patches overlap, the first one in the file counts.")
      .one_of("center");
  patch
      .add("center", &Patch::center, numbers<Vec2>(any_number, "such as [16, 16]"),
           "this and radius, or a box",
           "The part of the face: centre of a circle, in the same coordinates.")
      .needs("radius")
      .not_with("profile", "duct");
  patch
      .add("radius", &Patch::radius, number(positive), "this and center, or a box",
           "Radius of that circle.")
      .needs("center");
  const std::size_t first = patch.keys().size();
  add_condition(patch, true);
  for (Key& key : std::span(patch.keys()).subspan(first)) {
    key.doc = fmt::format("As `boundaries.FACE{}`.", key.path.substr(patch.path().size()));
    if (key.path.find(".profile_") != std::string::npos) key.unless("center");  // of required_with
  }
}

ValueType<std::vector<int>> face_list() {
  auto type = list_of_words(face_word());
  type.write = [write = type.write](const std::vector<int>& values) {
    return values.empty() ? std::string() : write(values);
  };
  return type;
}

void add_sponge(const auto& sponge) {
  sponge
      .add("faces", &SpongeKeys::faces, face_list(), "none",
           "Faces with a sponge before them: a layer in which the flow relaxes to that of the far "
           "field, so that little sound comes back from the face ([far_field.md](far_field.md)). "
           "Not before periodic faces.")
      .needs("sponge.thickness")
      .needs("sponge.velocity");
  sponge
      .add("thickness", &SpongeKeys::thickness, number(positive), "required with faces",
           "Thickness of each layer, in cells; in m with `units: si`. Sound at 45 degrees needs "
           "1.5 wavelengths.")
      .needs("sponge.faces");
  sponge
      .add("strength", &SpongeKeys::strength, number(positive), "3 in a sponge",
           "Sound at right angles decays by exp(-strength) on its way to the face, and again on "
           "its way back. Vortices, which are slower than sound, decay faster.")
      .needs("sponge.faces");
  sponge
      .add("velocity", &SpongeKeys::velocity, vector(), "required with faces",
           "Velocity of the far field, in reference velocities; in m/s with `units: si`.")
      .needs("sponge.faces");
  sponge
      .add("pressure", &SpongeKeys::pressure, number(any_number), "0 in a sponge",
           "Pressure of the far field relative to the reference pressure, in rho0 U^2; in Pa with "
           "`units: si`.")
      .needs("sponge.faces");
  sponge
      .add("ramp_time", &SpongeKeys::ramp_time, number(positive), "none",
           "The velocity of the far field rises smoothly from 0, as that of an inlet with "
           "`ramp_time`.")
      .needs("sponge.faces");
}

}  // namespace

void add_boundary_keys(Parts& parts) {
  for (std::size_t face = 0; face < face_names().size(); ++face) {
    const std::string path = "boundaries." + face_names()[face];
    std::vector<Key>& keys = keys_of_case(parts).keys();
    const auto of = [face](auto& c, std::size_t) -> auto& { return c.faces[face]; };
    add_face(KeyGroup<std::decay_t<decltype(Case::faces[0])>>(keys, path, Place::of(of)));
    share_rows(keys, face);
    const auto patches = [face](auto& c) -> auto& { return c.faces[face].patches; };
    add_group(parts, path + ".patches", patches, [face](const auto& patch) {
      add_patch(patch);
      share_rows(patch.keys(), face);
    });
  }
  add_sponge(keys_of_case(parts).group("sponge", &Case::sponge));
}

}  // namespace lbm::cases::key_table
