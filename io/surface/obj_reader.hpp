// SPDX-License-Identifier: Apache-2.0

// OBJ files: the polygons of Wavefront's format.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "io/surface/surface_builder.hpp"

namespace lbm::io {

// Adds the faces (f) of the file, cut into triangles. A face belongs to the object (o) and to the
// groups (g) above it. Texture, normals, materials, lines and points are skipped. Throws
// UsageError, one line that begins with `name` and the line number, for an unknown word, a
// free-form surface, a number that is invalid or not finite, and a face of fewer than three
// corners, of points that are not above it, or that cannot be cut (cut_polygon). Changes the ends
// of lines in `text`.
void read_obj(std::string& text, const std::string& name, SurfaceBuilder& surface);

// More corners are cut only if the polygon is convex.
inline constexpr std::size_t most_corners = 1000;
// Appends the triangles of the polygon, with its winding and with no edges but its own and pairs of
// inner ones: a closed surface stays closed. A convex polygon becomes a fan, any other one is cut
// ear by ear (Meisters 1975, American Mathematical Monthly 82, 648), in the plane of coordinates
// that it covers most of. corners: at least three indices of points. False, and nothing is
// appended, for a polygon that is not convex and has more than most_corners.
bool cut_polygon(std::span<const std::array<double, 3>> points,
                 std::span<const std::int32_t> corners,
                 std::vector<std::array<std::int32_t, 3>>& triangles);

}  // namespace lbm::io
