// SPDX-License-Identifier: Apache-2.0

// Merges the records of a step from the slabs of a grid, and refuses a record of a diverged flow.
#pragma once

#include <cstdint>
#include <span>

#include "solver/lattice/step_record.hpp"

namespace lbm::tiling {

// Adds the sums and keeps the larger extremes of the first flow_values numbers.
void merge_flow_values(std::span<std::int64_t> to, std::span<const std::int64_t> from);

// Merges whole records. Forces are sums; a probe's values are zero in all slabs but one.
void merge_record(std::span<std::int64_t> to, std::span<const std::int64_t> from);

// Throws DivergedError where cells were outside the lattice's limits when that step was sampled.
void refuse_bad_cells(const Lattice& lattice, std::int64_t step,
                      std::span<const std::int64_t> record);

}  // namespace lbm::tiling
