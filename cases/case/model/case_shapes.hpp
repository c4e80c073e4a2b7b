// The bodies of a case as shapes in the box of cells.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/derived.hpp"
#include "cases/geometry/body_set.hpp"
#include "solver/boundary/boundaries.hpp"

namespace lbm::cases {

// What is solid, in the order of the case; bodies that are only parts of others are left out.
struct CaseShapes {
  std::vector<std::string> names;
  std::vector<BodySpec> specs;
  std::unique_ptr<geometry::BodySet> set;  // null: none
  std::vector<std::string> warnings;
};

// Reads STL files. Throws UsageError with the file and what is wrong.
CaseShapes make_shapes(const Case& lbm_case, const Derived& derived);

// Faces and bodies, cell by cell: the slow part of the setup. Adds warnings to those of shapes.
Boundaries make_case_boundaries(const Case& lbm_case, const Derived& derived, CaseShapes& shapes);

}  // namespace lbm::cases
