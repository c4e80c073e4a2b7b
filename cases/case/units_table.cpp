// SPDX-License-Identifier: Apache-2.0
#include "cases/case/units_table.hpp"

#include <nlohmann/json.hpp>

#include "cases/case/units.hpp"

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

}  // namespace lbm::cases
