// SPDX-License-Identifier: Apache-2.0

// OBJ files: the polygons of Wavefront's format.
#pragma once

#include <string>

#include "io/surface/surface_builder.hpp"

namespace lbm::io {

// Adds the faces (f) of the file, cut into triangles. A face belongs to the object (o) and to the
// groups (g) above it. Texture, normals, materials, lines and points are skipped. Throws
// UsageError, one line that begins with `name` and the line number, for an unknown word, a
// free-form surface, a number that is invalid or not finite, and a face of fewer than three
// corners, of points that are not above it, or that cannot be cut (cut_polygon). Changes the ends
// of lines in `text`.
void read_obj(std::string& text, const std::string& name, SurfaceBuilder& surface);

}  // namespace lbm::io
