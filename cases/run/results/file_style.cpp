// SPDX-License-Identifier: Apache-2.0
#include "cases/run/results/file_style.hpp"

#include "cases/case/file_units.hpp"
#include "cases/case/units.hpp"

namespace lbm::cases {
namespace {

FileUnits reference_units(const Derived& d) {
  FileUnits units;
  units.scales = {1 / d.length, 1 / d.velocity, 1, 1 / (d.velocity * d.velocity)};
  units.time = 1 / d.convective_time;
  units.text = units_text::reference;
  return units;
}

FileUnits physical_units(const Case& lbm_case, const Derived& derived) {
  const Units u = make_units(lbm_case, derived);
  FileUnits units;
  units.scales = {u.length, u.velocity, u.density, u.pressure};
  units.time = u.time;
  units.text = units_text::physical;
  units.physical = true;
  return units;
}

}  // namespace

FileUnits file_units(const Case& lbm_case, const Derived& derived, const FileStyle& style) {
  const bool si = lbm_case.units == UnitSystem::si;
  const FieldUnits units = style.units.value_or(si ? FieldUnits::physical : FieldUnits::reference);
  if (units == FieldUnits::physical) return physical_units(lbm_case, derived);
  if (units == FieldUnits::reference) return reference_units(derived);
  FileUnits lattice;
  lattice.text = units_text::lattice;
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

io::ImageGeometry image_geometry(const tiling::FieldBox& box, int edge, double cell) {
  io::ImageGeometry geometry{};
  for (std::size_t a = 0; a < 3; ++a) {
    geometry.points[a] = box.count[a] / edge;
    geometry.origin[a] = (box.begin[a] + 0.5 * edge * box.stride - 0.5 * (box.stride - 1)) * cell;
    geometry.spacing[a] = edge * box.stride * cell;
  }
  return geometry;
}

io::FieldInfo field_info(const Case& lbm_case, const Derived& derived, std::int64_t step,
                         const FileUnits& units) {
  io::FieldInfo info;
  info.step = step;
  info.time = static_cast<double>(step) * units.time;
  info.attributes = {{"case", lbm_case.name},
                     {"lbm_version", LBM_VERSION},
                     {"units", units.text},
                     {"reference_length_cells", derived.length},
                     {"reference_velocity_cells_per_step", derived.velocity},
                     {"reynolds", derived.reynolds}};
  if (units.physical) {
    info.attributes.emplace_back("reference_velocity", lbm_case.fluid.velocity.value_or(0));
    info.attributes.emplace_back("reference_density", lbm_case.fluid.density.value_or(1));
  }
  return info;
}

io::ArrayInfo array_info(fields::Kind kind, const FileStyle& style, const FileUnits& units) {
  io::ArrayInfo info;
  info.name = to_string(kind);
  info.components = components_of(kind);
  info.unit = units.of(kind);
  if (style.precision == FieldPrecision::float16) info.precision = io::Precision::float16;
  if (kind == fields::Kind::solid) info.precision = io::Precision::uint8;
  return info;
}

io::ImageOptions image_options(const FileStyle& style) {
  io::ImageOptions options;
  options.format =
      style.format == FieldFormat::vti ? io::ImageFormat::vti : io::ImageFormat::vtkhdf;
  options.compression = style.compression;
  return options;
}

}  // namespace lbm::cases
