#include "solver/backend/cpu/caches.hpp"

#include <unistd.h>

#include <algorithm>

namespace lbm::cpu {

bool exceeds_caches(const Lattice& lattice) {
  constexpr std::size_t cached = std::size_t{32} << 20;
  return lattice.bytes() > cached;
}

long cache_for_rows() { return std::max(sysconf(_SC_LEVEL2_CACHE_SIZE), 1L << 20) * 5 / 8; }

}  // namespace lbm::cpu
