// SPDX-License-Identifier: Apache-2.0
#include "cases/case/file_units.hpp"

#include "cases/case/units.hpp"

namespace lbm::cases {
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
  if (wanted == FieldUnits::physical) return physical_file_units(lbm_case, derived);
  if (wanted == FieldUnits::reference) return reference_file_units(derived);
  FileUnits lattice;
  lattice.text = file_units_text::lattice;
  return lattice;
}

std::string FileUnits::of(fields::Kind kind) const {
  using fields::Kind;
  if (!physical) return "";
  switch (kind) {
    case Kind::density:
      return "kg/m^3";
    case Kind::pressure:
    case Kind::wall_shear_stress:
      return "Pa";
    case Kind::velocity:
      return "m/s";
    case Kind::vorticity:
    case Kind::strain_rate:
      return "1/s";
    case Kind::q_criterion:
      return "1/s^2";
    case Kind::solid:
      break;
  }
  return "";
}

}  // namespace lbm::cases
