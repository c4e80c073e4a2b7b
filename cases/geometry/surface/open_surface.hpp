// SPDX-License-Identifier: Apache-2.0

// Surfaces that are not closed.
#pragma once

#include <array>
#include <cstdint>

namespace lbm::geometry {

// What becomes of a surface of triangles. refuse: it must be closed, its inside is solid; fill:
// where it is not closed, a point is solid if most of six rays meet it (filled_shape.hpp); shell:
// the surface itself is solid, as a wall of some thickness (shell_shape.hpp), closed or not.
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
