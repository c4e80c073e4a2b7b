// How large checkpoints are and how many there will be, without a run.
#pragma once

#include <cstdint>

#include "cases/case/case.hpp"
#include "cases/case/derived.hpp"
#include "io/checkpoint/checkpoint_layout.hpp"
#include "solver/lattice/lattice.hpp"

namespace lbm::cases {

// The populations as a checkpoint has them: planes as they are stored.
io::PlaneArray populations_array(const Lattice& lattice);

// Bytes of one, but for some kilobytes: the populations, the samples of statistics, the case.
std::uint64_t checkpoint_bytes(const Case& lbm_case, const Derived& derived,
                               const Lattice& lattice);

// How many come to the disk beyond the `there` that are on it, at most at one time, when the run
// goes on after that step. Those that signals ask for do not count.
std::int64_t checkpoints_to_come(const Case& lbm_case, const Derived& derived,
                                 std::int64_t after_step = 0, std::int64_t there = 0);

}  // namespace lbm::cases
