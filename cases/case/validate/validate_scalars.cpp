// SPDX-License-Identifier: Apache-2.0

// Scalars: what they go with, relaxation times, sizes of stored values, speeds of free fall.
#include <algorithm>
#include <cmath>
#include <string_view>

#include "cases/case/case_location.hpp"
#include "cases/case/limits.hpp"
#include "cases/case/model/boundary_conditions.hpp"
#include "cases/case/model/case_formulas.hpp"
#include "cases/case/model/case_model.hpp"
#include "cases/case/model/case_scalars.hpp"
#include "cases/case/schema/keys.hpp"
#include "cases/case/validate/validate.hpp"
#include "cases/case/validate/validate_parts.hpp"

namespace lbm::cases::validation {
namespace {

std::string diffusivity_key(const ScalarKeys& scalar) {
  return key_of_scalar(scalar, scalar.prandtl  ? "prandtl"
                               : scalar.peclet ? "peclet"
                                               : "diffusivity");
}

// The key by which tau is above a limit, and the remedy.
struct TauKey {
  std::string key, remedy;
};
TauKey tau_key(const ScalarKeys& scalar, const ScalarNumbers& n, double limit) {
  const std::string slower = "lower fluid.lattice_velocity";
  if (!(4 * n.diffusivity + 0.5 <= limit)) return {diffusivity_key(scalar), slower};
  return {key_of_scalar(scalar, "capacities"), "raise the least of them, or " + slower};
}

// Relaxation time in a conductor of that conductivity over the fluid's.
double conductor_tau(const ScalarNumbers& n, double conductivity) {
  return 0.5 + 4 * n.diffusivity * conductivity / n.capacity;
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

void check_gradient(const Case& lbm_case, const ScalarKeys& scalar) {
  for (std::size_t a = 0; a < 3 && scalar.gradient; ++a) {
    if ((*scalar.gradient)[a] == 0 || lbm_case.faces[2 * a].type == BoundaryKind::periodic)
      continue;
    refuse(lbm_case, key_of_scalar(scalar, "gradient"),
           fmt::format("found one along {}, whose faces are not periodic ({}): make it 0 there, or "
                       "the faces periodic",
                       "xyz"[a], face_key(2 * a)));
  }
}

// The largest size of a stored value that the case names, and the change by the gradient in a cell.
double largest_stored(const Case& lbm_case, const Derived& derived, const ScalarKeys& scalar,
                      const std::array<double, 2>& initial) {
  double most = std::max(std::abs(initial[0]), std::abs(initial[1]));
  const auto add = [&](double value) {
    most = std::max(most, std::abs(stored_value(scalar, value)));
  };
  for (const GivenValue& given : given_values(lbm_case, derived, scalar)) add(given.value);
  if (scalar.bounds) std::for_each(scalar.bounds->begin(), scalar.bounds->end(), add);
  const double cell = make_units(lbm_case, derived).length;
  for (const double slope : scalar.gradient.value_or(Vec3{})) {
    most = std::max(most, std::abs(slope) * cell / scalar.difference);
  }
  return most;
}

void check_bounds(const Case& lbm_case, const Derived& derived, const ScalarKeys& scalar,
                  const std::array<double, 2>& initial) {
  if (!scalar.bounds) return;
  const double low = (*scalar.bounds)[0], high = (*scalar.bounds)[1];
  const auto check = [&](const std::string& key, double value, double stored) {
    if (stored >= stored_value(scalar, low) && stored <= stored_value(scalar, high)) return;
    refuse(lbm_case, key_of_scalar(scalar, key),
           fmt::format("gives {:.6g}, must be within [{:.6g}, {:.6g}] (scalars.{}.bounds)", value,
                       low, high, scalar.name));
  };
  for (const GivenValue& given : given_values(lbm_case, derived, scalar)) {
    check(given.key, given.value, stored_value(scalar, given.value));
  }
  for (const double stored : initial) {
    check(scalar.initial.empty() ? "reference" : "initial",
          scalar.reference + scalar.difference * stored, stored);
  }
  for (std::size_t f = 0; f < scalar.faces.size(); ++f) {
    const Face& flow = lbm_case.faces[f];
    const std::vector<ScalarPart> parts = parts_of_face(scalar, lbm_case, f);
    for (std::size_t p = 0; p <= flow.patches.size(); ++p) {
      const BoundaryKind of_flow = p == 0 ? flow.type : flow.patches[p - 1].type;
      const ScalarBoundary kind = parts[p < parts.size() ? p : 0].kind;
      // Fluid that enters there has the reference value.
      const bool enters = of_flow == BoundaryKind::velocity && kind == ScalarBoundary::no_flux;
      if (enters) check("reference", scalar.reference, 0);
      if (kind != ScalarBoundary::flux) continue;
      refuse(lbm_case, key_of_scalar(scalar, "bounds"),
             fmt::format("conflicts with boundaries.{}: flux: remove one", face_names()[f]));
    }
  }
  for (std::size_t b = 0; b < scalar.bodies.size(); ++b) {
    if (scalar.type_of_body(b) != ScalarBoundary::flux) continue;
    refuse(lbm_case, key_of_scalar(scalar, "bounds"),
           fmt::format("conflicts with the flux of {} (body_types): remove one", scalar.bodies[b]));
  }
}

// A relaxation time of 1/2 or less in single precision: nothing diffuses.
bool is_least(double tau) { return !(static_cast<float>(1 / tau) < 2); }

void check_conductors(const Case& lbm_case, const ScalarKeys& scalar, const ScalarNumbers& n) {
  for (std::size_t b = 0; b < scalar.conductors.size(); ++b) {
    const double tau = conductor_tau(n, scalar.conductivities[b]);
    if (tau <= max_tau && !is_least(tau)) continue;
    refuse(lbm_case, key_of_scalar(scalar, "conductivities"),
           fmt::format("gives a relaxation time of {:.9g} steps in {}, must give {}", tau,
                       scalar.conductors[b],
                       tau > 1
                           ? fmt::format("at most {}: lower it, or fluid.lattice_velocity", max_tau)
                           : "more than 1/2: raise it, or take a finer grid"));
  }
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
    check_gradient(lbm_case, scalar);
  }
  check_scalar_surfaces(lbm_case);
}

void check_scalar_values(const Case& lbm_case, const Derived& derived) {
  if (lbm_case.scalars.empty()) return;
  if (lbm_case.lattice.smagorinsky > 0 && !(derived.tau <= most_turbulent_tau)) {
    refuse(lbm_case, "lattice.smagorinsky",
           fmt::format("found a turbulence model at tau = {:.4g}, must be at most {} with scalars: "
                       "take 0, or lower fluid.lattice_velocity",
                       derived.tau, most_turbulent_tau));
  }
  const auto initial = sampled_initial_scalars(lbm_case, derived);
  const double most = most_stored_scalar(lbm_case.lattice.storage);
  for (std::size_t s = 0; s < lbm_case.scalars.size(); ++s) {
    const ScalarKeys& scalar = lbm_case.scalars[s];
    const double stored = largest_stored(lbm_case, derived, scalar, initial[s]);
    if (!(stored <= most)) {
      refuse(lbm_case, key_of_scalar(scalar, "difference"),
             fmt::format("the case has values up to {:.4g} times it from the reference, must be at "
                         "most {} times (lattice.storage: {}): raise it, or move the reference",
                         stored, most, to_string(lbm_case.lattice.storage)));
    }
    const ScalarNumbers n = numbers_of(scalar, lbm_case, derived);
    check_bounds(lbm_case, derived, scalar, initial[s]);
    if (!(n.tau <= max_tau)) {
      const TauKey from = tau_key(scalar, n, max_tau);
      refuse(lbm_case, from.key,
             fmt::format("gives a relaxation time of {:.4g} steps, must give at most {}: {}", n.tau,
                         max_tau, from.remedy));
    }
    if (is_least(n.tau)) {
      refuse(lbm_case, diffusivity_key(scalar),
             fmt::format("gives a diffusivity of {:.4g} cells^2 per step, whose relaxation time is "
                         "1/2 in single precision, must be above: take a finer grid",
                         n.diffusivity));
    }
    check_conductors(lbm_case, scalar, n);
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
  constexpr double least_tau = 0.505, most_tau = 2, most_mach = 0.15, few_cells = 3;
  constexpr double most_ratio = 2;  // ScalarCells::Component::from_surface()
  std::vector<std::string> lines;
  if (lbm_case.scalars.empty()) return lines;
  const auto add = [&](const std::string& key, const std::string& what) {
    lines.push_back(where(lbm_case, key) + ": " + what);
  };
  constexpr double most_stored = 10;
  const auto initial = sampled_initial_scalars(lbm_case, derived);
  for (std::size_t s = 0; s < lbm_case.scalars.size(); ++s) {
    const ScalarKeys& scalar = lbm_case.scalars[s];
    const ScalarNumbers n = numbers_of(scalar, lbm_case, derived);
    if (n.tau < least_tau && !scalar.bounds) {
      add(diffusivity_key(scalar),
          fmt::format("tau of the scalar = {:.6g} is below {}: steep slopes may oscillate: give "
                      "scalars.{}.bounds, take a finer grid, or a higher diffusivity",
                      n.tau, least_tau, scalar.name));
    }
    if (n.tau > most_tau) {
      const TauKey from = tau_key(scalar, n, most_tau);
      add(from.key, fmt::format("tau of the scalar = {:.6g} is above {}, walls lose accuracy: {}",
                                n.tau, most_tau, from.remedy));
    }
    for (std::size_t f = 0; f < scalar.faces.size(); ++f) {
      if (scalar.faces[f].patches.empty()) continue;
      const std::vector<std::uint8_t> cells = patch_of_cells(lbm_case, static_cast<int>(f));
      const auto& patches = lbm_case.faces[f].patches;
      for (std::size_t p = 0; p < patches.size(); ++p) {
        const auto& named = scalar.faces[f].patches;
        if (std::find(named.begin(), named.end(), patches[p].name) == named.end()) continue;
        if (std::find(cells.begin(), cells.end(), p + 1) != cells.end()) continue;
        add(key_of_scalar(scalar, "boundaries." + face_names()[f] + ".patches"),
            fmt::format(
                "{} has no cell of the face, so its condition has no effect: make it larger, "
                "or put it before the patch that covers it",
                patches[p].name));
      }
    }
    for (std::size_t b = 0; b < scalar.conductors.size(); ++b) {
      const double tau = conductor_tau(n, scalar.conductivities[b]);
      if (tau >= least_tau) continue;
      add(key_of_scalar(scalar, "conductivities"),
          fmt::format("tau of the scalar = {:.6g} in {} is below {}: steep slopes may oscillate: "
                      "take a finer grid, or a higher conductivity",
                      tau, scalar.conductors[b], least_tau));
    }
    for (std::size_t b = 0; b < scalar.body_coefficients.size(); ++b) {
      const double velocity = make_units(lbm_case, derived).velocity;
      const double ratio = scalar.body_coefficients[b] / velocity / n.diffusivity;
      if (ratio <= most_ratio) continue;
      add(key_of_scalar(scalar, "body_coefficients"),
          fmt::format(
              "coefficient x cell size / diffusivity = {:.3g} at {} is above {}: the surface "
              "acts as one with a value: take a grid {:.2g} times finer",
              ratio, scalar.bodies[b], most_ratio, ratio / most_ratio));
    }
    const double stored = largest_stored(lbm_case, derived, scalar, initial[s]);
    if (stored > most_stored) {
      add(key_of_scalar(scalar, "difference"),
          fmt::format("values up to {:.4g} times it from the reference, more than {}: raise "
                      "it, or take another reference",
                      stored, most_stored));
    }
    const double speed = std::max(derived.velocity, n.free_fall);
    const double least = least_tau_of_square * speed * speed / (4 * n.capacity);
    if (n.diffusivity < least) {
      const bool by_capacity = n.diffusivity >= least * n.capacity;
      add(by_capacity ? key_of_scalar(scalar, "capacities") : diffusivity_key(scalar),
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
