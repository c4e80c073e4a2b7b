// SPDX-License-Identifier: Apache-2.0

// A surface of triangles as a file holds it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "solver/core/time_limit.hpp"

namespace lbm::io {

struct Surface {
  // In the units of the file. Points may be equal, and some may belong to no triangle.
  std::vector<std::array<double, 3>> points;
  std::vector<std::array<std::int32_t, 3>>
      triangles;  // indices of points, in the order of the file
  // Names of all solids of the file, each once, in its order; 10,000 at most.
  std::vector<std::string> solids;
};

struct SurfaceRequest {
  std::vector<std::string> solids = {};  // keeps the triangles of these; empty: all
  // With a limit, the bytes of the file and the surface may take 32 MiB each at most, too.
  TimeLimit limit = {};
};

}  // namespace lbm::io
