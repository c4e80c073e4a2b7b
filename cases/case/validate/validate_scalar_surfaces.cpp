// SPDX-License-Identifier: Apache-2.0

// Scalars: conditions at faces and at the surfaces of bodies, conductors.
#include <algorithm>

#include "cases/case/model/case_formulas.hpp"
#include "cases/case/model/case_scalars.hpp"
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

struct ListOfBodies {
  const char* name;  // of the key
  std::size_t size;
  bool optional = false;
};

// Bodies that a key of the scalar lists, and the lists of numbers beside it.
void check_scalar_bodies(const Case& lbm_case, const ScalarKeys& scalar, const char* name,
                         const std::vector<std::string>& bodies,
                         const std::vector<ListOfBodies>& lists) {
  const std::string key = key_of_scalar(scalar, name);
  for (const auto& [list_name, size, optional] : lists) {
    if (size == bodies.size() || (optional && size == 0)) continue;
    refuse(lbm_case, key_of_scalar(scalar, list_name),
           fmt::format("found {} values for {} bodies, must be one for each", size, bodies.size()));
  }
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const std::string& body = bodies[b];
    const auto end = bodies.begin() + static_cast<std::ptrdiff_t>(b);
    if (std::find(bodies.begin(), end, body) != end) {
      refuse(lbm_case, key, fmt::format("found {} twice, must be once", body));
    }
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
    const bool convects = scalar.type_of_body(b) == ScalarBoundary::convection;
    const double coefficient = scalar.body_coefficients.empty() ? 0 : scalar.body_coefficients[b];
    if (convects == (coefficient > 0)) continue;
    refuse(
        lbm_case,
        key_of_scalar(scalar,
                      scalar.body_coefficients.empty() ? "body_types" : "body_coefficients"),
        fmt::format("found {} for {}, whose type is {}: must be {}", coefficient, scalar.bodies[b],
                    to_string(scalar.type_of_body(b)), convects ? "> 0 (body_coefficients)" : "0"));
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

void check_scalar_surfaces(const Case& lbm_case, const ScalarKeys& scalar) {
  check_scalar_faces(lbm_case, scalar);
  check_scalar_bodies(lbm_case, scalar);
}

std::vector<GivenValue> given_values(const Case& lbm_case, const Derived& derived,
                                     const ScalarKeys& scalar) {
  std::vector<GivenValue> all;
  for (std::size_t f = 0; f < scalar.faces.size(); ++f) {
    const ScalarBoundary kind = face_kind(scalar, lbm_case, f);
    const bool given = kind == ScalarBoundary::value || kind == ScalarBoundary::convection;
    const std::string key = "boundaries." + face_names()[f] + ".value";
    if (given && scalar.faces[f].value) all.push_back({key, *scalar.faces[f].value});
    if (scalar.faces[f].formula.empty()) continue;
    for (const double stored : ScalarFaceFormula(lbm_case, derived, scalar, f).sample()) {
      if (given) all.push_back({key, scalar.reference + scalar.difference * stored});
    }
  }
  for (std::size_t b = 0; b < scalar.bodies.size(); ++b) {
    if (scalar.type_of_body(b) == ScalarBoundary::flux) continue;
    all.push_back({"body_values", scalar.body_values[b]});
  }
  return all;
}

}  // namespace lbm::cases::validation
