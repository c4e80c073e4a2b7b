// SPDX-License-Identifier: Apache-2.0

// The grammar of text STL files.
#pragma once

#include <string>
#include <string_view>

#include "io/surface/surface_builder.hpp"

namespace lbm::io {

// Begins a line before a `solid` that no grammar knows, but some programs write.
inline bool is_stl_comment(char first) {
  return std::string_view("#;!%/").find(first) != std::string_view::npos;
}

// The triangles of all solids, whose names are the rest of the line after `solid`, of any length.
// Coordinates keep double precision: those of maps have seven digits before the point. Throws
// UsageError, one line that begins with `name` and the line number, for an unexpected word, a
// number that is invalid or beyond single precision, and a missing 'endsolid'.
void parse_stl_text(std::string_view text, const std::string& name, SurfaceBuilder& surface);

}  // namespace lbm::io
