// SPDX-License-Identifier: Apache-2.0

// PLY files: the polygons of Stanford's format (Turk 1994, "The PLY Polygon File Format").
#pragma once

#include <string>
#include <string_view>

#include "io/surface/surface_builder.hpp"

namespace lbm::io {

// True if a file that begins with `head` is a PLY file.
bool is_ply(std::string_view head);

// Adds the faces of the file, cut into triangles; text, and binary of either byte order. Colours
// and all other values are skipped. Throws UsageError, one line that begins with `name` (and the
// line number, in the header and in text), for a damaged header, a file that is cut short, a number
// that is invalid or not finite, a face of fewer than three corners, of points that are not there,
// or that cannot be cut (cut_polygon), and a file without faces.
void read_ply(std::string_view bytes, const std::string& name, SurfaceBuilder& surface);

}  // namespace lbm::io
