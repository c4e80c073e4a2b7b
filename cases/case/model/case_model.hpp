// SPDX-License-Identifier: Apache-2.0

// A case on the lattice: grid, boundaries and initial state. The same for every device.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cases/case/bodies/body_surfaces.hpp"
#include "cases/case/bodies/body_voxels.hpp"
#include "cases/case/case.hpp"
#include "cases/case/derived.hpp"
#include "solver/boundary/boundaries.hpp"
#include "solver/core/time_limit.hpp"
#include "solver/lattice/initial_state.hpp"
#include "solver/lattice/lattice.hpp"

namespace lbm::cases {

// Faces and bodies, cell by cell: the slow part of a model.
struct CaseBodies {
  Boundaries boundaries;
  CellsStored stored = CellsStored::all;
  std::vector<SurfaceFacts> surfaces;
  std::vector<VoxelFacts> voxels;
  // Names of the solid bodies whose forces are computed, in order of their numbers.
  std::vector<std::string> bodies;
  // Solid cells of each; empty unless a named quantity asks for them (pressure_gradient).
  std::vector<std::int64_t> body_cells;
  double bodies_seconds = 0;  // time to read shapes and find solid cells and walls
  std::vector<std::string> warnings;
  bool complete = true;  // false: the limit was reached, the boundaries are empty
};

struct CaseModel : CaseBodies {
  Derived derived;
  Lattice lattice;
  InitialState initial;
};

// Grid, storage, collision and plain walls, without bodies. The case's representation must not be
// auto (here and below; cases/run/setup/representation_choice.hpp chooses one).
Lattice make_case_lattice(const Case& lbm_case, const Derived& derived);

// Reads the files of bodies and finds their solid cells. Throws UsageError for an unusable file.
// With a limit, the boundaries may take 32 MiB at most, too.
CaseBodies make_case_bodies(const Case& lbm_case, const Derived& derived,
                            const TimeLimit& limit = {});
// Those of another process of this host, by the name that Boundaries::share() gave it: boundaries
// alone, without facts for reports. Empty where they are out of reach.
std::optional<CaseBodies> open_case_bodies(const Case& lbm_case, const Derived& derived,
                                           const std::string& name);

// bodies: those of make_case_bodies() for this case and limit, if they are there already. Throws
// UsageError for an unusable file or probe point.
CaseModel make_case_model(const Case& lbm_case, const Derived& derived, const TimeLimit& limit = {},
                          std::optional<CaseBodies> bodies = {});

}  // namespace lbm::cases
