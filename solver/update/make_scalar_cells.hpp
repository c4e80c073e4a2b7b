// SPDX-License-Identifier: Apache-2.0

// The scalars of a lattice as kernels get them for one step.
#pragma once

#include "solver/update/scalar_cells.hpp"

namespace lbm {

// step: the number of steps before the update.
template <class Storage>
static ScalarCells<Storage> make_scalar_cells(const Lattice& lattice,
                                              const BoundaryView& boundaries, std::int64_t step) {
  using Real = typename Storage::Real;
  ScalarCells<Storage> made{};
  if (lattice.scalars.empty()) return made;
  made.layout = lattice.layout;
  made.nz = lattice.nz;
  made.boundaries = boundaries;
  made.count = lattice.scalar_count();
  // Other random bits than those of the flow of this step.
  made.rounding = rounding_key(step) ^ 0x3c3c3c3cU;
  const auto scaled = [](double value) {
    return static_cast<Real>(value * double{Storage::scale});
  };
  const auto force = lattice.collision.force.at(static_cast<double>(step + 1));
  made.half_force = {scaled(force[0] / 2), scaled(force[1] / 2), scaled(force[2] / 2)};
  made.forced = {Real(0), static_cast<Real>(lattice.collision.omega),
                 rounding_key(step) ^ 0xc3c3c3c3U, ForceVector<Real>()};
  made.turbulence = Turbulence<Real>::of(lattice.collision);
  const float* by_place =
      boundaries.scalar_values + step % boundaries.scalar_steps * boundaries.scalar_stride;
  int patches = 0;
  for (std::size_t s = 0; s < lattice.scalars.size(); ++s) {
    const ScalarSpec& spec = lattice.scalars[s];
    auto& component = made.of[s];
    const double capacity = spec.reference_capacity();
    const double tau = 0.5 + (1 / spec.omega - 0.5) / capacity;
    component.omega = static_cast<Real>(1 / tau);
    component.tau = static_cast<Real>(tau);
    component.source = scaled(spec.source);
    component.share = static_cast<Real>(capacity);
    component.carried = static_cast<Real>(1 / capacity);
    component.resistance = static_cast<Real>(capacity / scalar_diffusivity(spec));
    made.eddies[s] = static_cast<Real>(4 / (3 * spec.turbulent_prandtl * capacity));
    component.bounded = spec.bounds.has_value();
    if (spec.bounds) {
      component.low = scaled((*spec.bounds)[0]);
      component.high = scaled((*spec.bounds)[1]);
    }
    // Populations have this part of what a flux brings.
    const auto part = [&](ScalarBoundary kind) {
      return kind == ScalarBoundary::flux ? capacity : 1;
    };
    made.buoyant = made.buoyant || spec.is_buoyant();
    for (std::size_t a = 0; a < 3; ++a) {
      component.force[a] = static_cast<Real>(spec.buoyancy[a]);
      component.gradient[a] = scaled(spec.gradient[a]);
    }
    const auto face_of = [&](const ScalarFace& face) {
      const double value =
          face.value +
          (face.function == nullptr ? 0 : face.function->at(static_cast<double>(step) + 0.5));
      return typename ScalarCells<Storage>::Face{face.kind, scaled(value / part(face.kind)),
                                                 static_cast<Real>(face.coefficient / capacity),
                                                 scaled(1 / part(face.kind)),
                                                 face.by_place ? by_place : nullptr};
    };
    for (std::size_t f = 0; f < 6; ++f) {
      component.faces[f] = face_of(spec.faces[f]);
      if (!spec.patches[f].empty()) component.patch_of[f] = boundaries.patch_of[f];
      component.first_patch[f] = patches;
      for (const ScalarFace& patch : spec.patches[f]) made.patches[patches++] = face_of(patch);
      if (spec.has_values_by_place(f)) {
        by_place += face_cells(static_cast<int>(f), made.layout.nx, made.layout.ny, made.nz);
      }
      if (spec.faces[f].kind != ScalarBoundary::periodic) made.closed |= 1U << f;
    }
    for (const ScalarBody& body : spec.bodies) {
      (body.kind == ScalarBoundary::value ? component.held : component.giving) |= 1U << body.body;
      component.of_body[body.body].value = scaled(body.value / part(body.kind));
      component.of_body[body.body].coefficient = static_cast<Real>(body.coefficient / capacity);
    }
    for (const ScalarConductor& conductor : spec.conductors) {
      made.conducting = true;
      component.conducting |= 1U << conductor.body;
      auto& body = component.of_body[conductor.body];
      body.omega = static_cast<Real>(
          scalar_omega(scalar_diffusivity(spec) * conductor.conductivity / capacity));
      body.source = scaled(conductor.source);
      body.share = static_cast<Real>(capacity / conductor.capacity);
    }
  }
  return made;
}

}  // namespace lbm
