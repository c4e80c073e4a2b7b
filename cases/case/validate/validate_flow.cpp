// SPDX-License-Identifier: Apache-2.0

// Units, forces, initial flow and length of the run.
#include <cmath>

#include "cases/case/limits.hpp"
#include "cases/case/model/case_formulas.hpp"
#include "cases/case/model/place_formulas.hpp"
#include "cases/case/validate/validate_parts.hpp"

namespace lbm::cases::validation {
namespace {

void check_force(const Case& lbm_case) {
  const Force& force = lbm_case.force;
  if (force.amplitude.has_value() == force.period.has_value()) return;
  refuse(lbm_case, force.amplitude ? "force.amplitude" : "force.period",
         fmt::format("missing: force.{} (give both or neither)",
                     force.amplitude ? "period" : "amplitude"));
}

void check_initial(const Case& lbm_case) {
  const Initial& initial = lbm_case.initial;
  const bool along_axis =
      initial.flow == InitialFlow::duct || initial.flow == InitialFlow::perturbed_channel;
  const bool formula = initial.flow == InitialFlow::formula;
  if (initial.velocity_formulas && !formula) {
    refuse(lbm_case, "initial.velocity",
           fmt::format("found formulas with initial.flow: {}, must be initial.flow: formula, or "
                       "three numbers",
                       to_string(initial.flow)));
  }
  if (!initial.pressure.empty() && !formula) {
    refuse(lbm_case, "initial.pressure",
           fmt::format("conflicts with initial.flow: {}, requires initial.flow: formula: set that "
                       "or remove it",
                       to_string(initial.flow)));
  }
  if (formula && !initial.velocity && !initial.velocity_formulas) {
    refuse(lbm_case, "initial.velocity", "missing: initial.flow: formula requires it");
  }
  const bool file = initial.flow == InitialFlow::file;
  if (file && initial.file.empty()) {
    refuse(lbm_case, "initial.file", "missing: initial.flow: file requires it");
  }
  if (!file && !initial.file.empty()) {
    refuse(lbm_case, "initial.file",
           fmt::format("conflicts with initial.flow: {}, requires initial.flow: file: set that or "
                       "remove it",
                       to_string(initial.flow)));
  }
  if (initial.flow == InitialFlow::uniform && !initial.velocity) {
    refuse(lbm_case, "initial.velocity", "missing: initial.flow: uniform requires it");
  }
  if (initial.velocity && initial.flow != InitialFlow::uniform && !along_axis && !formula) {
    refuse(lbm_case, "initial.velocity",
           "conflicts with initial.flow, which must be uniform, duct, perturbed_channel or formula "
           "here");
  }
  if (initial.disturbance && initial.flow != InitialFlow::perturbed_channel) {
    refuse(lbm_case, "initial.disturbance",
           "conflicts with initial.flow, which must be perturbed_channel here");
  }
  if (!initial.velocity || !along_axis) return;
  const auto axis = static_cast<std::size_t>(initial.axis);
  for (std::size_t i = 0; i < 3; ++i) {
    if (((*initial.velocity)[i] != 0) == (i == axis)) continue;
    refuse(lbm_case, "initial.velocity",
           fmt::format("found {} along {}, must be along initial.axis, {}, alone",
                       (*initial.velocity)[i], "xyz"[i], "xyz"[axis]));
  }
}

}  // namespace

void check_unit_keys(const Case& lbm_case) {
  const Grid& grid = lbm_case.grid;
  const Fluid& fluid = lbm_case.fluid;
  if (lbm_case.units == UnitSystem::lattice) {
    const auto only_si = [&](const char* key, bool given) {
      if (!given) return;
      refuse(lbm_case, key,
             "conflicts with units: lattice, requires units: si: set that or remove it");
    };
    only_si("grid.size", grid.size.has_value());
    only_si("grid.spacing", grid.spacing.has_value());
    only_si("grid.cells_per_length", grid.cells_per_length.has_value());
    only_si("fluid.velocity", fluid.velocity.has_value());
    only_si("fluid.density", fluid.density.has_value());
    return;
  }
  if (!fluid.velocity) {
    missing(lbm_case, "missing: fluid.velocity in m/s, which units: si requires");
  }
  if (grid.spacing) return;
  if (!grid.cells_per_length) {
    missing(
        lbm_case,
        "missing: grid.spacing in m, or fluid.length and grid.cells_per_length, which units: si "
        "requires");
  }
  if (!fluid.length) {
    missing(lbm_case, "missing: fluid.length in m, which grid.cells_per_length requires");
  }
}

void check_flow(const Case& lbm_case) {
  check_force(lbm_case);
  check_initial(lbm_case);
  if (lbm_case.run.until_steady.every && !lbm_case.run.until_steady.tolerance) {
    refuse(lbm_case, "run.until_steady.every",
           "missing: run.until_steady.tolerance (add it or remove this key)");
  }
  if (!lbm_case.run.until_steady.quantities.empty() && !lbm_case.run.until_steady.tolerance) {
    refuse(lbm_case, "run.until_steady.quantities",
           "missing: run.until_steady.tolerance (add it or remove this key)");
  }
}

void check_pressure(const Case& lbm_case, const std::string& key, double pressure,
                    const Units& units) {
  const double density = 1 + to_density_difference(units, pressure);
  const auto& [low, high] = lbm_case.run.density_range;
  if (density > 0 && density >= low && density <= high) return;
  refuse(lbm_case, key,
         fmt::format("found {}, which gives a density of {:.4g}, must be above 0 and from {} to {} "
                     "(run.density_range): lower it, or fluid.lattice_velocity",
                     pressure, density, low, high));
}

// A run ends at the first step, whatever holds the flow.
void check_acceleration(const Case& lbm_case, const std::string& key, double acceleration) {
  const double mach = std::sqrt(3.0) * acceleration;
  if (mach <= lbm_case.run.max_mach) return;
  refuse(lbm_case, key,
         fmt::format("found {:.4g} cells/step^2, which changes the flow by Mach {:.3g} in a step, "
                     "must be at most Mach {} (run.max_mach): lower it, or fluid.lattice_velocity",
                     acceleration, mach, lbm_case.run.max_mach));
}

void check_force_by_place(const Case& lbm_case, const Derived& derived, bool by_place) {
  const Force& force = lbm_case.force;
  const std::string& factor = force.acceleration_factor;
  if (!by_place) {
    if (factor.empty()) return;
    refuse(
        lbm_case, "force.acceleration_factor",
        "missing: formulas of x, y or z in force.acceleration, which this factor multiplies: add "
        "them, or write the factor into a formula of t there");
  }
  if (force.amplitude) {
    refuse(lbm_case, "force.amplitude",
           "conflicts with force.acceleration, which depends on the place: remove one, or let "
           "force.acceleration_factor oscillate");
  }
  if (lbm_case.lattice.collision == CollisionKind::regularised_filtered) {
    refuse(lbm_case, "force.acceleration",
           "found formulas of the place, which conflict with lattice.collision: "
           "regularised_filtered: take another collision, or the same force everywhere");
  }
  check_force_formulas(lbm_case, derived);
}

void check_forces(const Case& lbm_case, const Derived& derived, const Units& units) {
  const Force& force = lbm_case.force;
  const auto check = [&](const std::string& key, const std::optional<Vec3>& acceleration) {
    if (!acceleration) return;
    const Vec3 a = to_lattice_acceleration(units, *acceleration);
    check_acceleration(lbm_case, key, std::hypot(a[0], a[1], a[2]));
  };
  check("force.acceleration", force.acceleration);
  check("force.amplitude", force.amplitude);
  const bool by_place = acceleration_depends_on_place(lbm_case);
  check_force_by_place(lbm_case, derived, by_place);
  const double unit = to_lattice_acceleration(units, {1, 0, 0})[0];
  for (const std::string& text : force.acceleration_formulas.value_or(Formulas{})) {
    if (text.empty() || by_place) continue;
    const TimeFormula formula(lbm_case, derived, "force.acceleration", text, unit);
    check_acceleration(lbm_case, "force.acceleration", formula.sampled_size(derived.steps));
  }
  for (std::size_t face = 0; face < lbm_case.faces.size(); ++face) {
    const auto& drop = lbm_case.faces[face].pressure_drop;
    if (!drop) continue;
    const double difference = std::abs(to_density_difference(units, *drop));
    const auto& [low, high] = lbm_case.run.density_range;
    if (difference <= high - low) continue;
    refuse(lbm_case, face_key(face) + ".pressure_drop",
           fmt::format(
               "found {}, which is a difference of densities of {:.4g}, must be at most {:.4g} "
               "(run.density_range): lower it, or fluid.lattice_velocity",
               *drop, difference, high - low));
  }
}

void check_period(const Case& lbm_case, const std::string& key, double period, const Units& units) {
  if (to_steps(units, period) >= min_period) return;
  refuse(lbm_case, key,
         fmt::format("found {}, which is {:.3g} steps, must be at least {}: raise it or lower "
                     "fluid.lattice_velocity",
                     period, to_steps(units, period), min_period));
}

void check_flow_values(const Case& lbm_case, const Derived& derived, const Units& units) {
  if (lbm_case.force.period) check_period(lbm_case, "force.period", *lbm_case.force.period, units);
  check_forces(lbm_case, derived, units);
  if (lbm_case.initial.flow == InitialFlow::formula) {
    check_flow_formulas(lbm_case, derived);
    return;
  }
  if (!lbm_case.initial.velocity) return;
  const Vec3 u = to_lattice_velocity(units, *lbm_case.initial.velocity);
  check_speed(lbm_case, "initial.velocity", std::hypot(u[0], u[1], u[2]), derived);
}

}  // namespace lbm::cases::validation
