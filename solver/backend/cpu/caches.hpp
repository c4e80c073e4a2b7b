// SPDX-License-Identifier: Apache-2.0

// The capacity of the caches of a CPU.
#pragma once

#include "solver/lattice/lattice.hpp"

namespace lbm::cpu {

// True if planes leave the caches before the next step reads them. Stores should then bypass the
// caches.
bool exceeds_caches(const Lattice& lattice);

// Bytes of a core's second-level cache that one thread may use for rows between two steps; the rest
// is for the other rows that it reads and writes.
long cache_for_rows();

}  // namespace lbm::cpu
