// SPDX-License-Identifier: Apache-2.0

// Parts of a closed surface that no cell of a box sees.
#pragma once

#include <array>

#include "cases/geometry/mesh_shape.hpp"
#include "solver/core/time_limit.hpp"

namespace lbm::geometry {

struct PartCount {
  int all = 0;    // parts that share no corner of a triangle
  int empty = 0;  // those that enclose no cell centre of the box
};

// Along a periodic axis the box has no end. A surface of one part is not looked at. Throws
// TimeLimitReached.
PartCount count_empty_parts(const MeshShape& surface, const std::array<int, 3>& cells,
                            const std::array<bool, 3>& periodic, const TimeLimit& limit);

}  // namespace lbm::geometry
