// How one z-plane of the lattice lies in memory: ny rows, each holding one after the other the
// `pitch` values of every direction (or moment), so value(q, y, x) is at index
// y * row + q * pitch + x. A plane
// is one contiguous piece of `bytes` bytes on the host and on the device; tiling and io know
// nothing else about it.
//
// All values of a cell are thus within one row of 19 pitches: the cells that a device works on at
// one time lie in a few memory pages. (With one block per direction they lay in 19 times as many,
// and an H200 lost 4 to 8 % of its bandwidth to address translation; see docs/performance.md.)
#pragma once

#include <cstddef>
#include <cstdint>

#include "solver/core/host_device.hpp"
#include "solver/lattice/representation.hpp"
#include "solver/lattice/storage_type.hpp"

namespace lbm {

struct PlaneLayout {
  int nx = 0, ny = 0;       // cells
  int pitch = 0;            // values from one direction to the next: nx rounded up to 16
  int values_per_cell = 0;  // 19 populations, or ten moments
  std::int64_t row = 0;     // values from one row to the next
  std::size_t bytes = 0;    // of the whole plane, a multiple of 128

  std::int64_t cells() const { return static_cast<std::int64_t>(nx) * ny; }
  bool operator==(const PlaneLayout&) const = default;
  LBM_HD std::int64_t index(int q, int y, int x) const {
    return static_cast<std::int64_t>(y) * row + static_cast<std::int64_t>(q) * pitch + x;
  }
};

// Rows and planes take an odd number of 128-byte lines each. So the rows and planes that one cell
// update reads never compete for the same sets of a cache, even where nx and ny are powers of two.
constexpr PlaneLayout make_plane_layout(
    int nx, int ny, StorageType type, Representation representation = Representation::populations) {
  const int values_per_cell = values_of(representation);
  constexpr std::size_t line = 128;
  const std::size_t value = bytes_per_value(type);
  PlaneLayout layout;
  layout.nx = nx;
  layout.ny = ny;
  layout.pitch = (nx + 15) / 16 * 16;
  layout.values_per_cell = values_per_cell;
  const std::size_t row_bytes =
      static_cast<std::size_t>(layout.pitch) * static_cast<std::size_t>(values_per_cell) * value;
  const std::size_t lines = ((row_bytes + line - 1) / line) | 1U;
  layout.row = static_cast<std::int64_t>(lines * line / value);
  layout.bytes = ((lines * static_cast<std::size_t>(ny)) | 1U) * line;
  return layout;
}

}  // namespace lbm
