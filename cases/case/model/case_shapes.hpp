// SPDX-License-Identifier: Apache-2.0

// The bodies of a case as shapes, in cells.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cases/case/bodies/body_surfaces.hpp"
#include "cases/case/bodies/body_voxels.hpp"
#include "cases/case/case.hpp"
#include "cases/case/derived.hpp"
#include "cases/geometry/body_set.hpp"
#include "solver/boundary/boundaries.hpp"
#include "solver/core/time_limit.hpp"

namespace lbm::cases {

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

}  // namespace lbm::cases
