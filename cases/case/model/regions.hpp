// The cells of a case's outputs: boxes of fields, cells of probes.
#pragma once

#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/derived.hpp"
#include "cases/case/units.hpp"
#include "cases/fields/halo_box.hpp"
#include "solver/boundary/boundaries.hpp"
#include "solver/lattice/probe_cells.hpp"

namespace lbm::cases {

fields::GridShape grid_shape(const Case& lbm_case);

// The cells of a region; its corners and places are in units of the case.
tiling::FieldBox region_box(const Case& lbm_case, const Derived& derived, const Region& region);

// Points of a probe, in cells from the corner of the box.
std::vector<Vec3> places_of(const Probe& probe, const Units& units);

// The fluid cells around each point of the probes. A point of a line probe without fluid around has
// no cells; for any other one throws UsageError.
ProbeCells probe_cells(const Case& lbm_case, const Derived& derived, const Boundaries& boundaries);

}  // namespace lbm::cases
