// What the caches of a CPU hold.
#pragma once

#include "solver/lattice/lattice.hpp"

namespace lbm::cpu {

// Whether what a step writes has left the caches before the next one reads it: then it better goes
// straight to memory.
bool exceeds_caches(const Lattice& lattice);

// Bytes of a core's second-level cache that one thread's rows may take between two steps: what is
// read and written past them needs the rest.
long cache_for_rows();

}  // namespace lbm::cpu
