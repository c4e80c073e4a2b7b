// SPDX-License-Identifier: Apache-2.0

// Bodies that are thinner than the grid resolves, by their shape rather than by their bounds.
#pragma once

#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/geometry/body_set.hpp"
#include "solver/core/time_limit.hpp"

namespace lbm::cases {

// Rule of thumb for the resolution of a shape, in cells.
inline constexpr double few_cells_of_shape = 8;

// Warns of surfaces from files and combinations of which much is thin; other shapes have keys for
// their extents. Shells are as thick as the user says. bodies: in cells. Samples a fixed number of
// lines in all. Throws TimeLimitReached.
void check_thickness(const Case& lbm_case, const std::vector<geometry::Body>& bodies,
                     const TimeLimit& limit, std::vector<std::string>& warnings);

}  // namespace lbm::cases
