// SPDX-License-Identifier: Apache-2.0

// A case in lattice units: its bodies as shapes in cells (case_shapes.cpp), the cells that it
// stores, all or only those of fluid, grid, boundaries and initial flow.
// Independent of the device.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cases/case/bodies/body_shapes.hpp"
#include "cases/case/case.hpp"
#include "cases/case/units.hpp"
#include "cases/geometry/body_set.hpp"
#include "solver/boundary/boundaries.hpp"
#include "solver/core/time_limit.hpp"
#include "solver/lattice/initial_state.hpp"
#include "solver/lattice/lattice.hpp"

namespace lbm::cases {

// "lattice.velocities: D3Q27", or the collision that chooses the set where the case leaves it open.
std::string reason_of_velocity_set(const LatticeKeys& lattice);

// Reason why a case cannot store fluid cells alone, as a part of a message. Empty: it can.
std::string why_all_cells(const Case& lbm_case);

// True if the keys allow storing fluid cells alone: lattice.cells is fluid, or auto with images of
// voxels and an empty why_all_cells().
bool may_store_fluid_only(const Case& lbm_case);

// Share of the cells of the box that the images leave to the fluid. Never below 0, although images
// may overlap or reach beyond the box.
double fluid_share(const Case& lbm_case, const std::vector<VoxelFacts>& voxels);

// The choice. voxels: the images of the case.
CellsStored stored_cells(const Case& lbm_case, const std::vector<VoxelFacts>& voxels);

// True if the case asks for forces on the body, or for wall stresses.
bool is_asked_for(const Case& lbm_case, const Body& body);

// Values stored per cell: lattice.representation; for auto, moments where the collision needs no
// other values, else populations. scalars: how many the case has.
inline CellValues stored_values(const LatticeKeys& lattice, std::size_t scalars = 0) {
  return {lattice.representation.value_or(is_regularised(lattice.collision)
                                              ? Representation::moments
                                              : Representation::populations),
          velocity_set(lattice), static_cast<int>(scalars)};
}

// Solid bodies, in the order of the case, without those that are only parts of others.
struct CaseShapes {
  std::vector<std::string> names;
  std::vector<std::string> listed;  // those whose forces are computed (BodySpec::listed)
  std::vector<BodySpec> specs;
  CellsStored stored = CellsStored::all;
  std::unique_ptr<geometry::BodySet> set;  // null: no bodies
  std::vector<SurfaceFacts> surfaces;      // of all files, in the order in which they were read
  std::vector<VoxelFacts> voxels;          // of all images
  std::vector<std::string> warnings;
};

// Reads the files of surfaces, each once. Throws UsageError, with the file and the error, and
// TimeLimitReached.
CaseShapes make_shapes(const Case& lbm_case, const Derived& derived, const TimeLimit& limit);

// Boundary data of faces and bodies, cell by cell; the slow part of the setup. Appends to
// shapes.warnings. Throws UsageError and TimeLimitReached. limit: that of make_shapes().
Boundaries make_case_boundaries(const Case& lbm_case, const Derived& derived, CaseShapes& shapes,
                                const TimeLimit& limit);

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

// initial.flow: darcy, for a complete model. It takes some seconds for 1e9 cells.
InitialState darcy_flow(const Case& lbm_case, const CaseModel& model);

// The flow and the scalars. Empty for a fluid at rest, for darcy, which needs the boundaries, and
// for arrays, which the program around the run has, unless scalars have initial values. Throws
// UsageError for a formula or file that is none.
InitialState initial_flow(const Case& lbm_case, const Derived& derived);

}  // namespace lbm::cases
