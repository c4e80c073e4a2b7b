// SPDX-License-Identifier: Apache-2.0
#include "cases/case/model/boundary_conditions.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "cases/case/model/case_formulas.hpp"
#include "cases/case/schema/keys.hpp"

namespace lbm::cases {
namespace {

// Faces of the case as conditions of the lattice. plain(): kinds and numbers; full(): also patches
// by cell and profiles.
class Translator {
 public:
  Translator(const Case& lbm_case, const Derived& derived)
      : case_(lbm_case), derived_(derived), units_(make_units(lbm_case, derived)) {}

  FaceBoundaries plain() const {
    FaceBoundaries specs;
    for (int f = 0; f < 6; ++f) {
      const std::string key = "boundaries." + face_names()[static_cast<std::size_t>(f)];
      specs[f].condition = condition(case_.faces[f], key);
      const auto& drop = case_.faces[f].pressure_drop ? case_.faces[f].pressure_drop
                                                      : case_.faces[f ^ 1].pressure_drop;
      if (specs[f].periodic() && drop) specs[f].density_drop = to_density_difference(units_, *drop);
      // Walls of this collision are shifted (FaceBoundary::shifted).
      specs[f].shifted = case_.lattice.collision == CollisionKind::regularised_filtered;
      for (const Patch& patch : case_.faces[f].patches)
        specs[f].patches.push_back(condition(patch, key + ".patches." + patch.name));
    }
    return specs;
  }

  FaceBoundaries full(const TimeLimit& limit) const {
    FaceBoundaries specs = plain();
    for (int f = 0; f < 6; ++f) {
      const Face& face = case_.faces[f];
      const std::string key = "boundaries." + face_names()[static_cast<std::size_t>(f)];
      set_profile(face, f, key, limit, nullptr, specs[f].condition);
      for (std::size_t i = 0; i < face.patches.size(); ++i) {
        const Patch& patch = face.patches[i];
        set_profile(patch, f, key + ".patches." + patch.name, limit, &patch, specs[f].patches[i]);
      }
      if (!face.patches.empty()) specs[f].patch_of = patch_of_cells(case_, f);
      specs[f].scalar_values =
          scalar_values_of(case_, derived_, static_cast<std::size_t>(f), limit);
    }
    return specs;
  }

 private:
  // key: "boundaries.z_min".
  BoundaryCondition condition(const FaceCondition& from, const std::string& key) const {
    BoundaryCondition to;
    to.kind = from.type;
    to.velocity = to_lattice_velocity(units_, from.velocity);
    if (from.period) to.factor = {TimeFactor::Kind::wave, to_steps(units_, *from.period)};
    if (from.ramp_time && case_.run.cascade == 1)
      to.factor = {TimeFactor::Kind::ramp, to_steps(units_, *from.ramp_time)};
    if (!from.velocity_factor.empty()) {
      to.factor = time_factor(case_, derived_, key + ".velocity_factor", from.velocity_factor);
    }
    if (from.turbulence.intensity) {
      to.turbulence.rms = *from.turbulence.intensity * derived_.velocity;
      to.turbulence.length =
          from.turbulence.length ? to_cells(units_, *from.turbulence.length) : derived_.length / 4;
      to.turbulence.seed = static_cast<unsigned>(from.turbulence.seed.value_or(1));
    }
    to.drho = to_density_difference(units_, from.pressure.value_or(0));
    return to;
  }

  // Adds the profile of a face, or of its patch: patch is null for the face itself.
  void set_profile(const FaceCondition& from, int face, const std::string& key,
                   const TimeLimit& limit, const Patch* patch, BoundaryCondition& to) const {
    limit.check();
    if (!from.pressure_formula.empty()) {
      to.profile = FaceFormulas(case_, derived_, face, key + ".pressure", from.pressure_formula)
                       .values(limit);
    }
    if (from.type != BoundaryKind::velocity) return;
    if (from.velocity_formulas) {
      to.profile = FaceFormulas(case_, derived_, face, key + ".velocity", *from.velocity_formulas)
                       .values(limit);
      to.velocity = mean_of(to.profile);  // synthetic turbulence moves with it
    } else if (from.profile.value_or(InletProfile::uniform) != InletProfile::uniform) {
      to.profile = inlet_profile(case_, from, face, units_, to.velocity, patch);
    }
  }

  static Vec3 mean_of(const std::vector<float>& profile) {
    Vec3 sum{};
    for (std::size_t i = 0; i < profile.size(); ++i) sum[i % 3] += double{profile[i]};
    const double cells = static_cast<double>(profile.size()) / 3;
    return {sum[0] / cells, sum[1] / cells, sum[2] / cells};
  }

  const Case& case_;
  const Derived& derived_;
  Units units_;
};

// True if the point lies in the patch; a, b: along the axes of the face, in units of the case.
bool holds(const Patch& patch, double a, double b) {
  if (patch.box) {
    const auto& box = *patch.box;
    return a >= box[0] && a < box[1] && b >= box[2] && b < box[3];
  }
  if (!patch.center || !patch.radius) return false;
  return std::hypot(a - (*patch.center)[0], b - (*patch.center)[1]) < *patch.radius;
}

}  // namespace

std::vector<std::uint8_t> patch_of_cells(const Case& lbm_case, int face) {
  const FaceGrid grid(lbm_case, face);
  const double cell = cell_size(lbm_case);
  const auto& patches = lbm_case.faces[static_cast<std::size_t>(face)].patches;
  std::vector<std::uint8_t> result(static_cast<std::size_t>(grid.na) * grid.nb);
  for (int j = 0; j < grid.nb; ++j) {
    for (int i = 0; i < grid.na; ++i) {
      for (std::size_t p = patches.size(); p-- > 0;) {
        if (!holds(patches[p], (i + 0.5) * cell, (j + 0.5) * cell)) continue;
        result[static_cast<std::size_t>(j) * grid.na + i] = static_cast<std::uint8_t>(p + 1);
      }
    }
  }
  return result;
}

double magic_of(const Case& lbm_case) {
  constexpr double of_walls = 3.0 / 16, of_free_flow = 1.0 / 50;
  if (lbm_case.lattice.magic) return *lbm_case.lattice.magic;
  if (!has_magic(lbm_case.lattice.collision)) return of_walls;  // unused by this collision
  const auto is_wall = [](const auto& part) { return part.type == BoundaryKind::wall; };
  const bool walls =
      std::any_of(lbm_case.faces.begin(), lbm_case.faces.end(), [&](const Face& face) {
        return is_wall(face) || std::any_of(face.patches.begin(), face.patches.end(), is_wall);
      });
  return walls || !lbm_case.bodies.empty() ? of_walls : of_free_flow;
}

CollisionSpec collision_of(const Case& lbm_case, const Derived& derived) {
  const Units units = make_units(lbm_case, derived);
  CollisionSpec spec;
  spec.kind = lbm_case.lattice.collision;
  spec.omega = derived.omega;
  spec.magic = magic_of(lbm_case);
  if (spec.kind == CollisionKind::central_moments && !lbm_case.lattice.magic) {
    spec.least_odd_rate = 1;
  }
  spec.smagorinsky = lbm_case.lattice.smagorinsky;
  const Force& force = lbm_case.force;
  spec.force.by_place = acceleration_depends_on_place(lbm_case);
  if (force.acceleration_formulas && !spec.force.by_place) {
    for (std::size_t i = 0; i < 3; ++i) {
      spec.force.functions[i] =
          std::make_shared<TimeFormula>(lbm_case, derived, "force.acceleration",
                                        (*force.acceleration_formulas)[i], 1 / units.acceleration);
    }
  }
  if (force.acceleration) spec.force.mean = to_lattice_acceleration(units, *force.acceleration);
  if (force.amplitude) spec.force.amplitude = to_lattice_acceleration(units, *force.amplitude);
  if (force.period) spec.force.period = to_steps(units, *force.period);
  return spec;
}

TimeFactor body_factor(const Case& lbm_case, const Derived& derived, const Body& body) {
  return time_factor(lbm_case, derived, "bodies." + body.name + ".velocity_factor",
                     body.velocity_factor);
}

std::vector<TimeFactor> body_factors(const Case& lbm_case, const Derived& derived) {
  std::vector<TimeFactor> factors;
  for (const Body& body : lbm_case.bodies) {
    if (!body.solid || body.velocity_factor.empty()) continue;
    factors.push_back(body_factor(lbm_case, derived, body));
  }
  return factors;
}

Sponge sponge_of(const Case& lbm_case, const Derived& derived) {
  const SpongeKeys& keys = lbm_case.sponge;
  Sponge sponge;
  if (keys.faces.empty()) return sponge;
  const Units units = make_units(lbm_case, derived);
  for (const int face : keys.faces) sponge.faces |= 1U << static_cast<unsigned>(face);
  sponge.thickness = to_cells(units, keys.thickness.value());
  sponge.most_share =
      sponge_share(keys.strength.value_or(SpongeKeys::default_strength), sponge.thickness);
  sponge.velocity = to_lattice_velocity(units, keys.velocity.value());
  if (keys.ramp_time && lbm_case.run.cascade == 1) {
    sponge.factor = {TimeFactor::Kind::ramp, to_steps(units, *keys.ramp_time)};
  }
  sponge.drho = to_density_difference(units, keys.pressure.value_or(0));
  return sponge;
}

FaceBoundaries plain_faces(const Case& lbm_case, const Derived& derived) {
  return Translator(lbm_case, derived).plain();
}

FaceBoundaries full_faces(const Case& lbm_case, const Derived& derived, const TimeLimit& limit) {
  return Translator(lbm_case, derived).full(limit);
}

double largest_factor(const Case& lbm_case, const Derived& derived, const std::string& key,
                      const std::string& formula) {
  if (formula.empty()) return 1;
  return TimeFormula(lbm_case, derived, key + ".velocity_factor", formula, 1)
      .sampled_size(derived.steps);
}

double fastest_speed(const Case& lbm_case, const Derived& derived, int face, const std::string& key,
                     const FaceCondition& condition) {
  if (condition.velocity_formulas) {
    return FaceFormulas(lbm_case, derived, face, key + ".velocity", *condition.velocity_formulas)
        .sampled_extreme();
  }
  const Vec3 u = to_lattice_velocity(make_units(lbm_case, derived), condition.velocity);
  return std::hypot(u[0], u[1], u[2]);
}

std::array<bool, 3> periodic_axes(const Case& lbm_case) {
  std::array<bool, 3> periodic{};
  for (std::size_t a = 0; a < 3; ++a) {
    periodic[a] = lbm_case.faces[2 * a].type == BoundaryKind::periodic;
  }
  return periodic;
}

bool is_open(const Case& lbm_case) {
  const auto open = [](const FaceCondition& condition) { return fixes_pressure(condition.type); };
  return std::any_of(lbm_case.faces.begin(), lbm_case.faces.end(), [&](const Face& face) {
    return open(face) || std::any_of(face.patches.begin(), face.patches.end(), open);
  });
}

Vec3 pressure_gradient(const Case& lbm_case, const Units& units, const tiling::FieldBox& region) {
  Vec3 gradient{};
  if (lbm_case.force.acceleration) {
    gradient = to_lattice_acceleration(units, *lbm_case.force.acceleration);
  }
  // p = rho / 3 on the lattice.
  const auto along = [&](double difference, int cells) {
    return to_density_difference(units, difference) / 3 / cells;
  };
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const Face &low = lbm_case.faces[2 * axis], &high = lbm_case.faces[2 * axis + 1];
    const auto& drop = low.pressure_drop ? low.pressure_drop : high.pressure_drop;
    if (drop) gradient[axis] += along(*drop, lbm_case.grid.cells[axis]);
    const bool by_place = !low.pressure_formula.empty() || !high.pressure_formula.empty();
    if (low.type == BoundaryKind::pressure && high.type == BoundaryKind::pressure && !by_place) {
      gradient[axis] +=
          along(low.pressure.value_or(0) - high.pressure.value_or(0), region.count[axis]);
    }
  }
  return gradient;
}

}  // namespace lbm::cases
