// SPDX-License-Identifier: Apache-2.0

// The words and units on a picture.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "cases/case/case.hpp"
#include "cases/case/file_units.hpp"
#include "tiling/store/field_box.hpp"

namespace lbm::cases {

struct PictureText {
  std::string title;                // the case
  std::string place;                // "slice y = 0.5 L"
  std::string number;               // "speed / U", "pressure in Pa"
  std::string time;                 // "t = 12.5 L/U, step 3000"
  std::array<std::string, 2> axes;  // to the right, upwards
};

// cells: that the picture shows.
PictureText picture_text(const Case& lbm_case, const Picture& picture, const FileUnits& units,
                         const tiling::FieldBox& cells, std::int64_t step);

// A length in the units of the file: "0.5 L", "20 mm", "16 cells".
std::string length_text(double length, const FileUnits& units);

// A number beside others that are `step` apart: as many digits as tell them apart.
std::string mark_text(double number, double step);

}  // namespace lbm::cases
