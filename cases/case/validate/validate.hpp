// Judges a case as a whole. Works on cases from files and on cases built in code.
#pragma once

#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/case_location.hpp"  // where()

namespace lbm::cases {

// Throws UsageError for a missing required key, none or several of some alternatives, keys that do
// not go with the units, with each other, or with the type of a face, the shape of a body or the
// quantity of an expectation, unknown names, and combinations of bodies that go in a circle.
void validate_structure(const Case& lbm_case);

// Throws UsageError for the first of: a value outside the key table, a wrong structure, a grid
// whose planes are too large, a velocity above Mach 0.3, a relaxation time that is 1/2 in the
// arithmetic of the storage, host memory that the CPU backend does not have, more steps than can
// be counted, a time after the end, a patch or point that is not on its face or in the box, a body
// that misses the box, an inlet without an outlet, a file that is not there.
void validate(const Case& lbm_case);

// What is allowed but seldom meant; one line each. For a case that validate() accepts.
std::vector<std::string> warnings(const Case& lbm_case);

}  // namespace lbm::cases
