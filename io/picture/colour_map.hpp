// SPDX-License-Identifier: Apache-2.0

// Colour maps: values between 0 and 1 as colours.
#pragma once

#include <array>

#include "io/picture/canvas.hpp"
#include "solver/core/enum_names.hpp"

namespace lbm::io {

// viridis, inferno: equal steps of the value look like equal steps of colour (Smith & van der Walt
// 2015, CC0). coolwarm: two colours around white for values of both signs (Moreland 2009,
// "Diverging color maps for scientific visualization", ISVC). grey: black to white.
enum class ColourMap { viridis, inferno, coolwarm, grey };
constexpr auto enum_names(ColourMap) {
  return std::array{"viridis", "inferno", "coolwarm", "grey"};
}

// Values below 0 and above 1 have the colours of the ends; not a number has that of 0.
Colour colour_of(ColourMap map, double value);

}  // namespace lbm::io
