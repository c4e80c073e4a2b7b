// SPDX-License-Identifier: Apache-2.0

// Reads surfaces of triangles from files.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
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

// Formats:
// - OBJ: the file name ends in .obj; polygons are cut into triangles;
// - STL, text or binary: any other file. It is binary if its size matches the number of triangles
//   that it announces, whatever its first word.
// PLY files and files packed by gzip are refused with the command that converts them.
// Solids are the `solid NAME` of a text STL file, and the objects `o NAME` and groups `g NAME...`
// of an OBJ file; a triangle may belong to several groups.
//
// Throws UsageError, one line that begins with the path (and the line in a text file), for a file
// that is missing, a directory, empty, of no such format, truncated, without triangles, with a
// coordinate that is not finite in single precision, or without a solid that is asked for.
// Throws TimeLimitReached.
Surface read_surface(const std::filesystem::path& path, const SurfaceRequest& request = {});

}  // namespace lbm::io
