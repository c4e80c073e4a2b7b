// Units, names and geometry of files with fields.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cases/fields/field_maker.hpp"
#include "cases/run/results/result_context.hpp"
#include "io/image/image.hpp"

namespace lbm::cases {

// What lattice units become in a file, and what that is called.
struct FileUnits {
  fields::Scales scales;
  double time = 1;   // per step
  std::string text;  // "lengths / reference length, ..."

  std::string of(fields::Kind kind) const;  // "m/s"; empty where it has no name
  bool physical = false;
};
FileUnits file_units(const Case& lbm_case, const Derived& derived, FieldUnits units);
// The units that a style asks for, or those of the case.
FieldUnits units_of(const Case& lbm_case, const FileStyle& style);

// Points at the centres of the cells of a box, or of cubes of `edge` of them.
io::ImageGeometry image_geometry(const tiling::FieldBox& box, int edge, double cell);

io::FieldInfo field_info(const Case& lbm_case, const Derived& derived, std::int64_t step,
                         const FileUnits& units);

io::ArrayInfo array_info(fields::Kind kind, const FileStyle& style, const FileUnits& units);
io::ImageOptions image_options(const FileStyle& style);

}  // namespace lbm::cases
