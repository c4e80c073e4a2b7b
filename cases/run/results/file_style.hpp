// SPDX-License-Identifier: Apache-2.0

// Names, geometry and format of field files.
#pragma once

#include "cases/case/units_table.hpp"
#include "cases/run/results/result_context.hpp"
#include "io/image/image.hpp"

namespace lbm::cases {

// Points at the centres of the cells of a box, or of cubes of `edge` cells.
io::ImageGeometry image_geometry(const tiling::FieldBox& box, int edge, double cell);

io::FieldInfo field_info(const Case& lbm_case, const Derived& derived, std::int64_t step,
                         const FileUnits& units);

io::ArrayInfo array_info(fields::Kind kind, const FileStyle& style, const FileUnits& units);

}  // namespace lbm::cases
