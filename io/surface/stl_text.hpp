// SPDX-License-Identifier: Apache-2.0

// The grammar of text STL files.
#pragma once

#include <string>
#include <string_view>

#include "io/surface/surface_builder.hpp"

namespace lbm::io {

// The triangles of all solids, whose names are the rest of the line after `solid`, of any length.
// Coordinates are rounded to single precision. Throws UsageError, one line that begins with `name`
// and the line number, for an unexpected word, a number that is invalid or not finite, and a
// missing 'endsolid'.
void parse_stl_text(std::string_view text, const std::string& name, SurfaceBuilder& surface);

}  // namespace lbm::io
