// SPDX-License-Identifier: Apache-2.0

// Predicts size and number of checkpoints without a run.
#pragma once

#include <cstdint>

#include "cases/case/case.hpp"
#include "cases/case/derived.hpp"
#include "io/checkpoint/checkpoint_layout.hpp"
#include "solver/lattice/lattice.hpp"

namespace lbm::cases {

// The array of populations in a checkpoint: planes as stored.
io::PlaneArray lattice_array(const Lattice& lattice);

// Bytes of one checkpoint within a few kilobytes: populations, sums of statistics, case.
std::uint64_t checkpoint_bytes(const Case& lbm_case, const Derived& derived,
                               const Lattice& lattice);

// Largest number of checkpoints on the disk at once beyond the `there` existing ones, when the run
// continues after a step. Checkpoints requested by signals do not count.
std::int64_t checkpoints_to_come(const Case& lbm_case, const Derived& derived,
                                 std::int64_t after_step = 0, std::int64_t there = 0);

}  // namespace lbm::cases
