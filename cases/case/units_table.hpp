// SPDX-License-Identifier: Apache-2.0

// The table of units for `lbm check` and report.json, and the units of result files and pictures.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/units.hpp"
#include "cases/fields/field_maker.hpp"
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

// As the attribute `units` of a file says them (docs/output.md).
namespace file_units_text {

inline constexpr std::string_view reference =
    "lengths / reference length, velocities / reference velocity, times / convective time, "
    "density / initial density, pressure and stress / (initial density x reference velocity^2)";
inline constexpr std::string_view physical =
    "SI: m, s, m/s, kg/m^3, Pa (pressure relative to that at the reference density)";
inline constexpr std::string_view lattice =
    "lattice units: cells, steps, density / initial density";

}  // namespace file_units_text

// Conversion of lattice units to those of a file, and their names.
struct FileUnits {
  fields::Scales scales;
  double time = 1;                   // per step
  std::string text;                  // one of file_units_text
  std::vector<std::string> scalars;  // names

  std::string name_of(fields::Kind kind) const;
  std::string of(fields::Kind kind) const;  // "m/s"; empty for a unit without a name
  bool physical = false;
};

// units: of a result; empty: those of the case. Scalars are in the unit of their keys, but with
// lattice units as they are stored: less the reference, over the difference.
FileUnits file_units(const Case& lbm_case, const Derived& derived,
                     const std::optional<FieldUnits>& units);

}  // namespace lbm::cases
