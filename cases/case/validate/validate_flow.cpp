// SPDX-License-Identifier: Apache-2.0

// Forces and initial flow.
#include <cmath>

#include "cases/case/limits.hpp"
#include "cases/case/model/case_formulas.hpp"
#include "cases/case/model/place_formulas.hpp"
#include "cases/case/validate/validate_parts.hpp"

namespace lbm::cases::validation {
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

namespace {

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

// The peak of developed flows is along an axis.
void check_initial(const Case& lbm_case) {
  const Initial& initial = lbm_case.initial;
  const auto axis = static_cast<std::size_t>(initial.axis);
  if (initial.flow != InitialFlow::duct && initial.flow != InitialFlow::perturbed_channel) return;
  for (std::size_t i = 0; initial.velocity && i < 3; ++i) {
    if (((*initial.velocity)[i] != 0) == (i == axis)) continue;
    refuse(lbm_case, "initial.velocity",
           fmt::format("found {} along {}, must be along initial.axis, {}, alone",
                       (*initial.velocity)[i], "xyz"[i], "xyz"[axis]));
  }
}

}  // namespace

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
  check_initial(lbm_case);
  if (lbm_case.initial.flow == InitialFlow::formula) {
    check_flow_formulas(lbm_case, derived);
    return;
  }
  if (!lbm_case.initial.velocity) return;
  const Vec3 u = to_lattice_velocity(units, *lbm_case.initial.velocity);
  check_speed(lbm_case, "initial.velocity", std::hypot(u[0], u[1], u[2]), derived);
}

}  // namespace lbm::cases::validation
