// SPDX-License-Identifier: Apache-2.0

// Key table: faces of the box and their patches.
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
  condition.add("profile", &FaceCondition::profile, words<InletProfile>())
      .only_with("type", "velocity");
  condition
      .add("profile_center", &FaceCondition::profile_center,
           numbers<Vec2>(any_number, "such as [16, 16]"))
      .only_with("type", "velocity")
      .only_with("profile", "pipe")
      .required_with("profile", "pipe");
  condition.add("profile_radius", &FaceCondition::profile_radius, number(positive))
      .only_with("type", "velocity")
      .only_with("profile", "pipe")
      .required_with("profile", "pipe");
  condition.add("file", &FaceCondition::file, file_name())
      .only_with("type", "velocity")
      .belongs_to("profile", "table");
  condition.add("ramp_time", &FaceCondition::ramp_time, number(positive))
      .only_with("type", {"velocity", "far_field"})
      .excludes("velocity_factor");
  const auto turbulence = condition.group("turbulence", &FaceCondition::turbulence);
  turbulence.add("intensity", &Turbulence::intensity, number({.above = 0, .below = 1}))
      .only_with("type", "velocity")
      .needs("length");
  turbulence.add("length", &Turbulence::length, number(positive))
      .only_with("type", "velocity")
      .needs("intensity");
  turbulence.add("seed", &Turbulence::seed, whole(0, 1'000'000'000))
      .only_with("type", "velocity")
      .needs("intensity");
}

void add_condition(const auto& condition, bool of_patch) {
  condition.add("type", &FaceCondition::type, boundary_type(of_patch));
  condition
      .add_vector_or_formulas("velocity", &FaceCondition::velocity,
                              &FaceCondition::velocity_formulas, R"(["1 - (y/ly)^2", 0, 0])")
      .only_with("type", {"wall", "velocity", "far_field"})
      .only_with("type", "velocity")
      .when(by_formulas)
      .excludes("profile")
      .when(by_formulas)
      .not_with("profile", "table");
  condition.add("velocity_factor", &FaceCondition::velocity_factor, formula("\"1 - exp(-t)\""))
      .only_with("type", {"wall", "velocity", "far_field"})
      .needs({"velocity", "file"});
  condition.add("period", &FaceCondition::period, number(positive))
      .only_with("type", "wall")
      .needs("velocity")
      .excludes("velocity_factor");
  condition
      .add_number_or_formula("pressure", &FaceCondition::pressure, &FaceCondition::pressure_formula,
                             "\"-9.81*rho0*(y - ly/2)\"")
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

void add_face(const auto& face, std::size_t number) {
  Key& whole = face.add("", &Face::type, boundary_type(false));
  // Not written: the writer uses the long form.
  whole.writer = [](const Case&, std::size_t) { return std::string(); };
  add_condition(face, false);
  const std::string opposite = "boundaries." + face_names()[number ^ 1] + ".pressure_drop";
  face.add("pressure_drop", &Face::pressure_drop, value_types::number(any_number))
      .only_with("type", "periodic")
      .excludes(opposite.c_str());
}

ValueType<std::array<double, 4>> box() {
  using Box = std::array<double, 4>;
  return where(numbers<Box>(any_number, ""),
               "[a0, a1, b0, b1] with a0 < a1 and b0 < b1, such as [8, 24, 0, 16]",
               [](const Box& b) { return b[0] < b[1] && b[2] < b[3]; });
}

void add_patch(const auto& patch) {
  patch.add("box", &Patch::box, box()).one_of("center");
  patch.add("center", &Patch::center, numbers<Vec2>(any_number, "such as [16, 16]"))
      .needs("radius")
      .not_with("profile", "duct");
  patch.add("radius", &Patch::radius, number(positive)).needs("center");
  const std::size_t first = patch.keys().size();
  add_condition(patch, true);
  for (Key& key : std::span(patch.keys()).subspan(first)) {
    if (key.path.find(".profile_") != std::string::npos) key.unless("center");  // of required_with
  }
}

void add_sponge(const auto& sponge) {
  sponge.add("faces", &SpongeKeys::faces, list_of_words(face_word()))
      .needs("sponge.thickness")
      .needs("sponge.velocity");
  sponge.add("thickness", &SpongeKeys::thickness, number(positive)).needs("sponge.faces");
  sponge.add("strength", &SpongeKeys::strength, number(positive)).needs("sponge.faces");
  sponge.add("velocity", &SpongeKeys::velocity, vector()).needs("sponge.faces");
  sponge.add("pressure", &SpongeKeys::pressure, number(any_number)).needs("sponge.faces");
  sponge.add("ramp_time", &SpongeKeys::ramp_time, number(positive))
      .needs("sponge.faces")
      .not_with("sponge.velocity", "[0, 0, 0]");
}

}  // namespace

void add_boundary_keys(Parts& parts) {
  for (std::size_t face = 0; face < face_names().size(); ++face) {
    const std::string path = "boundaries." + face_names()[face];
    std::vector<Key>& keys = keys_of_case(parts).keys();
    const auto of = [face](auto& c, std::size_t) -> auto& { return c.faces[face]; };
    add_face(KeyGroup<std::decay_t<decltype(Case::faces[0])>>(keys, path, Place::of(of)), face);
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
