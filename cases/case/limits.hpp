// SPDX-License-Identifier: Apache-2.0

// Limits shared by several checks; sums and products of bytes that stay within one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "solver/lattice/plane_layout.hpp"

namespace lbm::cases {

// Side of a picture; a smaller picture has no room for text.
inline constexpr int min_picture_pixels = 240;  // named by pictures.NAME.size
inline constexpr int max_picture_pixels = 8192;

// An initial flow on a larger grid is checked in some planes only, before the run.
inline constexpr std::int64_t most_cells_checked = 16'000'000;

inline constexpr int max_cells_per_axis = 1'000'000;
inline constexpr std::int64_t max_steps = 1'000'000'000'000'000;
// Rows of a z-plane; a GPU has no more thread blocks along y.
inline constexpr int max_rows = 65535;
// Values of a z-plane; an int can index them.
inline constexpr std::int64_t max_plane_values = (std::int64_t{1} << 31) - 1;
constexpr bool plane_is_allowed(const PlaneLayout& layout, StorageType storage) {
  return layout.bytes / bytes_per_value(storage) <= static_cast<std::size_t>(max_plane_values);
}
// The compressibility error grows with Mach^2: 9 % of the dynamic pressure here.
inline constexpr double max_mach = 0.3;

// Walls lose accuracy from 2 on, as warnings say; there is no use for more.
inline constexpr double max_tau = 1000;
// Steps of an oscillation.
inline constexpr double min_period = 4;

// No link between two fluid cells passes a shell of this thickness, in cells, the length of the
// longest link (rounded up): one of its ends is within half of it of the place at which the link
// meets the surface, and that end is solid.
constexpr double least_thickness(VelocitySet set) {
  return directions_of(set) > edge_directions ? 1.73206 : 1.41422;
}
// Default thickness of the shell of a surface, in cells.
constexpr double default_thickness(VelocitySet set) {
  return directions_of(set) > edge_directions ? 1.75 : 1.5;
}

// Rule of thumb for the resolution of a shape, in cells.
inline constexpr double few_cells_of_shape = 8;

// Bodies made of bodies made of bodies ...
inline constexpr int max_body_levels = 64;

// Corners of a polygon: each side may be compared with each other one.
inline constexpr std::size_t max_polygon_points = 10'000;

// The sum of two such counts does not overflow.
inline constexpr std::uint64_t most_bytes = std::uint64_t{1} << 62;

constexpr std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b) {
  return std::min(std::min(a, most_bytes) + std::min(b, most_bytes), most_bytes);
}

constexpr std::uint64_t saturating_multiply(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > most_bytes / b ? most_bytes : a * b;
}

}  // namespace lbm::cases
