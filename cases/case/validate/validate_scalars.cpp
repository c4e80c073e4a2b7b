// SPDX-License-Identifier: Apache-2.0

// Scalars: what they go with, their faces and bodies; relaxation times, sizes of stored values,
// speeds of free fall.
#include <algorithm>
#include <cmath>
#include <string_view>

#include "cases/case/case_location.hpp"
#include "cases/case/limits.hpp"
#include "cases/case/model/case_formulas.hpp"
#include "cases/case/model/case_model.hpp"
#include "cases/case/model/case_scalars.hpp"
#include "cases/case/schema/keys.hpp"
#include "cases/case/validate/validate.hpp"
#include "cases/case/validate/validate_parts.hpp"

namespace lbm::cases::validation {
namespace {

std::string key_of_scalar(const ScalarKeys& scalar, const std::string& name) {
  return "scalars." + scalar.name + "." + name;
}

std::string diffusivity_key(const ScalarKeys& scalar) {
  return key_of_scalar(scalar, scalar.prandtl  ? "prandtl"
                               : scalar.peclet ? "peclet"
                                               : "diffusivity");
}

// True for the name of a field, of its components, or of a column of the files that lbm writes.
bool is_taken(const std::string& name) {
  const auto among = [&](const auto& names) {
    return std::any_of(names.begin(), names.end(),
                       [&](std::string_view other) { return other == name; });
  };
  return among(enum_names(FieldKind{})) || among(enum_names(QuantityField{})) ||
         among(enum_names(PictureQuantity{})) ||
         among(std::array{"p", "ux", "uy", "uz", "x", "y", "z", "t", "step", "time", "Time",
                          "Normals", "vtkGhostType"});
}

void check_surroundings(const Case& lbm_case) {
  const auto conflict = [&](bool found, const char* key, const std::string& what) {
    if (found) refuse(lbm_case, key, "found " + what);
  };
  conflict(lbm_case.lattice.smagorinsky > 0, "lattice.smagorinsky",
           "a turbulence model, which has no diffusivity for scalars yet: take 0, or remove "
           "scalars");
  conflict(acceleration_depends_on_place(lbm_case), "force.acceleration",
           "formulas of the place, which conflict with scalars: take the same force everywhere, or "
           "remove scalars");
  for (const Body& body : lbm_case.bodies) {
    const bool slides = body.velocity.value_or(Vec3{}) != Vec3{};
    const bool moves = body.solid && (slides || body.angular_velocity.value_or(Vec3{}) != Vec3{});
    const std::string key = slides ? ".velocity" : ".angular_velocity";
    conflict(moves, ("bodies." + body.name + key).c_str(),
             "a surface that moves, which conflicts with scalars: take a body at rest, or remove "
             "scalars");
  }
  const bool buoyant = std::any_of(
      lbm_case.scalars.begin(), lbm_case.scalars.end(),
      [](const ScalarKeys& s) { return s.rayleigh || s.buoyancy.value_or(Vec3{}) != Vec3{}; });
  conflict(buoyant && lbm_case.run.flow_rate_corrections > 0, "run.flow_rate_corrections",
           "corrections, which conflict with a buoyant scalar: take 0, or remove rayleigh and "
           "buoyancy");
  conflict(buoyant && lbm_case.initial.flow == InitialFlow::darcy, "initial.flow",
           "darcy, which conflicts with a buoyant scalar: start from rest, or remove rayleigh and "
           "buoyancy");
}

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

void check_scalar_bodies(const Case& lbm_case, const ScalarKeys& scalar) {
  const std::string key = key_of_scalar(scalar, "bodies");
  if (scalar.bodies.size() != scalar.body_values.size()) {
    refuse(lbm_case, key_of_scalar(scalar, "body_values"),
           fmt::format("found {} values for {} bodies, must be one for each",
                       scalar.body_values.size(), scalar.bodies.size()));
  }
  for (std::size_t b = 0; b < scalar.bodies.size(); ++b) {
    const std::string& name = scalar.bodies[b];
    const auto end = scalar.bodies.begin() + static_cast<std::ptrdiff_t>(b);
    if (std::find(scalar.bodies.begin(), end, name) != end) {
      refuse(lbm_case, key, fmt::format("found {} twice, must be once", name));
    }
    const auto number = number_of_body(lbm_case, name);
    if (!number) refuse(lbm_case, key, fmt::format("found {}, must be a solid body", name));
    if (*number < most_holding_bodies) continue;
    refuse(lbm_case, key,
           fmt::format("found {}, which is solid body {} of the case, must be one of the first {}: "
                       "put it before others",
                       name, *number + 1, most_holding_bodies));
  }
}

// The largest size of a stored value that the case names.
double largest_stored(const Case& lbm_case, const ScalarKeys& scalar, double initial) {
  double most = initial;
  const auto add = [&](double value) {
    most = std::max(most, std::abs(stored_value(scalar, value)));
  };
  for (std::size_t f = 0; f < scalar.faces.size(); ++f) {
    const ScalarBoundary kind = face_kind(scalar, lbm_case, f);
    const bool named = kind == ScalarBoundary::value || kind == ScalarBoundary::convection;
    if (named && scalar.faces[f].value) add(*scalar.faces[f].value);
  }
  for (const double value : scalar.body_values) add(value);
  return most;
}

}  // namespace

void check_scalars(const Case& lbm_case) {
  const auto& all = lbm_case.scalars;
  if (all.empty()) return;
  if (all.size() > most_scalars) {
    refuse(
        lbm_case, "scalars." + all[most_scalars].name,
        fmt::format("found {} scalars, must be at most {}: remove some", all.size(), most_scalars));
  }
  check_surroundings(lbm_case);
  for (const ScalarKeys& scalar : all) {
    if (is_taken(scalar.name)) {
      refuse(lbm_case, "scalars." + scalar.name,
             "found the name of another field, must be a new one, such as temperature");
    }
    check_scalar_faces(lbm_case, scalar);
    check_scalar_bodies(lbm_case, scalar);
  }
}

void check_scalar_values(const Case& lbm_case, const Derived& derived) {
  if (lbm_case.scalars.empty()) return;
  const std::vector<double> initial = sampled_initial_scalars(lbm_case, derived);
  const double most = most_stored_scalar(lbm_case.lattice.storage);
  for (std::size_t s = 0; s < lbm_case.scalars.size(); ++s) {
    const ScalarKeys& scalar = lbm_case.scalars[s];
    const double stored = largest_stored(lbm_case, scalar, initial[s]);
    if (!(stored <= most)) {
      refuse(lbm_case, key_of_scalar(scalar, "difference"),
             fmt::format("the case has values up to {:.4g} times it from the reference, must be at "
                         "most {} times (lattice.storage: {}): raise it, or move the reference",
                         stored, most, to_string(lbm_case.lattice.storage)));
    }
    const ScalarNumbers n = numbers_of(scalar, lbm_case, derived);
    const std::string key = diffusivity_key(scalar);
    const auto omega = static_cast<float>(1 / n.tau);
    if (!std::isfinite(n.tau) || n.tau > max_tau) {
      refuse(lbm_case, key,
             fmt::format("gives a relaxation time of {:.4g} steps, must give at most {}: lower "
                         "fluid.lattice_velocity",
                         n.tau, max_tau));
    }
    if (!(omega < 2)) {
      refuse(lbm_case, key,
             fmt::format("gives a diffusivity of {:.4g} cells^2 per step, whose relaxation time is "
                         "1/2 in single precision, must be above: take a finer grid",
                         n.diffusivity));
    }
    // Buoyancy alone accelerates the fluid by this in a step.
    const Vec3 a = buoyancy_of(scalar, lbm_case, derived);
    const double mach = std::sqrt(3.0) * std::hypot(a[0], a[1], a[2]);
    if (mach <= lbm_case.run.max_mach) continue;
    refuse(lbm_case, key_of_scalar(scalar, scalar.rayleigh ? "rayleigh" : "buoyancy"),
           fmt::format("gives {:.4g} cells/step^2, which changes the flow by Mach {:.3g} in a "
                       "step, must be at most Mach {} (run.max_mach): lower it, or "
                       "fluid.lattice_velocity",
                       mach / std::sqrt(3.0), mach, lbm_case.run.max_mach));
  }
}

std::vector<std::string> scalar_warnings(const Case& lbm_case, const Derived& derived) {
  constexpr double least_tau = 0.5005, most_tau = 2, most_mach = 0.15, few_cells = 3;
  std::vector<std::string> lines;
  if (lbm_case.scalars.empty()) return lines;
  const auto add = [&](const std::string& key, const std::string& what) {
    lines.push_back(where(lbm_case, key) + ": " + what);
  };
  constexpr double most_stored = 10;
  const std::vector<double> initial = sampled_initial_scalars(lbm_case, derived);
  for (std::size_t s = 0; s < lbm_case.scalars.size(); ++s) {
    const ScalarKeys& scalar = lbm_case.scalars[s];
    const ScalarNumbers n = numbers_of(scalar, lbm_case, derived);
    if (n.tau < least_tau) {
      add(diffusivity_key(scalar),
          fmt::format("tau of the scalar = {:.6g} is below {}: steep slopes may oscillate: take a "
                      "finer grid, or a higher diffusivity",
                      n.tau, least_tau));
    }
    if (n.tau > most_tau) {
      add(diffusivity_key(scalar),
          fmt::format("tau of the scalar = {:.6g} is above {}, walls lose accuracy: lower "
                      "fluid.lattice_velocity",
                      n.tau, most_tau));
    }
    const double stored = largest_stored(lbm_case, scalar, initial[s]);
    if (stored > most_stored) {
      add(key_of_scalar(scalar, "difference"),
          fmt::format("values up to {:.4g} times it from the reference, more than {}: raise "
                      "it, or take another reference",
                      stored, most_stored));
    }
    const double speed = std::max(derived.velocity, n.free_fall);
    const double least = least_tau_of_square * speed * speed / 4;
    if (n.diffusivity < least) {
      add(diffusivity_key(scalar),
          fmt::format("diffusivity {:.3g} cells^2 per step: where fluid moves at {:.3g} cells per "
                      "step the scalar diffuses by {:.3g}, since less is unstable: take a grid "
                      "{:.2g} times finer, or a lower fluid.lattice_velocity",
                      n.diffusivity, speed, least, least / n.diffusivity));
    }
    const double length = std::hypot(scalar.up[0], scalar.up[1], scalar.up[2]);
    for (std::size_t a = 0; a < 3 && scalar.rayleigh; ++a) {
      const bool along = std::abs(scalar.up[a]) > 0.99 * length;
      if (!along || lbm_case.faces[2 * a].type != BoundaryKind::periodic) continue;
      add(key_of_scalar(scalar, "up"),
          fmt::format("points along {}, which is periodic: nothing stops the fluid there: take the "
                      "direction between walls",
                      "xyz"[a]));
    }
    if (n.layer > 0 && n.layer < few_cells) {
      add(key_of_scalar(scalar, "rayleigh"),
          fmt::format("the thermal boundary layer is about {:.2g} cells thick, below {}, and not "
                      "resolved: take a grid {:.2g} times finer, or a lower Rayleigh number",
                      n.layer, few_cells, few_cells / n.layer));
    }
    const double mach = std::sqrt(3.0) * n.free_fall;
    if (mach > most_mach) {
      add(key_of_scalar(scalar, scalar.rayleigh ? "rayleigh" : "buoyancy"),
          fmt::format("the speed of free fall is Mach {:.3g}, above {}: compressibility errors are "
                      "visible: lower fluid.lattice_velocity",
                      mach, most_mach));
    }
  }
  return lines;
}

}  // namespace lbm::cases::validation
