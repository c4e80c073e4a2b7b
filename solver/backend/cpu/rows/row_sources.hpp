// SPDX-License-Identifier: Apache-2.0

// The input rows of an output row: one for each direction.
#pragma once

#include <algorithm>

#include "solver/backend/cpu/rows/lanes.hpp"
#include "solver/update/update_cell.hpp"

namespace lbm::cpu {
namespace {  // one copy per instruction set, never merged by the linker

// The input rows of one output row, and their wall terms.
template <class Storage>
struct RowSources {
  using Value = typename Storage::Value;
  using Real = typename Storage::Real;

  InputPlanes<Storage> in;
  int begins[3];  // of rows y - 1, y and y + 1 in each of the planes
  int y, z, pitch;
  const Value* row[d3q19::directions];  // of populations the row of q, of moments that of the first
  int from[d3q19::directions];          // the direction whose population enters
  Real term[d3q19::directions];
  bool shifted;  // the row touches walls that are shifted
  bool walls;    // any term may be other than zero, and any from[q] other than q

  // begins_: see CellOffsets::row.
  template <class Params>
  RowSources(const Params& params, const InputPlanes<Storage>& planes, const int (&begins_)[3],
             int y_, int z_)
      : in(planes),
        begins{begins_[0], begins_[1], begins_[2]},
        y(y_),
        z(z_),
        pitch(params.layout.pitch) {
    const unsigned touched = touches(params, -1);  // x = -1: no x face
    walls = touched != 0;
    shifted = touched_faces(params.boundaries.shifted_faces, -1, y, z, params.layout.nx,
                            params.layout.ny, params.nz) != 0;
    LBM_UNROLL
    for (int q = 0; q < d3q19::directions; ++q) {
      const LinkSource link = link_source(q, touched & entered_faces(q), params.free_slip_faces());
      const int first = holds_moments<Storage> ? 0 : link.q * pitch;
      row[q] = in.plane[1 + link.d[2]] + first + begins[1 + link.d[1]] + link.d[0];
      from[q] = link.q;
      term[q] = link.walls == 0 ? Real(0) : params.walls.term[q][wall_set(q, link.walls)];
    }
  }
  // For rows of whole planes.
  template <class Params>
  RowSources(const Params& params, const InputPlanes<Storage>& planes, int y_, int z_)
      : RowSources(params, planes, CellOffsets(params.layout, 0, y_).row, y_, z_) {}

  template <class Params>
  unsigned touches(const Params& params, int x) const {
    return touched_faces(params.walls.faces, x, y, z, params.layout.nx, params.layout.ny,
                         params.nz);
  }

  // Fetches the input of cells [x, x + count) into the first-level cache. Unrolled: as loops, these
  // few instructions cost a fifth of the speed.
  template <int count>
  LBM_HD void prefetch(int x) const {
    constexpr int line = 64 / sizeof(Value);
    LBM_UNROLL
    for (int v = 0; v < Storage::values; ++v) {
      // Moments: the row above in the plane above; the others were read for earlier rows.
      const Value* const at =
          x + (holds_moments<Storage> ? in.plane[2] + begins[2] + v * pitch : row[v]);
      LBM_UNROLL
      for (int i = 0; i < count; i += line) __builtin_prefetch(at + i, 0, 3);
    }
  }

  // The row itself: its first value.
  const Value* own() const { return in.plane[1] + begins[1]; }

  // Calls take(q, gather) for all directions of the cell at x; gather(q) is its incoming
  // population.
  template <class Params, class Function>
  LBM_HD void gather(const Params& params, int x, const Function& take) const {
    const CellOffsets at(params.layout, x, begins);
    const LinkGather link{params, in, at, touches(params, x)};
    LBM_UNROLL
    for (int q = 0; q < d3q19::directions; ++q) take(q, link);
  }
};

// Populations that enter the cells from x on along direction q. They are the populations `source`
// of the input row of q.
template <class Storage>
LBM_HD typename Lanes<Storage>::Vector incoming(const RowSources<Storage>& from, int q, int source,
                                                int x) {
  using L = Lanes<Storage>;
  if constexpr (holds_moments<Storage>) {
    return Storage::population(source,
                               [&](int i) { return L::load(from.row[q] + i * from.pitch + x); });
  } else {
    return L::load(from.row[q] + x);
  }
}

// The incoming populations of a vector of cells, times Storage::scale.
template <class Storage>
using VectorG = typename Lanes<Storage>::Vector[d3q19::directions];

// Those of the cells from x on, where no link crosses an x face and populations have their own
// source (RowSources::from).
template <class Storage>
LBM_HD void load_from_rows(const RowSources<Storage>& from, int x, VectorG<Storage>& g) {
  LBM_UNROLL
  for (int q = 0; q < d3q19::directions; ++q) g[q] = incoming(from, q, q, x);
  if (from.walls) {
    LBM_UNROLL
    for (int q = 0; q < d3q19::directions; ++q) g[q] += from.term[q];
  }
}

// The values of a vector of cells, as they are stored.
template <class Storage>
using PackedCells = typename Lanes<Storage>::Packed[Storage::values];

}  // namespace
}  // namespace lbm::cpu
