#include "cases/case/units_table.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cases/case/units.hpp"

namespace lbm::cases {
namespace {

constexpr double mild_mach = 0.1;

struct Kind {
  const char* name;
  const char* si;
  const char* reference;  // unit with units: lattice
  double lattice;
  double factor;
};

std::vector<Kind> kinds(const Derived& d, const Units& u) {
  const double dynamic = d.velocity * d.velocity;  // rho0 U^2
  const double area = d.length * d.length;
  return {{"cell", "m", "cells", 1, u.length},
          {"step", "s", "L/U", 1, u.time},
          {"reference length", "m", "cells", d.length, u.length},
          {"reference velocity", "m/s", "U", d.velocity, u.velocity},
          {"convective time", "s", "L/U", d.convective_time, u.time},
          {"viscosity", "m^2/s", "cells^2/step", d.viscosity, u.viscosity},
          {"reference density", "kg/m^3", "rho0", 1, u.density},
          {"reference pressure", "Pa", "rho0 U^2", dynamic, u.pressure},
          {"reference force", "N", "rho0 U^2 L^2", dynamic * area, u.force},
          {"reference torque", "N m", "rho0 U^2 L^3", dynamic * area * d.length, u.torque},
          {"reference acceleration", "m/s^2", "U^2/L", dynamic / d.length, u.acceleration},
          {"run", "s", "L/U", static_cast<double>(d.steps), u.time}};
}

}  // namespace

std::vector<UnitRow> unit_rows(const Case& lbm_case, const Derived& derived) {
  const bool si = lbm_case.units == UnitSystem::si;
  std::vector<UnitRow> rows;
  for (const Kind& kind : kinds(derived, make_units(lbm_case, derived))) {
    rows.push_back({kind.name, si ? kind.si : kind.reference, kind.lattice * kind.factor,
                    kind.lattice, kind.factor});
  }
  return rows;
}

std::string units_text(const Case& lbm_case, const Derived& derived) {
  std::string text =
      fmt::format("  {:<23} {:>13} {:<12} = {:>13} on the lattice x {}\n", "units",
                  lbm_case.units == UnitSystem::si ? "si" : "lattice", "", "value", "factor");
  for (const UnitRow& row : unit_rows(lbm_case, derived)) {
    text += fmt::format("  {:<23} {:>13.6g} {:<12} = {:>13.6g} x {:.6g}\n", row.name, row.value,
                        row.unit, row.lattice, row.factor);
  }
  const Derived& d = derived;
  if (d.mach > mild_mach) {
    text += fmt::format("  compressibility errors are of the order of Mach^2 = {:.2g} %\n",
                        100 * d.mach * d.mach);
  }
  return text + fmt::format(
                    "  Re {:.6g}, Mach {:.4g}, tau {:.6g}, omega {:.6g}, {:.6g} cells per "
                    "reference length\n",
                    d.reynolds, d.mach, d.tau, d.omega, d.length);
}

io::Json units_json(const Case& lbm_case, const Derived& derived) {
  io::Json json = io::Json::object();
  json["system"] = lbm_case.units == UnitSystem::si ? "si" : "lattice";
  json["rows"] = io::Json::array();
  for (const UnitRow& row : unit_rows(lbm_case, derived)) {
    io::Json entry = io::Json::object();
    entry["name"] = row.name;
    entry["unit"] = row.unit;
    entry["value"] = row.value;
    entry["lattice"] = row.lattice;
    entry["factor"] = row.factor;
    json["rows"].push_back(std::move(entry));
  }
  json["reynolds"] = derived.reynolds;
  json["mach"] = derived.mach;
  json["tau"] = derived.tau;
  json["omega"] = derived.omega;
  json["cells_per_length"] = derived.length;
  return json;
}

}  // namespace lbm::cases
