// How one z-plane of the lattice lies in memory: values_per_cell blocks, each ny rows of `pitch`
// values, so value(q, y, x) is at index q * block + y * pitch + x. A plane is one contiguous piece
// of `bytes` bytes on the host and on the device; tiling and io know nothing else about it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "solver/core/host_device.hpp"
#include "solver/lattice/d3q19.hpp"
#include "solver/lattice/storage_type.hpp"

namespace lbm {

struct PlaneLayout {
  int nx = 0, ny = 0;       // cells
  int pitch = 0;            // values from one row to the next: nx rounded up to 16
  int values_per_cell = 0;  // blocks
  std::int64_t block = 0;   // values from one block to the next
  std::size_t bytes = 0;    // of the whole plane, a multiple of 128

  std::int64_t cells() const { return static_cast<std::int64_t>(nx) * ny; }
  LBM_HD std::int64_t index(int q, int y, int x) const {
    return q * block + static_cast<std::int64_t>(y) * pitch + x;
  }
};

// A block takes an odd number of 128-byte lines: then the 19 streams that one cell update reads
// never fall into the same sets of a cache, also where nx and ny are powers of two.
constexpr PlaneLayout make_plane_layout(int nx, int ny, StorageType type,
                                        int values_per_cell = d3q19::directions) {
  constexpr std::size_t line = 128;
  const std::size_t value = bytes_per_value(type);
  PlaneLayout layout;
  layout.nx = nx;
  layout.ny = ny;
  layout.pitch = (nx + 15) / 16 * 16;
  layout.values_per_cell = values_per_cell;
  const std::size_t block_bytes =
      static_cast<std::size_t>(layout.pitch) * static_cast<std::size_t>(ny) * value;
  const std::size_t lines = ((block_bytes + line - 1) / line) | 1U;
  layout.block = static_cast<std::int64_t>(lines * line / value);
  layout.bytes = lines * line * static_cast<std::size_t>(values_per_cell);
  return layout;
}

}  // namespace lbm
