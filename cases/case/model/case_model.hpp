// SPDX-License-Identifier: Apache-2.0

// A case in lattice units: grid, boundaries and initial state. Independent of the device.
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

// Boundaries cell by cell: the slow part of a model.
struct CaseBodies {
  Boundaries boundaries;
  CellsStored stored = CellsStored::all;
  std::vector<SurfaceFacts> surfaces;
  std::vector<VoxelFacts> voxels;
  // Names of the solid bodies whose forces are computed, by body number.
  std::vector<std::string> bodies;
  // Number of solid cells of each of these; empty unless a quantity needs it (pressure_gradient).
  std::vector<std::int64_t> body_cells;
  double bodies_seconds = 0;  // wall time to read shapes and find solid cells and walls
  std::vector<std::string> warnings;
  bool complete = true;  // false: the limit was reached, the boundaries are empty
};

struct CaseModel : CaseBodies {
  Derived derived;
  Lattice lattice;
  InitialState initial;
};

// Grid, storage, collision and plain walls, without bodies. The case's representation must not be
// auto (here and below; cases/run/setup/setup.hpp chooses one).
Lattice make_case_lattice(const Case& lbm_case, const Derived& derived);

// Reads the files of bodies and finds their solid cells. Throws UsageError for an unusable file. A
// limit also limits the estimated size of the boundaries to 32 MiB.
CaseBodies make_case_bodies(const Case& lbm_case, const Derived& derived,
                            const TimeLimit& limit = {});
// The boundaries that another process of this host shares; `name` is from its Boundaries::share().
// Without facts for reports. Empty if the memory cannot be opened.
std::optional<CaseBodies> open_case_bodies(const Case& lbm_case, const Derived& derived,
                                           const std::string& name);

// bodies: result of make_case_bodies() for this case and limit, if it exists. Throws UsageError for
// an unusable file or probe point.
CaseModel make_case_model(const Case& lbm_case, const Derived& derived, const TimeLimit& limit = {},
                          std::optional<CaseBodies> bodies = {});

}  // namespace lbm::cases
