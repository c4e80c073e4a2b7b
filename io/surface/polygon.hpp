// SPDX-License-Identifier: Apache-2.0

// Cuts polygons into triangles.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace lbm::io {

// More corners are cut only if the polygon is convex.
inline constexpr std::size_t most_corners = 1000;
// Readers refuse a polygon of more.
inline constexpr std::size_t most_convex_corners = 100'000;

// Appends the triangles of the polygon, with its winding and with no edges but its own and pairs of
// inner ones: a closed surface stays closed. A convex polygon becomes a fan, any other one is cut
// ear by ear (Meisters 1975, American Mathematical Monthly 82, 648), in the plane of coordinates
// that it covers most of. corners: at least three indices of points. False, and nothing is
// appended, for a polygon that is not convex and has more than most_corners.
bool cut_polygon(std::span<const std::array<double, 3>> points,
                 std::span<const std::int32_t> corners,
                 std::vector<std::array<std::int32_t, 3>>& triangles);

}  // namespace lbm::io
