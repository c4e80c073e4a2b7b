// SPDX-License-Identifier: Apache-2.0

// Scalars: conditions at faces and at the surfaces of bodies, conductors.
#include <algorithm>

#include "cases/case/model/case_formulas.hpp"
#include "cases/case/model/case_scalars.hpp"
#include "cases/case/scalars.hpp"
#include "cases/case/schema/keys.hpp"
#include "cases/case/validate/validate_parts.hpp"

namespace lbm::cases::validation {
namespace {

void check_scalar_faces(const Case& lbm_case, const ScalarKeys& scalar) {
  for (std::size_t f = 0; f < scalar.faces.size(); ++f) {
    const bool periodic = face_kind(scalar, lbm_case, f) == ScalarBoundary::periodic;
    const bool flow_periodic = lbm_case.faces[f].type == BoundaryKind::periodic;
    if (periodic == flow_periodic) continue;
    const std::string key = key_of_scalar(scalar, "boundaries." + face_names()[f]);
    const bool long_form = lbm_case.lines.contains(key + ".type");
    refuse(lbm_case, long_form ? key + ".type" : key,
           fmt::format("found {}, but the flow is {} there ({}): make both periodic, or neither",
                       to_string(*scalar.faces[f].kind), to_string(lbm_case.faces[f].type),
                       face_key(f)));
  }
}

struct ListBeside {
  std::string name;  // of the key, below that of the scalar
  std::size_t size;
  bool optional = false;
};

// Names that a key of the scalar lists, and the lists of values beside it. items: "bodies".
void check_lists(const Case& lbm_case, const ScalarKeys& scalar, const std::string& name,
                 const char* items, const std::vector<std::string>& names,
                 const std::vector<ListBeside>& lists) {
  for (const auto& [list_name, size, optional] : lists) {
    if (size == names.size() || (optional && size == 0)) continue;
    refuse(
        lbm_case, key_of_scalar(scalar, list_name),
        fmt::format("found {} values for {} {}, must be one for each", size, names.size(), items));
  }
  for (auto item = names.begin(); item != names.end(); ++item) {
    if (std::find(names.begin(), item, *item) == item) continue;
    refuse(lbm_case, key_of_scalar(scalar, name),
           fmt::format("found {} twice, must be once", *item));
  }
}

// The coefficient of a body or patch, which convection alone has. key: of the coefficients or,
// without them, of the types.
void check_coefficient(const Case& lbm_case, const std::string& key, const std::string& name,
                       ScalarBoundary kind, double coefficient, const char* coefficients) {
  const bool convects = kind == ScalarBoundary::convection;
  if (convects == (coefficient > 0)) return;
  refuse(lbm_case, key,
         fmt::format("found {} for {}, whose type is {}: must be {}", coefficient, name,
                     to_string(kind), convects ? fmt::format("> 0 ({})", coefficients) : "0"));
}

// Conditions of patches of a face.
void check_scalar_patches(const Case& lbm_case, const ScalarKeys& scalar, std::size_t face) {
  const ScalarKeys::FaceKeys& keys = scalar.faces[face];
  const std::string start = "boundaries." + face_names()[face];
  for (const std::string& name : keys.patches) {
    const auto& of_flow = lbm_case.faces[face].patches;
    const auto is_it = [&](const Patch& patch) { return patch.name == name; };
    if (std::any_of(of_flow.begin(), of_flow.end(), is_it)) continue;
    refuse(lbm_case, key_of_scalar(scalar, start + ".patches"),
           fmt::format("found {}, must be a patch of the flow: add {}.patches.{}",
                       one_line(name, 64), face_key(face), name));
  }
  const auto& types = keys.patch_types;
  const bool valued = types.empty() || std::any_of(types.begin(), types.end(), takes_value);
  check_lists(lbm_case, scalar, start + ".patches", "patches", keys.patches,
              {{start + ".patch_types", types.size(), true},
               {start + ".patch_values", keys.patch_values.size(), !valued},
               {start + ".patch_coefficients", keys.patch_coefficients.size(), true}});
  for (std::size_t p = 0; p < keys.patches.size(); ++p) {
    const ScalarBoundary kind = keys.type_of_patch(p);
    const bool none = keys.patch_coefficients.empty();
    check_coefficient(
        lbm_case, key_of_scalar(scalar, start + (none ? ".patch_types" : ".patch_coefficients")),
        keys.patches[p], kind, none ? 0 : keys.patch_coefficients[p], "patch_coefficients");
    if (takes_value(kind) || keys.patch_values.empty() || keys.patch_values[p] == "0") continue;
    refuse(lbm_case, key_of_scalar(scalar, start + ".patch_values"),
           fmt::format("found {} for {}, whose type is {}: must be 0",
                       one_line(keys.patch_values[p], 64), keys.patches[p], to_string(kind)));
  }
}

void check_scalar_patches(const Case& lbm_case) {
  std::size_t count = 0;
  for (const ScalarKeys& scalar : lbm_case.scalars) {
    for (std::size_t f = 0; f < scalar.faces.size(); ++f) {
      check_scalar_patches(lbm_case, scalar, f);
      count += parts_of_face(scalar, lbm_case, f).size() - 1;
      if (count <= most_scalar_patches) continue;
      refuse(lbm_case, key_of_scalar(scalar, "boundaries." + face_names()[f]),
             fmt::format("found more than {} patches with conditions, those of all scalars "
                         "together: take larger patches, or formulas of the place",
                         most_scalar_patches));
    }
  }
}

// Bodies that a key of the scalar lists, and the lists of numbers beside it.
void check_scalar_bodies(const Case& lbm_case, const ScalarKeys& scalar, const char* name,
                         const std::vector<std::string>& bodies,
                         const std::vector<ListBeside>& lists) {
  const std::string key = key_of_scalar(scalar, name);
  check_lists(lbm_case, scalar, name, "bodies", bodies, lists);
  for (const std::string& body : bodies) {
    const auto number = number_of_body(lbm_case, body);
    if (!number) refuse(lbm_case, key, fmt::format("found {}, must be a solid body", body));
    if (*number < most_holding_bodies) continue;
    refuse(lbm_case, key,
           fmt::format("found {}, which is solid body {} of the case, must be one of the first {}: "
                       "put it before others",
                       body, *number + 1, most_holding_bodies));
  }
}

void check_scalar_bodies(const Case& lbm_case, const ScalarKeys& scalar) {
  check_scalar_bodies(lbm_case, scalar, "bodies", scalar.bodies,
                      {{"body_types", scalar.body_types.size(), true},
                       {"body_values", scalar.body_values.size()},
                       {"body_coefficients", scalar.body_coefficients.size(), true}});
  check_scalar_bodies(lbm_case, scalar, "conductors", scalar.conductors,
                      {{"conductivities", scalar.conductivities.size()},
                       {"capacities", scalar.capacities.size(), true},
                       {"conductor_sources", scalar.conductor_sources.size(), true}});
  for (std::size_t b = 0; b < scalar.bodies.size(); ++b) {
    const bool none = scalar.body_coefficients.empty();
    check_coefficient(lbm_case, key_of_scalar(scalar, none ? "body_types" : "body_coefficients"),
                      scalar.bodies[b], scalar.type_of_body(b),
                      none ? 0 : scalar.body_coefficients[b], "body_coefficients");
  }
  for (const std::string& name : scalar.conductors) {
    if (std::count(scalar.bodies.begin(), scalar.bodies.end(), name) == 0) continue;
    refuse(
        lbm_case, key_of_scalar(scalar, "conductors"),
        fmt::format("found {}, whose surface has a condition (bodies): remove it from one", name));
  }
}

}  // namespace

std::string key_of_scalar(const ScalarKeys& scalar, const std::string& name) {
  return "scalars." + scalar.name + "." + name;
}

void check_scalar_surfaces(const Case& lbm_case) {
  for (const ScalarKeys& scalar : lbm_case.scalars) {
    check_scalar_faces(lbm_case, scalar);
    check_scalar_bodies(lbm_case, scalar);
  }
  check_scalar_patches(lbm_case);
}

std::vector<GivenValue> given_values(const Case& lbm_case, const Derived& derived,
                                     const ScalarKeys& scalar) {
  std::vector<GivenValue> all;
  for (std::size_t f = 0; f < scalar.faces.size(); ++f) {
    for (const ScalarPart& part : parts_of_face(scalar, lbm_case, f)) {
      const bool given =
          part.kind == ScalarBoundary::value || part.kind == ScalarBoundary::convection;
      if (given && part.value) all.push_back({part.key, *part.value});
      if (part.formula.empty()) continue;
      for (const double stored : ScalarFaceFormula(lbm_case, derived, scalar, f, part).sample()) {
        if (given) all.push_back({part.key, scalar.reference + scalar.difference * stored});
      }
    }
  }
  for (std::size_t b = 0; b < scalar.bodies.size(); ++b) {
    if (scalar.type_of_body(b) == ScalarBoundary::flux) continue;
    all.push_back({"body_values", scalar.body_values[b]});
  }
  return all;
}

}  // namespace lbm::cases::validation
