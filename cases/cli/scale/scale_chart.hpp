// Pictures of scaling studies (SVG).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cases/cli/scale/scale.hpp"

namespace lbm::cases {

// File names and their contents: a chart of speed over processes for weak and for strong scaling,
// where there are runs of them. Measured: points and lines; the model: dashed.
std::vector<std::pair<std::string, std::string>> scale_charts(const std::vector<ScaleRow>& rows);

}  // namespace lbm::cases
