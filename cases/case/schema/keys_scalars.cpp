// SPDX-License-Identifier: Apache-2.0

// Key table: scalars that the flow carries.
#include "cases/case/schema/key_table.hpp"
#include "cases/case/schema/keys.hpp"

namespace lbm::cases::key_table {
namespace {

using namespace value_types;

ValueType<std::vector<double>> number_list(const NumberRange& range, const char* example) {
  return filled(list_of(number(range), "list of numbers", example));
}

// The keys of a face of the scalar whose keys have the path `scalar`.
void add_face(std::vector<Key>& keys, const std::string& scalar, std::size_t face) {
  using FaceKeys = ScalarKeys::FaceKeys;
  const Place place = Place::of([face](auto& c, std::size_t at) -> auto& {
    return item(c.scalars, at).faces[face];
  });
  const std::size_t first = keys.size();
  const std::string start = scalar + ".boundaries.";
  const KeyGroup<FaceKeys> group(keys, start + face_names()[face], place);
  Key& whole = group.add("", &FaceKeys::kind, words<ScalarBoundary>());
  // Not written: the writer uses the long form.
  whole.writer = [](const Case&, std::size_t) { return std::string(); };
  group.add("type", &FaceKeys::kind, words<ScalarBoundary>());
  group
      .add_number_or_formula("value", &FaceKeys::value, &FaceKeys::formula,
                             "\"0.5 + 0.1*sin(2*pi*t)\"")
      .belongs_to("type", {"value", "flux", "convection"});
  group.add("coefficient", &FaceKeys::coefficient, number(positive))
      .belongs_to("type", "convection");
  group.add("patches", &FaceKeys::patches, names(is_item_name, "[jet, strip]"))
      .needs({"patch_types", "patch_values"});
  group
      .add("patch_types", &FaceKeys::patch_types,
           filled(list_of(words<ScalarBoundary>({{"value", ScalarBoundary::value},
                                                 {"flux", ScalarBoundary::flux},
                                                 {"convection", ScalarBoundary::convection},
                                                 {"no_flux", ScalarBoundary::no_flux},
                                                 {"open", ScalarBoundary::open}}),
                          "list of words", "value, flux, convection, no_flux, open")))
      .needs("patches");
  group
      .add("patch_values", &FaceKeys::patch_values,
           filled(list_of(formula(""), "list of numbers or formulas",
                          "such as [1, \"0.5*sin(2*pi*t)\"]")))
      .needs("patches");
  group
      .add("patch_coefficients", &FaceKeys::patch_coefficients,
           number_list(not_negative, ">= 0, such as [0.5, 0]"))
      .needs("patch_types");
  const std::size_t name = start.size() + face_names()[face].size();
  for (std::size_t i = first; i < keys.size(); ++i) {
    keys[i].row = start + "FACE" + keys[i].path.substr(name);
  }
}

void add_scalar(const auto& scalar) {
  scalar.add("diffusivity", &ScalarKeys::diffusivity, number(positive))
      .one_of({"prandtl", "peclet"});
  scalar.add("prandtl", &ScalarKeys::prandtl, number(positive));
  scalar.add("peclet", &ScalarKeys::peclet, number(positive));
  scalar.add("turbulent_prandtl", &ScalarKeys::turbulent_prandtl, number(positive))
      .needs("lattice.smagorinsky");
  scalar.add("reference", &ScalarKeys::reference, number(any_number));
  scalar.add("difference", &ScalarKeys::difference, number(positive));
  scalar.add("rayleigh", &ScalarKeys::rayleigh, number(positive)).excludes("buoyancy");
  scalar.add("buoyancy", &ScalarKeys::buoyancy, vector());
  scalar
      .add("up", &ScalarKeys::up,
           where(vector(), "such as [0, 1, 0], not all 0",
                 [](const Vec3& v) { return v != Vec3{}; }))
      .needs("rayleigh");
  scalar.add("initial", &ScalarKeys::initial, formula("\"0.5 - z/lz\""));
  scalar.add("source", &ScalarKeys::source, number(any_number));
  for (std::size_t face = 0; face < face_names().size(); ++face) {
    add_face(scalar.keys(), scalar.path(), face);
  }
  scalar.add("gradient", &ScalarKeys::gradient, vector()).excludes({"bodies", "bounds"});
  scalar
      .add("bounds", &ScalarKeys::bounds,
           where(numbers<std::array<double, 2>>(any_number, ""), "such as [0, 1], low < high",
                 [](const auto& bounds) { return bounds[0] < bounds[1]; }))
      .excludes({"source", "conductor_sources"});
  scalar.add("bodies", &ScalarKeys::bodies, names(is_item_name, "[heater, cooler]"))
      .needs("body_values");
  scalar
      .add("body_types", &ScalarKeys::body_types,
           filled(list_of(words<ScalarBoundary>({{"value", ScalarBoundary::value},
                                                 {"flux", ScalarBoundary::flux},
                                                 {"convection", ScalarBoundary::convection}}),
                          "list of words", "value, flux, convection")))
      .needs("bodies");
  scalar.add("body_values", &ScalarKeys::body_values, number_list(any_number, "such as [1, 0]"))
      .needs("bodies");
  scalar
      .add("body_coefficients", &ScalarKeys::body_coefficients,
           number_list(not_negative, ">= 0, such as [0.5, 0]"))
      .needs("body_types");
  scalar.add("conductors", &ScalarKeys::conductors, names(is_item_name, "[block, chip]"))
      .needs("conductivities");
  scalar
      .add("conductivities", &ScalarKeys::conductivities,
           number_list(positive, "> 0, such as [40, 5]"))
      .needs("conductors");
  scalar.add("capacities", &ScalarKeys::capacities, number_list(positive, "> 0, such as [2, 1.5]"))
      .needs("conductors");
  scalar
      .add("conductor_sources", &ScalarKeys::conductor_sources,
           number_list(any_number, "such as [0, 1]"))
      .needs("conductors");
}

}  // namespace

void add_scalar_keys(Parts& parts) {
  const auto scalars = [](auto& c) -> auto& { return c.scalars; };
  add_group(parts, "scalars", scalars, [](const auto& scalar) { add_scalar(scalar); });
}

}  // namespace lbm::cases::key_table
