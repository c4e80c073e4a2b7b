// SPDX-License-Identifier: Apache-2.0

// Units, names and geometry of field files.
#pragma once

#include <string>

#include "cases/fields/field_maker.hpp"
#include "cases/run/results/result_context.hpp"
#include "io/image/image.hpp"

namespace lbm::cases {

// Conversion of lattice units to those of a file, and their names.
struct FileUnits {
  fields::Scales scales;
  double time = 1;   // per step
  std::string text;  // "lengths / reference length, ..."

  std::string of(fields::Kind kind) const;  // "m/s"; empty for a unit without a name
  bool physical = false;
};
// The units of a style, by default those of the case.
FileUnits file_units(const Case& lbm_case, const Derived& derived, const FileStyle& style);

// Points at the centres of the cells of a box, or of cubes of `edge` cells.
io::ImageGeometry image_geometry(const tiling::FieldBox& box, int edge, double cell);

io::FieldInfo field_info(const Case& lbm_case, const Derived& derived, std::int64_t step,
                         const FileUnits& units);

io::ArrayInfo array_info(fields::Kind kind, const FileStyle& style, const FileUnits& units);
io::ImageOptions image_options(const FileStyle& style);

}  // namespace lbm::cases
