// SPDX-License-Identifier: Apache-2.0

// The table of units for `lbm check` and report.json.
#pragma once

#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/derived.hpp"
#include "io/text/json.hpp"

namespace lbm::cases {

// value = lattice * factor.
struct UnitRow {
  std::string name;  // "reference length"
  std::string unit;  // of the value: "m" with units: si, "cells" or "L/U" otherwise
  double value = 0;
  double lattice = 0;
  double factor = 0;
};

// Reference values and derived ones, for a case that validate() accepts.
std::vector<UnitRow> unit_rows(const Case& lbm_case, const Derived& derived);

// {"system": "si", "rows": [{name, unit, value, lattice, factor}], "reynolds": ..., "mach", "tau",
// "omega", "cells_per_length"}
io::Json units_json(const Case& lbm_case, const Derived& derived);

}  // namespace lbm::cases
