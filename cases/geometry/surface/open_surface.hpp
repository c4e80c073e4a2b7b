// SPDX-License-Identifier: Apache-2.0

// Surfaces that are not closed.
#pragma once

#include <array>
#include <cstdint>

namespace lbm::geometry {

// Treatment of a surface of triangles. refuse: the surface must be closed; its inside is solid.
// fill: if the surface is not closed, a point is solid if most of six rays meet the surface
// (filled_shape.hpp). shell: the surface, closed or not, is a solid wall of some thickness
// (shell_shape.hpp).
enum class OpenSurface { refuse, fill, shell };
constexpr auto enum_names(OpenSurface) { return std::array{"refuse", "fill", "shell"}; }

// The border of a surface: edges that its triangles do not pass as often in one direction as in the
// other.
struct Holes {
  std::int64_t edges = 0;  // of the border
  std::int64_t count = 0;  // parts of the border that do not touch
  double length = 0;       // of all edges, as often as they are passed in excess
  double area = 0;         // of plane caps; of the projection along which it is largest for others
};

}  // namespace lbm::geometry
