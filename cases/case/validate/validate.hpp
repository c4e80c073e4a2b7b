// SPDX-License-Identifier: Apache-2.0

// Checks a whole case, from a file or built in code.
#pragma once

#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/case_location.hpp"  // where()
#include "cases/case/derived.hpp"

namespace lbm::cases {

// Throws UsageError for a missing required key, none or several of exclusive keys, keys that
// conflict with the units, with each other, or with the type of a face, the shape of a body or the
// quantity of an expectation, unknown names, and circular combinations of bodies.
void validate_structure(const Case& lbm_case);

// Returns the derived numbers of the case, which all later stages take from here. Throws UsageError
// for the first error found: a value outside the key table, a wrong structure,
// z-planes that are too large, a velocity above Mach 0.3, a relaxation time of 1/2 in the
// arithmetic of the storage, host memory that the CPU backend lacks, too many steps, a time after
// the end, a patch or point outside its face or the box, a body that misses the box, an inlet
// without an outlet, a missing file.
Derived validate(const Case& lbm_case);

// Unusual settings that are allowed; one line each. derived: of validate().
std::vector<std::string> warnings(const Case& lbm_case, const Derived& derived);

}  // namespace lbm::cases
