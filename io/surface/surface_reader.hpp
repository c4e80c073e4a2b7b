// SPDX-License-Identifier: Apache-2.0

// Reads surfaces of triangles from files.
#pragma once

#include <filesystem>

#include "io/surface/surface.hpp"

namespace lbm::io {

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
