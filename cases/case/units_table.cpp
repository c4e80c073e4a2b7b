// SPDX-License-Identifier: Apache-2.0
#include "cases/case/units_table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace lbm::cases {

std::vector<UnitRow> unit_rows(const Case& lbm_case, const Derived& d) {
  const Units u = make_units(lbm_case, d);
  const double dynamic = d.velocity * d.velocity;  // rho0 U^2
  const double area = d.length * d.length;
  const auto row = [si = lbm_case.units == UnitSystem::si](const char* name, const char* si_unit,
                                                           const char* unit, double lattice,
                                                           double factor) {
    return UnitRow{name, si ? si_unit : unit, lattice * factor, lattice, factor};
  };
  return {row("cell", "m", "cells", 1, u.length),
          row("step", "s", "L/U", 1, u.time),
          row("reference length", "m", "cells", d.length, u.length),
          row("reference velocity", "m/s", "U", d.velocity, u.velocity),
          row("convective time", "s", "L/U", d.convective_time, u.time),
          row("viscosity", "m^2/s", "cells^2/step", d.viscosity, u.viscosity),
          row("reference density", "kg/m^3", "rho0", 1, u.density),
          row("reference pressure", "Pa", "rho0 U^2", dynamic, u.pressure),
          row("reference force", "N", "rho0 U^2 L^2", dynamic * area, u.force),
          row("reference torque", "N m", "rho0 U^2 L^3", dynamic * area * d.length, u.torque),
          row("reference acceleration", "m/s^2", "U^2/L", dynamic / d.length, u.acceleration),
          row("run", "s", "L/U", static_cast<double>(d.steps), u.time)};
}

io::Json units_json(const Case& lbm_case, const Derived& derived) {
  io::Json rows = io::Json::array();
  for (const UnitRow& row : unit_rows(lbm_case, derived)) {
    rows.push_back({{"name", row.name},
                    {"unit", row.unit},
                    {"value", row.value},
                    {"lattice", row.lattice},
                    {"factor", row.factor}});
  }
  return {{"system", to_string(lbm_case.units)},
          {"rows", rows},
          {"reynolds", derived.reynolds},
          {"mach", derived.mach},
          {"tau", derived.tau},
          {"omega", derived.omega},
          {"cells_per_length", derived.length}};
}

namespace {

FileUnits reference_file_units(const Derived& d) {
  FileUnits units;
  units.scales = {1 / d.length, 1 / d.velocity, 1, 1 / (d.velocity * d.velocity)};
  units.time = 1 / d.convective_time;
  units.text = file_units_text::reference;
  return units;
}

FileUnits physical_file_units(const Case& lbm_case, const Derived& derived) {
  const Units u = make_units(lbm_case, derived);
  FileUnits units;
  units.scales = {u.length, u.velocity, u.density, u.pressure};
  units.time = u.time;
  units.text = file_units_text::physical;
  units.physical = true;
  return units;
}

}  // namespace

FileUnits file_units(const Case& lbm_case, const Derived& derived,
                     const std::optional<FieldUnits>& units) {
  const bool si = lbm_case.units == UnitSystem::si;
  const FieldUnits wanted = units.value_or(si ? FieldUnits::physical : FieldUnits::reference);
  FileUnits made;
  made.text = file_units_text::lattice;
  if (wanted == FieldUnits::physical) made = physical_file_units(lbm_case, derived);
  if (wanted == FieldUnits::reference) made = reference_file_units(derived);
  for (const ScalarKeys& scalar : lbm_case.scalars) {
    if (wanted != FieldUnits::lattice) {
      made.scales.scalars.at(made.scalars.size()) = {scalar.reference, scalar.difference};
    }
    made.scalars.push_back(scalar.name);
  }
  return made;
}

std::string FileUnits::name_of(fields::Kind kind) const {
  const auto scalar = fields::scalar_of(kind);
  return scalar ? scalars.at(*scalar) : to_string(kind);
}

std::string FileUnits::of(fields::Kind kind) const {
  return physical ? si_unit(fields::facts_of(kind).dimension) : "";
}

}  // namespace lbm::cases
