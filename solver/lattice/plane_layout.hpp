// SPDX-License-Identifier: Apache-2.0

// Which values of which cells are stored, and how one z-plane of them lies in memory. A plane is
// one contiguous piece of memory on the host and on the device; tiling and io know nothing but its
// size.
//
// All cells are stored: ny rows, each holding one after the other the `pitch` values of every
// direction (or moment), so value(q, y, x) is at index y * row + q * pitch + x.
//
// Only fluid cells are stored (PlaneLayout::fluid_only): the fluid cells of the plane, row after
// row, in blocks of `pitch` cells, so value q of fluid cell i is at index
// (i / pitch) * row + q * pitch + i % pitch. Planes then differ in size.
//
// All values of a cell are thus within one row or block: the cells that a device works on at one
// time lie in a few memory pages. (With one block per direction they lay in 19 times as many, and
// an H200 lost 4 to 8 % of its bandwidth to address translation; see docs/lab/performance.md.)
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "solver/core/enum_names.hpp"
#include "solver/core/host_device.hpp"
#include "solver/lattice/scalars.hpp"
#include "solver/lattice/velocity_sets.hpp"

namespace lbm {

// Which values of a cell are stored: its populations, or ten moments that these are a function of
// (moments.hpp).
enum class Representation { populations, moments };
inline constexpr Representation all_representations[] = {Representation::populations,
                                                         Representation::moments};

constexpr auto enum_names(Representation) { return std::array{"populations", "moments"}; }

// Which cells have memory (PlaneLayout::fluid_only).
enum class CellsStored { all, fluid };

constexpr auto enum_names(CellsStored) { return std::array{"all", "fluid"}; }

// The values of a cell: of which velocity set, in which form, and with how many scalars.
struct CellValues {
  VelocitySet set;
  Representation representation;
  int scalars = 0;

  constexpr CellValues(Representation form, VelocitySet of = VelocitySet::D3Q19,
                       int with_scalars = 0)
      : set(of), representation(form), scalars(with_scalars) {}
};

// Values per cell: those of the flow, then values_per_scalar of each scalar.
constexpr int flow_values_of(const CellValues& cell) {
  return cell.representation == Representation::moments ? 10 : directions_of(cell.set);
}
constexpr int values_of(const CellValues& cell) {
  return flow_values_of(cell) + values_per_scalar * cell.scalars;
}

// How one stored value of the lattice looks in memory. Arithmetic is float, double for fp64.
enum class StorageType { fp32, fp16, fp64 };
inline constexpr StorageType all_storage_types[] = {StorageType::fp16, StorageType::fp32,
                                                    StorageType::fp64};

// Bytes of one stored value.
constexpr std::size_t bytes_per_value(StorageType type) {
  return type == StorageType::fp16 ? 2 : (type == StorageType::fp64 ? 8 : 4);
}

constexpr auto enum_names(StorageType) { return std::array{"fp32", "fp16", "fp64"}; }

struct PlaneLayout {
  static constexpr int block_bits = 7;  // of fluid_only: blocks of 128 cells

  int nx = 0, ny = 0;       // cells of the plane, stored or not
  int pitch = 0;            // values from one direction to the next: nx rounded up to 16, or 128
  int values_per_cell = 0;  // of the flow (populations, or ten moments), then of the scalars
  std::int64_t row = 0;     // values from one row, or block, to the next
  std::size_t bytes = 0;    // of the plane, of the largest one if fluid_only; a multiple of 128
  bool fluid_only = false;

  std::int64_t cells() const { return static_cast<std::int64_t>(nx) * ny; }
  bool operator==(const PlaneLayout&) const = default;
  LBM_HD std::int64_t index(int q, int y, int x) const {
    return static_cast<std::int64_t>(y) * row + static_cast<std::int64_t>(q) * pitch + x;
  }
  // Only for fluid_only: where the first value of fluid cell i of a plane is; the others follow,
  // `pitch` values apart.
  LBM_HD int fluid_offset(int i) const {
    return (i >> block_bits) * static_cast<int>(row) + (i & ((1 << block_bits) - 1));
  }
};

// Rows and planes take an odd number of 128-byte lines each. So the rows and planes that one cell
// update reads never compete for the same sets of a cache, even where nx and ny are powers of two.
constexpr PlaneLayout make_plane_layout(int nx, int ny, StorageType type,
                                        const CellValues& cell = Representation::populations) {
  const int values_per_cell = values_of(cell);
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
  // A last direction with c_x != 0 is read one value beyond the last row.
  const bool populations = cell.representation == Representation::populations;
  const std::size_t beyond = populations && cx(flow_values_of(cell) - 1) != 0 ? 1 : 0;
  layout.bytes = ((lines * static_cast<std::size_t>(ny) + beyond) | 1U) * line;
  return layout;
}

// Bytes of a plane with so many fluid cells, of which at least one block is kept.
constexpr std::size_t fluid_plane_bytes(const PlaneLayout& layout, StorageType type,
                                        std::int64_t fluid_cells) {
  const std::int64_t block = std::int64_t{1} << PlaneLayout::block_bits;
  const std::int64_t blocks = fluid_cells > 0 ? (fluid_cells + block - 1) / block : 1;
  return static_cast<std::size_t>(blocks * block * layout.values_per_cell) * bytes_per_value(type);
}

// most_fluid_cells: of any plane.
constexpr PlaneLayout make_fluid_layout(int nx, int ny, StorageType type, const CellValues& cell,
                                        std::int64_t most_fluid_cells) {
  PlaneLayout layout;
  layout.nx = nx;
  layout.ny = ny;
  layout.pitch = 1 << PlaneLayout::block_bits;
  layout.values_per_cell = values_of(cell);
  layout.row = std::int64_t{layout.pitch} * layout.values_per_cell;
  layout.fluid_only = true;
  layout.bytes = fluid_plane_bytes(layout, type, most_fluid_cells);
  return layout;
}

LBM_HD int count_bits(std::uint32_t word) {
#if defined(__CUDA_ARCH__)
  return __popc(word);
#else
  return std::popcount(word);
#endif
}

// Up to 32 cells of a row, where only fluid cells are stored.
struct FluidWord {
  // A bit for each fluid cell. The bit behind the last cell of a row is that of its first cell.
  std::uint32_t fluid;
  // The lower 30 bits: fluid cells of the plane before these. Bit 30 is set if the cell before them
  // in the row is fluid, bit 31 if the cell behind them is; rows are periodic.
  std::uint32_t before;

  static constexpr std::uint32_t left_bit = 1U << 30, right_bit = 1U << 31;
  LBM_HD int first() const { return static_cast<int>(before & (left_bit - 1)); }
  bool operator==(const FluidWord&) const = default;
};

// The fluid cells of a plane, where only they are stored: which cells they are, and the number of
// each, counted row by row. Made by Boundaries (solver/boundary/boundaries.hpp).
struct FluidPlane {
  const FluidWord* words;       // words_per_row for each row; at last the cells of the plane
  const std::uint32_t* starts;  // for each 32 fluid cells the word that has the first of them
  int words_per_row;

  LBM_HD int word_of(int x, int y) const { return y * words_per_row + (x >> 5); }
  LBM_HD bool is_fluid(int x, int y) const {
    return (words[word_of(x, y)].fluid >> (x & 31) & 1U) != 0;
  }
  // The number of a fluid cell.
  LBM_HD int number_of(int x, int y) const {
    const FluidWord word = words[word_of(x, y)];
    return word.first() + count_bits(word.fluid & ((1U << (x & 31)) - 1));
  }
  // Fluid cells of the plane; rows: ny.
  LBM_HD int cells(int rows) const { return words[std::int64_t{words_per_row} * rows].first(); }
};

// Gives the fluid cells of plane z; empty where all cells are stored.
using FluidPlaneOf = std::function<FluidPlane(int z)>;

}  // namespace lbm
