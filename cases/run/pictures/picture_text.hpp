// SPDX-License-Identifier: Apache-2.0

// The words and units on a picture.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/file_units.hpp"
#include "tiling/store/field_box.hpp"

namespace lbm::cases {

// An axis of the grid on a picture: its direction to the right and upwards, 1 if it is not
// shortened.
struct AxisArrow {
  double right = 0, up = 0;
  char letter = 'x';
  friend bool operator==(const AxisArrow&, const AxisArrow&) = default;
};

struct PictureText {
  std::string title;   // the case
  std::string place;   // "slice y = 0.5 L", "Q = 2 (U/L)²"
  std::string number;  // "speed / U", "pressure in Pa"
  std::string time;    // "t = 12.5 L/U, step 3000"
  std::vector<AxisArrow> axes;
};

// cells: that the picture shows.
PictureText picture_text(const Case& lbm_case, const Picture& picture, const FileUnits& units,
                         const tiling::FieldBox& cells, std::int64_t step);

// A length in the units of the file: "0.5 L", "20 mm", "16 cells".
std::string length_text(double length, const FileUnits& units);

// A number beside others that are `step` apart: as many digits as tell them apart.
std::string mark_text(double number, double step);

}  // namespace lbm::cases
