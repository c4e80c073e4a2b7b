// Translates the faces of a case to boundary conditions of the lattice.
#pragma once

#include "cases/case/case.hpp"
#include "cases/case/derived.hpp"
#include "cases/case/units.hpp"
#include "solver/core/time_limit.hpp"
#include "solver/lattice/boundary_condition.hpp"
#include "solver/lattice/collision_spec.hpp"

namespace lbm::cases {

CollisionSpec collision_of(const Case& lbm_case, const Derived& derived);

// Kinds, velocities and densities only, independent of the grid.
FaceBoundaries plain_faces(const Case& lbm_case, const Derived& derived);

// Includes patches and inlet profiles cell by cell. Throws UsageError for an unreadable table, and
// TimeLimitReached.
FaceBoundaries full_faces(const Case& lbm_case, const Derived& derived, const TimeLimit& limit);

}  // namespace lbm::cases
