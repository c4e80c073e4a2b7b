// SPDX-License-Identifier: Apache-2.0
#include "solver/backend/cpu/caches.hpp"

#include <unistd.h>

#include <algorithm>

#include "solver/backend/cpu/rows/pair_strip.hpp"

namespace lbm::cpu {

bool exceeds_caches(const Lattice& lattice) {
  constexpr std::size_t cached = std::size_t{32} << 20;
  return lattice.bytes() > cached;
}

long cache_for_rows() { return std::max(sysconf(_SC_LEVEL2_CACHE_SIZE), 1L << 20) * 5 / 8; }

std::size_t pair_ring_bytes(const Lattice& lattice, int planes) {
  const auto row = static_cast<std::size_t>(lattice.layout.row);
  return 3 * row * bytes_per_value(lattice.storage) * static_cast<std::size_t>(planes);
}

int planes_in_cache(const Lattice& lattice) {
  constexpr int least = 4, most = 16, in_pieces = 8;
  const auto fit = cache_for_rows() / static_cast<long>(pair_ring_bytes(lattice, 1)) - 2;
  return fit < least ? in_pieces : static_cast<int>(std::min<long>(fit, most));
}

int cells_per_piece(const Lattice& lattice, const LaunchPair& pair) {
  constexpr int least = 128;  // a quarter more is then computed twice
  const int pitch = lattice.layout.pitch;
  const auto bytes = static_cast<long>(pair_ring_bytes(lattice, pair.second.count + 2));
  const auto most = std::max(static_cast<int>(cache_for_rows() * pitch / bytes), least);
  const int pieces = (pitch + most - 1) / most;
  return ((pitch + pieces - 1) / pieces + 15) / 16 * 16;
}

}  // namespace lbm::cpu
