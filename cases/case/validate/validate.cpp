// SPDX-License-Identifier: Apache-2.0
#include "cases/case/validate/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "cases/case/bodies/body_shapes.hpp"
#include "cases/case/initial/coarser_case.hpp"
#include "cases/case/limits.hpp"
#include "cases/case/model/boundary_conditions.hpp"
#include "cases/case/model/case_formulas.hpp"
#include "cases/case/model/case_model.hpp"
#include "cases/case/scalars.hpp"
#include "cases/case/schema/keys.hpp"
#include "cases/case/validate/validate_parts.hpp"
#include "solver/backend/device_facts.hpp"
#include "solver/core/error.hpp"
#include "solver/lattice/plane_layout.hpp"

namespace lbm::cases {
namespace validation {

void refuse(const Case& lbm_case, const std::string& key, const std::string& what) {
  throw UsageError(where(lbm_case, key) + ": " + what);
}

void missing(const Case& lbm_case, const std::string& what) {
  throw UsageError(name_in_messages(lbm_case) + ": " + what);
}

void check_file(const Case& lbm_case, const std::string& key, const std::string& file) {
  const std::string path = path_of(lbm_case, file);
  std::error_code error;
  if (std::filesystem::is_regular_file(path, error)) return;
  const bool there = std::filesystem::exists(path, error);
  const char* const base = lbm_case.file.empty() ? "current directory" : "folder of the case";
  refuse(lbm_case, key,
         fmt::format("found {}, must be a file{}", one_line(path, 100),
                     there ? "" : fmt::format(" that exists (relative to the {})", base)));
}

// The limit is rounded down, so that the value shown is itself allowed.
void check_speed(const Case& lbm_case, const std::string& key, double speed,
                 const Derived& derived) {
  const double mach = speed * std::sqrt(3.0);
  if (mach <= max_mach) return;
  refuse(lbm_case, key,
         fmt::format("found a speed of {:.4g} x lattice_velocity {} (Mach {:.3g}), must be at "
                     "most Mach {}: lower it or fluid.lattice_velocity",
                     speed / derived.velocity, derived.velocity, mach, max_mach));
}

std::string viscosity_key(const Case& lbm_case) {
  if (const ScalarKeys* const scalar = free_fall_scalar(lbm_case)) {
    return "scalars." + scalar->name + ".rayleigh";
  }
  if (lbm_case.fluid.tau) return "fluid.tau";
  return lbm_case.fluid.viscosity ? "fluid.viscosity" : "fluid.reynolds";
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

// The pressure of Darcy's law needs a drive that is the same everywhere and does not change.
void check_darcy(const Case& lbm_case, const Units& units) {
  const auto conflict = [&](const std::string& key, const std::string& what) {
    refuse(lbm_case, key,
           what + " conflicts with initial.flow: darcy: remove it, or start from rest");
  };
  for (std::size_t f = 0; f < lbm_case.faces.size(); ++f) {
    const Face& face = lbm_case.faces[f];
    const std::string key = face_key(f);
    const bool known = face.type == BoundaryKind::periodic || face.type == BoundaryKind::wall ||
                       face.type == BoundaryKind::slip || face.type == BoundaryKind::pressure;
    if (!known) conflict(key, fmt::format("found {}, which", to_string(face.type)));
    if (!face.patches.empty()) conflict(key + ".patches", "found a patch, which");
    if (face.velocity != Vec3{}) conflict(key + ".velocity", "found a moving wall, which");
    if (!face.pressure_formula.empty()) conflict(key + ".pressure", "found a formula, which");
    if (face.pressure_drop) {
      refuse(lbm_case, key + ".pressure_drop",
             "conflicts with initial.flow: darcy: use force.acceleration, or start from rest");
    }
  }
  for (const Body& body : lbm_case.bodies) {
    if (body.velocity || body.angular_velocity) {
      conflict("bodies." + body.name, "found a surface that moves, which");
    }
  }
  if (!lbm_case.sponge.faces.empty()) conflict("sponge", "found a sponge, which");
  if (lbm_case.force.acceleration_formulas) {
    conflict("force.acceleration", "found a formula, which");
  }
  if (lbm_case.force.amplitude) conflict("force.amplitude", "found an oscillating force, which");
  if (pressure_gradient(lbm_case, units, {.count = lbm_case.grid.cells}) != Vec3{}) return;
  refuse(lbm_case, "initial.flow",
         "found darcy, which needs a force.acceleration or different pressures at two faces: add "
         "one, or start from rest");
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
  check_flow_rate_corrections(lbm_case);
  if (lbm_case.initial.flow == InitialFlow::darcy) check_darcy(lbm_case, units);
  if (lbm_case.initial.flow == InitialFlow::formula) {
    check_flow_formulas(lbm_case, derived);
    return;
  }
  if (!lbm_case.initial.velocity) return;
  const Vec3 u = to_lattice_velocity(units, *lbm_case.initial.velocity);
  check_speed(lbm_case, "initial.velocity", std::hypot(u[0], u[1], u[2]), derived);
}

}  // namespace validation

namespace {

using validation::missing;
using validation::refuse;

// Code that builds a case without grid.cells may have forgotten to derive them.
void check_resolved(const Case& lbm_case) {
  if (lbm_case.grid.cells != std::array<int, 3>{0, 0, 0}) return;
  missing(lbm_case,
          "missing: grid.cells: derive them by resolve_grid() from grid.size, or by "
          "resolve_image_grid() from an image of voxels");
}

void check_planes(const Case& lbm_case) {
  const auto& [nx, ny, nz] = lbm_case.grid.cells;
  if (ny > max_rows) {
    refuse(lbm_case, "grid.cells",
           fmt::format("found {} cells in y, must be at most {}: put the longest axis in z", ny,
                       max_rows));
  }
  const StorageType storage = lbm_case.lattice.storage;
  const CellValues cell = stored_values(lbm_case.lattice, lbm_case.scalars.size());
  if (plane_is_allowed(make_plane_layout(nx, ny, storage, cell), storage)) return;
  refuse(lbm_case, "grid.cells",
         fmt::format("found {} x {} cells in a z-plane, must be at most {} ({} values each, 2^31 "
                     "in all with padding): make nx or ny smaller and put the longest axis in z",
                     nx, ny, max_plane_values / values_of(cell), values_of(cell)));
}

void check_mach(const Case& lbm_case, const Derived& d) {
  if (d.mach <= max_mach) return;
  // Rounded down, so that the value shown is itself allowed.
  const double most = std::floor(max_mach / std::sqrt(3.0) * 1e4) / 1e4;
  refuse(lbm_case, "fluid.lattice_velocity",
         fmt::format("found {} (Mach {:.3g}), must be at most {} (Mach {})", d.velocity, d.mach,
                     most, max_mach));
}

// The solver uses omega in the arithmetic of the storage; at omega = 2 nothing relaxes.
bool is_inviscid(double tau, StorageType storage) {
  if (storage == StorageType::fp64) return !(1 / tau < 2);
  return !(static_cast<float>(1 / tau) < 2.0F);
}

void check_tau(const Case& lbm_case, const Derived& d) {
  const std::string key = validation::viscosity_key(lbm_case);
  if (!std::isfinite(d.tau) || !std::isfinite(d.reynolds)) {
    refuse(lbm_case, key, "gives a relaxation time that is not finite, must be less extreme");
  }
  if (d.tau > max_tau) {
    refuse(
        lbm_case, key,
        fmt::format("gives a relaxation time of {:.4g} steps, must give at most {}: the fluid is "
                    "too viscous for the lattice; lower fluid.lattice_velocity",
                    d.tau, max_tau));
  }
  if (d.tau > 0.5 && !is_inviscid(d.tau, lbm_case.lattice.storage)) return;
  refuse(lbm_case, key,
         fmt::format("found {}, which gives tau = {} and is 1/2 in {} arithmetic, must be above: "
                     "{}",
                     lbm_case.fluid.tau         ? d.tau
                     : lbm_case.fluid.viscosity ? *lbm_case.fluid.viscosity
                                                : d.reynolds,
                     d.tau, lbm_case.lattice.storage == StorageType::fp64 ? "double" : "single",
                     lbm_case.fluid.tau || lbm_case.fluid.viscosity
                         ? "raise " + key
                         : "lower " + key + " or refine the grid"));
}

void check_time(const Case& lbm_case, const Derived& d) {
  const Run& run = lbm_case.run;
  const std::string key = run.steps         ? "run.steps"
                          : run.time        ? "run.time"
                          : run.revolutions ? "run.revolutions"
                                            : "run.convective_times";
  if (d.steps > max_steps) {
    refuse(lbm_case, key,
           fmt::format("found {} convective times of {:.4g} steps each, must be at most {} steps "
                       "in all",
                       run.convective_times.value_or(d.duration), d.convective_time, max_steps));
  }
}

void check_stored_cells(const Case& lbm_case) {
  if (lbm_case.lattice.cells != CellsStored::fluid) return;
  const std::string why = why_all_cells(lbm_case);
  if (why.empty()) return;
  refuse(lbm_case, "lattice.cells",
         fmt::format("found fluid, which does not go with {}: use auto, or change that", why));
}

// Two steps in one pass are two levels of one visit, and tiles of halo are not made so.
void check_passes(const Case& lbm_case) {
  const Tiling& tiling = lbm_case.tiling;
  const char* const key = "tiling.steps_per_pass";
  if (tiling.steps_per_pass.value_or(1) < 2) return;
  if (!lbm_case.scalars.empty()) {
    refuse(lbm_case, key, "found 2, which does not go with scalars: take 1");
  }
  if (!has_pair_pass(velocity_set(lbm_case.lattice))) {
    refuse(lbm_case, key,
           fmt::format("found 2, which does not go with {}: take 1",
                       reason_of_velocity_set(lbm_case.lattice)));
  }
  if (acceleration_depends_on_place(lbm_case)) {
    refuse(
        lbm_case, key,
        "found 2, which does not go with a force.acceleration that depends on the place: take 1");
  }
}

// A missing GPU is reported at setup; a CPU never has such memory.
void check_memory(const Case& lbm_case) {
  const auto& memory = lbm_case.host.memory;
  if (lbm_case.device.backend != BackendKind::cpu || !memory) return;
  if (const auto refusal = refusal_of(*memory, DeviceFacts{})) {
    refuse(lbm_case, "host.memory", *refusal);
  }
}

}  // namespace

void validate_structure(const Case& lbm_case) {
  if (lbm_case.grid.cells == std::array<int, 3>{0, 0, 0} && !lbm_case.grid.size &&
      !has_box_of_image(lbm_case)) {
    missing(lbm_case, "missing: grid.cells, such as grid: {cells: [nx, ny, nz]}");
  }
  check_rules(lbm_case);
  const Fluid& fluid = lbm_case.fluid;
  if (!fluid.reynolds && !fluid.tau && !fluid.viscosity && free_fall_scalar(lbm_case) == nullptr) {
    missing(lbm_case, "missing: one of fluid.reynolds, fluid.tau, fluid.viscosity");
  }
  const Run& run = lbm_case.run;
  if (run.revolutions && turning_body(lbm_case, run.revolutions_of) == nullptr) {
    refuse(lbm_case, "run.revolutions",
           "requires a body with motion.rate: add it, or name one of several by revolutions_of");
  }
  validation::check_faces(lbm_case);
  validation::check_bodies(lbm_case);
  validation::check_scalars(lbm_case);
  validation::check_results(lbm_case);
}

namespace {

void check_coarser_grids(const Case& lbm_case, const Derived& derived) {
  for (const int factor : coarsening_factors(lbm_case)) {
    const Case coarser = coarser_case(lbm_case, derived, factor);
    try {
      validate(coarser);
    } catch (const UsageError& error) {
      throw UsageError(fmt::format(
          "{}: found {}, whose grid {} times as coarse cannot run: give fewer grids; there {}",
          where(lbm_case, "run.cascade"), lbm_case.run.cascade, factor, error.what()));
    }
  }
}

}  // namespace

Derived validate(const Case& lbm_case) {
  validate_structure(lbm_case);
  check_ranges(lbm_case);
  check_resolved(lbm_case);
  const Derived derived = derive(lbm_case);
  const Units units = make_units(lbm_case, derived);
  check_planes(lbm_case);
  check_stored_cells(lbm_case);
  check_passes(lbm_case);
  check_memory(lbm_case);
  check_mach(lbm_case, derived);
  check_tau(lbm_case, derived);
  check_time(lbm_case, derived);
  validation::check_face_values(lbm_case, derived, units);
  validation::check_body_values(lbm_case, derived, units);
  validation::check_flow_values(lbm_case, derived, units);
  validation::check_result_values(lbm_case, derived, units);
  validation::check_scalar_values(lbm_case, derived);
  check_coarser_grids(lbm_case, derived);
  return derived;
}

}  // namespace lbm::cases
