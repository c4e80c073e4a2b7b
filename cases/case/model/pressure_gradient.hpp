// SPDX-License-Identifier: Apache-2.0

// Mean pressure gradient that drives the flow through a porous medium.
#pragma once

#include "cases/case/case.hpp"
#include "cases/case/units.hpp"
#include "tiling/store/field_box.hpp"

namespace lbm::cases {

// The mean pressure gradient that drives the flow, over the density, with the opposite sign: an
// acceleration in lattice units, along x, y and z. It is force.acceleration where that is a number,
// plus the pressure drop of periodic faces, plus the difference between two pressure faces of an
// axis. The latter falls off over the cells of `region`: fluid before and behind a sample has
// hardly any. All zero: nothing that is constant drives the flow.
Vec3 pressure_gradient(const Case& lbm_case, const Units& units, const tiling::FieldBox& region);

}  // namespace lbm::cases
