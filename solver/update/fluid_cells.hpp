// SPDX-License-Identifier: Apache-2.0

// The neighbours of a cell where only fluid cells are stored (FluidPlane). A population from a
// resting solid cell, whose wall lies half a cell away, is the opposite one of the cell itself. The
// mask of solid cells tells so; no list of links is needed.
#pragma once

#include "solver/boundary/conditions/periodic_density_drop.hpp"
#include "solver/update/update_cell.hpp"

namespace lbm {

// Three cells of a row: where each has its first value in its plane, or -1 if it is solid.
struct FluidRow {
  int at[3];  // x - 1, x, x + 1, periodic
};

LBM_HD FluidRow fluid_row(const FluidPlane& plane, const PlaneLayout& layout, int x, int y) {
  const int bit = x & 31, word = plane.word_of(x, y);
  const std::uint32_t fluid = ~plane.solid[word];
  const bool here = (fluid >> bit & 1U) != 0;
  const int number = static_cast<int>(plane.before[word]) + count_bits(fluid & ((1U << bit) - 1));
  int left = number - 1, right = number + (here ? 1 : 0);
  if (bit == 0 || x == 0) {
    const int from = x == 0 ? layout.nx - 1 : x - 1;
    left = x == 0 ? plane.number_or_solid(from, y) : (plane.is_fluid(from, y) ? left : -1);
  } else if ((fluid >> (bit - 1) & 1U) == 0) {
    left = -1;
  }
  if (bit == 31 || x == layout.nx - 1) {
    const int from = x == layout.nx - 1 ? 0 : x + 1;
    right = from == 0 ? plane.number_or_solid(from, y) : (plane.is_fluid(from, y) ? right : -1);
  } else if ((fluid >> (bit + 1) & 1U) == 0) {
    right = -1;
  }
  return {{left < 0 ? -1 : layout.fluid_offset(left), here ? layout.fluid_offset(number) : -1,
           right < 0 ? -1 : layout.fluid_offset(right)}};
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
    for (int dz = 0; dz < 3; ++dz) {
      for (int dy = 0; dy < 3; ++dy) {
        const int row = y + dy - 1;
        const int inside = row < 0 ? layout.ny - 1 : (row == layout.ny ? 0 : row);
        const FluidRow cells = fluid_row(planes.plane[dz], layout, x, inside);
        for (int dx = 0; dx < 3; ++dx) at[dz][dy][dx] = cells.at[dx];
      }
    }
  }
  LBM_HD int of(int dx, int dy, int dz) const { return at[1 + dz][1 + dy][1 + dx]; }
  LBM_HD int place() const { return at[1][1][1]; }
  // Bits of the directions whose source is solid. touched: the closed faces that the cell touches:
  // beyond these are no cells, but those with free slip show a mirror image.
  LBM_HD unsigned solid_sources(const BoundaryView& view, unsigned touched) const {
    unsigned solid = 0;
    for (int q = 1; q < d3q19::directions; ++q) {
      const unsigned crossed = touched & entered_faces(q) & ~drop_faces(view);
      if ((crossed & ~view.slip_faces) != 0) continue;
      const LinkSource from = mirrored_source(d3q19::direction(q), crossed);
      if (of(from.d[0], from.d[1], from.d[2]) < 0) solid |= 1U << q;
    }
    return solid;
  }
};

// Gathers the populations that enter a cell that touches no closed face. planes: masks of planes
// z - 1, z and z + 1.
template <class Storage>
LBM_HD void gather_between_solids(const PlaneLayout& layout, const FluidPlanesAround& planes,
                                  const InputPlanes<Storage>& in, int x, int y,
                                  typename Storage::Real (&g)[d3q19::directions]) {
  using Real = typename Storage::Real;
  const int own = layout.fluid_offset(planes.plane[1].number_of(x, y));
  const int rows[3] = {y == 0 ? layout.ny - 1 : y - 1, y, y == layout.ny - 1 ? 0 : y + 1};
  LBM_UNROLL
  for (int dz = -1; dz <= 1; ++dz) {
    LBM_UNROLL
    for (int dy = -1; dy <= 1; ++dy) {
      const FluidRow cells = fluid_row(planes.plane[1 + dz], layout, x, rows[1 + dy]);
      LBM_UNROLL
      for (int q = 0; q < d3q19::directions; ++q) {
        if (d3q19::cy(q) != -dy || d3q19::cz(q) != -dz) continue;
        const int source = cells.at[1 - d3q19::cx(q)];
        const bool fluid = source >= 0;
        const auto* plane = fluid ? in.plane[1 + dz] : in.plane[1];
        Real value;
        if constexpr (holds_moments<Storage>) {
          value = population_at<Storage>(plane, fluid ? source : own, layout.pitch, q, !fluid);
        } else {
          const int index =
              fluid ? source + q * layout.pitch : own + d3q19::opposite(q) * layout.pitch;
          value = Storage::load_scaled(plane[index]);
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
                            typename Storage::Real (&g)[d3q19::directions]) {
  const int pitch = params.layout.pitch;
  for (int q = 0; q < d3q19::directions; ++q) {
    const LinkSource from = link_source(q, touched & entered_faces(q), params.free_slip_faces());
    const int source = at.of(from.d[0], from.d[1], from.d[2]);
    const auto* plane = in.plane[source < 0 ? 1 : 1 + from.d[2]];
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
