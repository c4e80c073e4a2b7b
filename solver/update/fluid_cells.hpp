// SPDX-License-Identifier: Apache-2.0

// The neighbours of a cell where only fluid cells are stored (FluidPlane). A population from a
// resting solid cell, whose wall lies half a cell away, is the opposite one of the cell itself. The
// mask of solid cells tells so; no list of links is needed.
#pragma once

#include "solver/boundary/conditions/periodic_density_drop.hpp"
#include "solver/update/update_cell.hpp"

namespace lbm {

// Three cells of a row, x - 1, x and x + 1, periodic: their numbers in the plane, of which only
// those of fluid cells count.
struct FluidRow {
  int number[3];
  bool fluid[3];

  // Where the first value of each is, -1 where the cell is solid.
  LBM_HD int at(int i, const PlaneLayout& layout) const {
    return fluid[i] ? layout.fluid_offset(number[i]) : -1;
  }
};

LBM_HD FluidRow fluid_row(const FluidPlane& plane, int nx, int x, int y) {
  const int bit = x & 31, place = plane.word_of(x, y);
  const FluidWord word = plane.words[place];
  const int number = word.first() + count_bits(word.fluid & ((1U << bit) - 1));
  const std::uint32_t before = word.fluid << 1 | (word.before >> 30 & 1U);
  const std::uint32_t behind = word.fluid >> 1 | (word.before & FluidWord::right_bit);
  const bool here = (word.fluid >> bit & 1U) != 0;
  FluidRow row{{number - 1, number, number + (here ? 1 : 0)},
               {(before >> bit & 1U) != 0, here, (behind >> bit & 1U) != 0}};
  if (x == 0) row.number[0] = plane.words[place + plane.words_per_row].first() - 1;
  if (x == nx - 1) row.number[2] = plane.words[plane.word_of(0, y)].first();
  return row;
}

// The masks of the planes z - 1, z and z + 1, periodic.
struct FluidPlanesAround {
  FluidPlane plane[3];

  LBM_HD FluidPlanesAround(const BoundaryView& view, int z, int nz)
      : plane{view.fluid_plane(z == 0 ? nz - 1 : z - 1), view.fluid_plane(z),
              view.fluid_plane(z == nz - 1 ? 0 : z + 1)} {}
};

// Offsets of a cell and its 26 neighbours, periodic; -1 where a cell is solid. As CellOffsets, for
// BoundaryCell.
struct FluidOffsets {
  static constexpr bool all_stored = false;
  int at[3][3][3];  // z, y, x

  LBM_HD FluidOffsets(const FluidPlanesAround& planes, const PlaneLayout& layout, int x, int y) {
    LBM_UNROLL
    for (int dz = 0; dz < 3; ++dz) {
      LBM_UNROLL
      for (int dy = 0; dy < 3; ++dy) {
        const int row = y + dy - 1;
        const int inside = row < 0 ? layout.ny - 1 : (row == layout.ny ? 0 : row);
        const FluidRow cells = fluid_row(planes.plane[dz], layout.nx, x, inside);
        LBM_UNROLL
        for (int dx = 0; dx < 3; ++dx) at[dz][dy][dx] = cells.at(dx, layout);
      }
    }
  }
  LBM_HD int of(int dx, int dy, int dz) const { return at[1 + dz][1 + dy][1 + dx]; }
  LBM_HD int place() const { return at[1][1][1]; }
  // Bits of the directions whose source is solid. touched: the closed faces that the cell touches:
  // beyond these are no cells, but those with free slip show a mirror image.
  LBM_HD unsigned solid_sources(const BoundaryView& view, unsigned touched) const {
    unsigned solid = 0;
    for (int q = 1; q < edge_directions; ++q) {
      const unsigned crossed = touched & entered_faces(q) & ~drop_faces(view);
      if ((crossed & ~view.slip_faces) != 0) continue;
      const LinkSource from = mirrored_source(direction(q), crossed);
      if (of(from.d[0], from.d[1], from.d[2]) < 0) solid |= 1U << q;
    }
    return solid;
  }
};

// The same for a cell and its six neighbours along the axes, for ScalarCell.
struct FluidAxisOffsets {
  static constexpr bool all_stored = false;
  int at[7];  // of the cell, then of the neighbours x - 1, x + 1, y - 1, ..., z + 1

  LBM_HD FluidAxisOffsets(const FluidPlanesAround& planes, const PlaneLayout& layout, int x,
                          int y) {
    const FluidRow row = fluid_row(planes.plane[1], layout.nx, x, y);
    const auto beside = [&](const FluidPlane& plane, int of_row) {
      return plane.is_fluid(x, of_row) ? layout.fluid_offset(plane.number_of(x, of_row)) : -1;
    };
    at[0] = row.at(1, layout);
    at[1] = row.at(0, layout);
    at[2] = row.at(2, layout);
    at[3] = beside(planes.plane[1], y == 0 ? layout.ny - 1 : y - 1);
    at[4] = beside(planes.plane[1], y == layout.ny - 1 ? 0 : y + 1);
    at[5] = beside(planes.plane[0], y);
    at[6] = beside(planes.plane[2], y);
  }
  // dx, dy, dz: at most one of them is not 0.
  LBM_HD int of(int dx, int dy, int dz) const {
    const int axis = dx != 0 ? 0 : (dy != 0 ? 1 : 2), side = dx + dy + dz;
    return side == 0 ? at[0] : at[2 * axis + (side < 0 ? 1 : 2)];
  }
};

// Gathers the populations that enter a cell that touches no closed face. planes: masks of planes
// z - 1, z and z + 1; own: where the cell has its first value.
template <class Storage>
LBM_HD void gather_between_solids(const PlaneLayout& layout, const FluidPlanesAround& planes,
                                  const InputPlanes<Storage>& in, int x, int y, int own,
                                  typename Storage::Real (&g)[Storage::Set::directions]) {
  using Real = typename Storage::Real;
  constexpr int pitch = 1 << PlaneLayout::block_bits;
  const int rest_of_block = static_cast<int>(layout.row) - pitch;
  const auto place_of = [=](int number) {
    return number + (number >> PlaneLayout::block_bits) * rest_of_block;
  };
  const int rows[3] = {y == 0 ? layout.ny - 1 : y - 1, y, y == layout.ny - 1 ? 0 : y + 1};
  LBM_UNROLL
  for (int dz = -1; dz <= 1; ++dz) {
    LBM_UNROLL
    for (int dy = -1; dy <= 1; ++dy) {
      const FluidRow cells = fluid_row(planes.plane[1 + dz], layout.nx, x, rows[1 + dy]);
      LBM_UNROLL
      for (int q = 0; q < Storage::Set::directions; ++q) {
        if (cy(q) != -dy || cz(q) != -dz) continue;
        const int side = 1 - cx(q);
        const bool fluid = cells.fluid[side];
        const int there = place_of(cells.number[side]);
        const auto* const plane = dz == 0 || fluid ? in.plane[1 + dz] : in.plane[1];
        Real value;
        if constexpr (holds_moments<Storage>) {
          value = population_at<Storage>(plane + (fluid ? there : own), 0, pitch, q, !fluid);
        } else {
          // The same offset for both: fewer instructions on a GPU.
          const int back = (opposite(q) - q) * pitch;
          value = Storage::load_scaled((plane + (fluid ? there : own + back))[q * pitch]);
        }
        // The second pass adds the term of the wall, zero, which makes 0 of -0.
        g[q] = fluid ? value : value + Real(0);
      }
    }
  }
}

// Gathers the populations that enter a cell at closed faces, as LinkGather does. Where a source is
// solid, or the main update does not do a face, the value is not used: BoundaryCell updates the
// cell again.
template <class Storage, class Params>
LBM_HD void gather_at_faces(const Params& params, const FluidOffsets& at,
                            const InputPlanes<Storage>& in, unsigned touched,
                            typename Storage::Real (&g)[Storage::Set::directions]) {
  const int pitch = params.layout.pitch;
  for (int q = 0; q < Storage::Set::directions; ++q) {
    const LinkSource from = link_source(q, touched & entered_faces(q), params.free_slip_faces());
    const int source = at.of(from.d[0], from.d[1], from.d[2]);
    const int dz = source < 0 ? 0 : from.d[2];
    // No index at run time, which would put the pointers into local memory of a GPU.
    const auto* plane = dz < 0 ? in.plane[0] : (dz > 0 ? in.plane[2] : in.plane[1]);
    const auto value =
        population_at<Storage>(plane, source < 0 ? at.place() : source, pitch, from.q);
    g[q] = from.walls != 0 ? value + params.walls.term[q][wall_set(q, from.walls)] : value;
  }
}

// Where the first value of a cell of a plane is. The cell must be stored.
LBM_HD std::int64_t stored_place(const PlaneLayout& layout, const BoundaryView& view, int x, int y,
                                 int z) {
  return layout.fluid_only ? layout.fluid_offset(view.fluid_plane(z).number_of(x, y))
                           : layout.index(0, y, x);
}

}  // namespace lbm
