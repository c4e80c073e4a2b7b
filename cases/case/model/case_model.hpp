// A case on the lattice: its grid, boundaries and initial state. The same on every device.
#pragma once

#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/derived.hpp"
#include "solver/boundary/boundaries.hpp"
#include "solver/lattice/initial_state.hpp"
#include "solver/lattice/lattice.hpp"

namespace lbm::cases {

struct CaseModel {
  Derived derived;
  Lattice lattice;
  Boundaries boundaries;
  std::vector<std::string> bodies;  // names of the solid ones, in the order of their numbers
  double bodies_seconds = 0;        // reading shapes and finding solid cells and walls
  InitialState initial;
  std::vector<std::string> warnings;
};

// Sizes, storage, collision and plain walls, without bodies.
Lattice make_case_lattice(const Case& lbm_case, const Derived& derived);

// Reads the files of the case and finds the solid cells of its bodies. Throws UsageError where a
// file or a place of a probe does not fit.
CaseModel make_case_model(const Case& lbm_case);

}  // namespace lbm::cases
