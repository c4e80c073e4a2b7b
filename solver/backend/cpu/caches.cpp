#include "solver/backend/cpu/caches.hpp"

#include <unistd.h>

#include <algorithm>

#include "solver/backend/cpu/launch_pair.hpp"

namespace lbm::cpu {

bool exceeds_caches(const Lattice& lattice) {
  constexpr std::size_t cached = std::size_t{32} << 20;
  return lattice.layout.bytes * static_cast<std::size_t>(lattice.nz) > cached;
}

long cache_for_rows() { return std::max(sysconf(_SC_LEVEL2_CACHE_SIZE), 1L << 20) * 5 / 8; }

int planes_in_cache(const Lattice& lattice) {
  constexpr int least = 4, most = 16, in_pieces = 8;
  const auto fit = cache_for_rows() / static_cast<long>(pair_ring_bytes(lattice, 1)) - 2;
  return fit < least ? in_pieces : static_cast<int>(std::min<long>(fit, most));
}

}  // namespace lbm::cpu
