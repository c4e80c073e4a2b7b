// SPDX-License-Identifier: Apache-2.0
#include "cases/run/results/file_style.hpp"

namespace lbm::cases {

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
  if (misses_target(lbm_case, derived)) {
    info.attributes.emplace_back("target_reynolds", *lbm_case.fluid.target_reynolds);
  }
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

}  // namespace lbm::cases
