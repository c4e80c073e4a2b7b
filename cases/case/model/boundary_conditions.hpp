// From what a case says of the faces to what the lattice does there.
#pragma once

#include "cases/case/case.hpp"
#include "cases/case/derived.hpp"
#include "cases/case/units.hpp"
#include "solver/lattice/boundary_condition.hpp"
#include "solver/lattice/collision_spec.hpp"

namespace lbm::cases {

CollisionSpec collision_of(const Case& lbm_case, const Derived& derived);

// Kinds, velocities and densities alone: enough for the lattice, and independent of the grid.
FaceBoundaries plain_faces(const Case& lbm_case, const Derived& derived);

// With profiles of inlets and patches, cell by cell. Throws UsageError for a table that cannot be
// read.
FaceBoundaries full_faces(const Case& lbm_case, const Derived& derived);

}  // namespace lbm::cases
