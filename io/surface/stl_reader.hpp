// SPDX-License-Identifier: Apache-2.0

// STL files, text or binary.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "io/surface/surface_builder.hpp"

namespace lbm::io {

// A file of `size` bytes with these first bytes: of the size that its count of triangles needs.
bool is_binary_stl(std::string_view head, std::uint64_t size);

// Refuses a file of `size` bytes that can be no STL file, by its first 1024 bytes (or all of them,
// if it has fewer). Throws UsageError, one line that begins with `name`.
void check_stl(std::string_view head, std::uint64_t size, const std::string& name);

// Adds the triangles of a whole file that check_stl() accepted. The solids of a text have as name
// the rest of the line after `solid`, of any length; their coordinates keep double precision: those
// of maps have seven digits before the point. Throws UsageError, one line that begins with `name`
// (and the line number in a text), for an unexpected word, a number that is invalid or beyond
// single precision, and a missing 'endsolid'.
void read_stl(std::string_view bytes, const std::string& name, SurfaceBuilder& surface);

}  // namespace lbm::io
