// SPDX-License-Identifier: Apache-2.0

// The update of several neighbours in x at once, as one thread of a GPU does it: all loads come
// before the first collision, stores are whole vectors. Runs on the host too, for tests.
#pragma once

#include "solver/update/update_cell.hpp"

namespace lbm {

// Values that are loaded and stored in one instruction.
template <class Value, int count>
struct alignas(sizeof(Value) * count) ValueVector {
  Value at[count];
};

// to: where the first of the cells has its first value.
template <class Storage, int cells>
LBM_HD void store_cells(typename Storage::Value* to, int pitch,
                        const typename Storage::Value (&values)[Storage::values][cells]) {
  using Values = ValueVector<typename Storage::Value, cells>;
  LBM_UNROLL
  for (int v = 0; v < Storage::values; ++v) {
    Values stored;
    LBM_UNROLL
    for (int i = 0; i < cells; ++i) stored.at[i] = values[v][i];
    *reinterpret_cast<Values*>(to + v * pitch) = stored;
  }
}

// The population that enters the first cell of a row (`first`) or its last through the x face
// there: the one of the directions (q, q + 1) that comes from that face.
template <class Storage, class Params>
LBM_HD typename Storage::Real gather_across(const Params& params, const InputPlanes<Storage>& in,
                                            const CellOffsets& at, int q, bool first) {
  const PlaneLayout& layout = params.layout;
  const int plus = cx(q) > 0 ? q : q + 1, minus = opposite(plus);
  const bool closed = (params.walls.faces & x_min) != 0;  // then x_max is closed as well
  const int end = layout.nx - 1;
  if constexpr (Params::has_free_slip) {
    if ((params.free_slip_faces() & (first ? x_min : x_max)) != 0) {
      const int mirror_plus = mirrored(plus, 1), mirror_minus = mirrored(minus, 1);
      const auto* low = in.plane[1 - cz(plus)] + at.row[1 - cy(plus)];
      const auto* high = in.plane[1 - cz(minus)] + at.row[1 - cy(minus)];
      return Storage::load_scaled(
          *(first ? low + mirror_plus * layout.pitch : high + mirror_minus * layout.pitch + end));
    }
  }
  if (closed) {
    const auto* row = in.plane[1] + at.row[1];
    const auto value =
        Storage::load_scaled(first ? row[minus * layout.pitch] : row[plus * layout.pitch + end]);
    return value + (first ? params.walls.term[plus][1] : params.walls.term[minus][1]);
  }
  const auto* before = in.plane[1 - cz(plus)] + at.row[1 - cy(plus)];
  const auto* after = in.plane[1 - cz(minus)] + at.row[1 - cy(minus)];
  return Storage::load_scaled(
      *(first ? before + (plus * layout.pitch + end) : after + minus * layout.pitch));
}

// Updates `cells` cells from x on, none of them solid or at a closed face of y or z; x is a
// multiple of `cells`, nx larger than `cells`. at_end: must be true where a cell is at an end of
// its row. At the end of an odd row the second cell lies in the padding, which is never read.
template <class Storage, int cells, class Params>
LBM_HD void update_fluid(const Params& params, const InputPlanes<Storage>& in,
                         typename Storage::Value* out, int x, int y, bool at_end) {
  using Real = typename Storage::Real;
  using Value = typename Storage::Value;
  using Values = ValueVector<Value, cells>;
  const PlaneLayout& layout = params.layout;
  const CellOffsets at(layout, x, y);
  const bool first = x == 0;
  Value values[Storage::Set::directions][cells];
  Real across[(Storage::Set::directions + 1) / 2] = {};  // by pair of directions
  LBM_UNROLL
  for (int q = 0; q < Storage::Set::directions; ++q) {
    // Beyond the ends of a row are other values of the plane (make_plane_layout()).
    const Value* row = in.plane[1 - cz(q)] + (q * layout.pitch + at.row[1 - cy(q)] + x);
    if (cx(q) == 0) {
      const auto loaded = *reinterpret_cast<const Values*>(row);
      LBM_UNROLL
      for (int i = 0; i < cells; ++i) values[q][i] = loaded.at[i];
    } else {
      LBM_UNROLL
      for (int i = 0; i < cells; ++i) values[q][i] = row[i - cx(q)];
    }
  }
  if (at_end && (first || x + cells >= layout.nx)) {
    LBM_UNROLL
    for (int q = 1; q < Storage::Set::directions; q += 2) {
      if (cx(q) != 0) across[(q + 1) / 2] = gather_across(params, in, at, q, first);
    }
  }
  const auto load = [&](int q, int i) {
    const Real value = Storage::load_scaled(values[q][i]), other = across[(q + 1) / 2];
    if (cx(q) > 0 && i == 0) return first ? other : value;
    if (cx(q) < 0) return x + i == layout.nx - 1 ? other : value;
    return value;
  };
  Values own[Storage::Set::directions];
  if constexpr (FiltersStress<decltype(Params::collision)>) {
    LBM_UNROLL
    for (int v = 0; v < Storage::values; ++v) {
      const Value* at_cells = in.plane[1] + (v * layout.pitch + at.row[1] + x);
      own[v] = *reinterpret_cast<const Values*>(at_cells);
    }
  }
  LBM_UNROLL
  for (int i = 0; i < cells; ++i) {
    typename Storage::Rounding rounding{};
    update_cell<Storage, Real>(
        params.collision, [&](int q) { return load(q, i); },
        [&](int v) { return Storage::load_scaled(own[v].at[i]); },
        [&](int v, Real value) {
          if (v == 0) rounding = Storage::rounding(params.rounding, value);
          values[v][i] = Storage::store_rounded(value, rounding);
        });
  }
  store_cells<Storage, cells>(out + at.row[1] + x, layout.pitch, values);
}

// Updates any `cells` cells: follows each link to its source. Solid cells are stored as zero.
template <class Storage, int cells, class Params>
LBM_HD void update_linked(const Params& params, const InputPlanes<Storage>& in,
                          typename Storage::Value* out, int x, int y,
                          const unsigned (&touched)[cells], const bool (&solid)[cells]) {
  using Real = typename Storage::Real;
  const PlaneLayout& layout = params.layout;
  Real g[Storage::Set::directions][cells];
  LBM_UNROLL
  for (int i = 0; i < cells; ++i) {
    // Beyond the end of an odd row the last cell is done again, for the padding.
    const int column = x + i < layout.nx ? x + i : x;
    const CellOffsets at(layout, column, y);
    const LinkGather gather{params, in, at, touched[i]};
    LBM_UNROLL
    for (int q = 0; q < Storage::Set::directions; ++q) g[q][i] = gather(q);
  }
  typename Storage::Value values[Storage::values][cells];
  LBM_UNROLL
  for (int i = 0; i < cells; ++i) {
    const int column = x + i < layout.nx ? x + i : x;
    typename Storage::Rounding rounding{};
    update_cell<Storage, Real>(
        params.collision, [&](int q) { return g[q][i]; },
        [&](int v) {
          return Storage::load_scaled(in.plane[1][v * layout.pitch + y * layout.row + column]);
        },
        [&](int v, Real value) {
          if (v == 0) rounding = Storage::rounding(params.rounding, value);
          values[v][i] = Storage::store_rounded(solid[i] ? Real(0) : value, rounding);
        });
  }
  store_cells<Storage, cells>(out + y * layout.row + x, layout.pitch, values);
}

}  // namespace lbm
