// SPDX-License-Identifier: Apache-2.0

// Translates the faces of a case to boundary conditions of the lattice; collision, sponge, and what
// drives the flow.
#pragma once

#include <cstdint>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/units.hpp"
#include "solver/core/time_limit.hpp"
#include "solver/lattice/boundary_condition.hpp"
#include "solver/lattice/lattice.hpp"
#include "tiling/store/plane_store.hpp"

namespace lbm::cases {

// lattice.magic, or where it is auto: 3/16 with walls or bodies, whose place it makes exact; else
// 1/50, as the relative error of the speed at which a shear flow carries itself along is
// 2/3 magic k^2 (k: wave number in 1 / cells; docs/method.md).
double magic_of(const Case& lbm_case);
CollisionSpec collision_of(const Case& lbm_case, const Derived& derived);

// Validated before.
Sponge sponge_of(const Case& lbm_case, const Derived& derived);

// Kinds, velocities and densities only, independent of the grid.
FaceBoundaries plain_faces(const Case& lbm_case, const Derived& derived);

// The velocity_factor of a body; constant without one.
TimeFactor body_factor(const Case& lbm_case, const Derived& derived, const Body& body);
// Those of the solid bodies that have one, in the order of the case.
std::vector<TimeFactor> body_factors(const Case& lbm_case, const Derived& derived);

// Includes patches and inlet profiles cell by cell. Throws UsageError for an unreadable table, and
// TimeLimitReached.
FaceBoundaries full_faces(const Case& lbm_case, const Derived& derived, const TimeLimit& limit);

// Per cell of a face, in the order of FaceGrid: 1 + index of the first patch that contains its
// centre, or 0.
std::vector<std::uint8_t> patch_of_cells(const Case& lbm_case, int face);

// key: "boundaries.z_min" here and below. The largest size of KEY.velocity_factor, at sampled
// times; 1 without a formula.
double largest_factor(const Case& lbm_case, const Derived& derived, const std::string& key,
                      const std::string& formula);

// The fastest velocity of a boundary condition by its numbers or formulas, in cells per step, at
// the places that are sampled. Without its factor of the time. Not of a table.
double fastest_speed(const Case& lbm_case, const Derived& derived, int face, const std::string& key,
                     const FaceCondition& condition);

// True if the condition fixes the pressure: fluid enters and leaves freely.
constexpr bool fixes_pressure(BoundaryKind kind) {
  return kind == BoundaryKind::pressure || kind == BoundaryKind::outflow ||
         kind == BoundaryKind::far_field;
}

std::array<bool, 3> periodic_axes(const Case& lbm_case);

// True if a face or patch fixes the pressure: the mass in the box may then change.
bool is_open(const Case& lbm_case);

// The mean pressure gradient that drives the flow, over the density, with the opposite sign: an
// acceleration in lattice units, along x, y and z. It is force.acceleration where that is a number,
// plus the pressure drop of periodic faces, plus the difference between two pressure faces of an
// axis. The latter falls off over the cells of `region`: fluid before and behind a sample has
// hardly any. All zero: nothing that is constant drives the flow.
Vec3 pressure_gradient(const Case& lbm_case, const Units& units, const tiling::FieldBox& region);

}  // namespace lbm::cases
