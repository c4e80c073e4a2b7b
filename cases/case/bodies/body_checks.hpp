// SPDX-License-Identifier: Apache-2.0

// Bodies beside the box and its cells: a length in the wrong unit is seen here, and parts that are
// thinner than the grid resolves.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/geometry/body_set.hpp"
#include "solver/core/time_limit.hpp"

namespace lbm::cases {

std::array<bool, 3> periodic_axes(const Case& lbm_case);

// bounds: of the body in place, in cells; periodic images do not count. Throws UsageError, without
// the name of the body, if it is outside the box, far smaller than a cell, or so large that a
// periodic box needs too many images. Appends a warning if it is longer than a periodic
// box along all axes.
void check_bounds(const Case& lbm_case, const Body& body, const geometry::Box& bounds,
                  std::vector<std::string>& warnings);

// Warns of closed parts of a surface that have no cell, where others have some. Throws
// TimeLimitReached.
void check_parts(const Case& lbm_case, const Body& body, const geometry::Shape& shape,
                 const TimeLimit& limit, std::vector<std::string>& warnings);

// Rule of thumb for the resolution of a shape, in cells.
inline constexpr double few_cells_of_shape = 8;

// Warns of surfaces from files and combinations of which much is thin; other shapes have keys for
// their extents. Shells are as thick as the user says. bodies: in cells. Samples a fixed number of
// lines in all. Throws TimeLimitReached.
void check_thickness(const Case& lbm_case, const std::vector<geometry::Body>& bodies,
                     const TimeLimit& limit, std::vector<std::string>& warnings);

}  // namespace lbm::cases
