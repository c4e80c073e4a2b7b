// The update of one row, vectorised: an input row and a wall term for each direction.
#pragma once

#include <algorithm>
#include <type_traits>

#include "solver/backend/cpu/boundary_cells.hpp"
#include "solver/backend/cpu/lanes.hpp"
#include "solver/backend/cpu/row_sources.hpp"

namespace lbm::cpu {
namespace {  // one copy per instruction set, never merged by the linker

template <class Storage>
using VectorG = typename Lanes<Storage>::Vector[d3q19::directions];

// What enters the cells from x on by direction q: population `source` of the cells of its input
// row.
template <class Storage, class Params>
LBM_HD typename Lanes<Storage>::Vector incoming(const RowSources<Params, Storage>& from, int q,
                                                int source, int x) {
  using L = Lanes<Storage>;
  if constexpr (holds_moments<Storage>) {
    return Storage::population(source,
                               [&](int i) { return L::load(from.row[q] + i * from.pitch + x); });
  } else {
    return L::load(from.row[q] + x);
  }
}

// The same at the beginning of a row, but for the first cell, whose source is beyond it.
template <class Storage, class Params>
inline typename Lanes<Storage>::Vector incoming_from_second(const RowSources<Params, Storage>& from,
                                                            int q, int source) {
  using L = Lanes<Storage>;
  if constexpr (holds_moments<Storage>) {
    return Storage::population(source, [&](int i) {
      typename Storage::Value values[L::count] = {};
      std::copy_n(from.row[q] + i * from.pitch + 1, L::count - 1, values + 1);
      return L::load(values);
    });
  } else {
    return L::load(from.row[q]);  // still in the plane: q = 0 does not move along x
  }
}

// The incoming populations of the cells from x on in a row along walls or faces with free slip.
template <class Params, class Storage>
[[gnu::noinline]] void load_linked(const Params&, const RowSources<Params, Storage>& from, int x,
                                   VectorG<Storage>& g) {
  for (int q = 0; q < d3q19::directions; ++q) {
    g[q] = incoming(from, q, from.from[q], x) + from.term[q];
  }
}

// The incoming populations of the cells from x on, where one of them is at an end of the row:
// there, populations with cx > 0 (first cell) or cx < 0 (last cell) enter through an x face.
template <class Params, class Storage>
[[gnu::noinline]] void load_at_ends(const Params& params, const RowSources<Params, Storage>& from,
                                    int x, VectorG<Storage>& g) {
  const int last = params.layout.nx - 1;
  for (int q = 0; q < d3q19::directions; ++q) {
    const bool skip_first = x == 0 && d3q19::cx(q) > 0;
    g[q] = (skip_first ? incoming_from_second(from, q, from.from[q])
                       : incoming(from, q, from.from[q], x)) +
           from.term[q];
  }
  const auto gather_end = [&](int end, int lane) {
    from.gather(params, end, [&](int q, const auto& gather) {
      if (d3q19::cx(q) > 0 && end == 0) g[q][lane] = gather(q);
      if (d3q19::cx(q) < 0 && end == last) g[q][lane] = gather(q);
    });
  };
  if (x == 0) gather_end(0, 0);
  if (last >= x && last < x + Lanes<Storage>::count) gather_end(last, last - x);
}

// Updates `vectors` vectors of cells from x on. stream: stores bypass the caches, in whole lines.
template <class Storage, int vectors, class Params>
inline void update_vectors(const Params& params, const RowSources<Params, Storage>& from, int x,
                           bool stream, typename Storage::Value* out) {
  using L = Lanes<Storage>;
  using Vector = typename L::Vector;
  typename L::Packed packed[vectors][Storage::values];
  const auto collision = params.collision;
  const int pitch = params.layout.pitch, last = params.layout.nx - 1;
#pragma GCC unroll 1
  for (int v = 0; v < vectors; ++v) {
    const int first = x + v * L::count;
    Vector g[d3q19::directions];
    const bool at_ends = first == 0 || first + L::count > last;
    if (at_ends || (holds_moments<Storage> && from.walls)) {
      Vector linked[d3q19::directions];
      if (at_ends) {
        load_at_ends(params, from, first, linked);
      } else {
        load_linked(params, from, first, linked);
      }
      LBM_UNROLL
      for (int q = 0; q < d3q19::directions; ++q) g[q] = linked[q];
    } else {
      LBM_UNROLL
      for (int q = 0; q < d3q19::directions; ++q) g[q] = incoming(from, q, q, first);
      if (from.walls) {
        LBM_UNROLL
        for (int q = 0; q < d3q19::directions; ++q) g[q] += from.term[q];
      }
    }
    update_cell<Storage, Vector>(
        collision, [&](int q) { return g[q]; },
        [&](int i, const Vector& value) { packed[v][i] = L::pack(value); });
  }
  LBM_UNROLL
  for (int i = 0; i < Storage::values; ++i) {
    typename Storage::Value* const to = out + i * pitch + x;
    LBM_UNROLL
    for (int v = 0; v < vectors; ++v) {
      if (stream) {
        stream_vector(to + v * L::count, packed[v][i]);
      } else {
        store_vector(to + v * L::count, packed[v][i]);
      }
    }
  }
}

// Updates the cells [begin, end) of a row, multiples of 16 up to the pitch: values in the padding
// are never read. At its ends the row reads one value beyond, which is still inside the plane: q =
// 0 and q = 18 do not move along x. Cells of the second pass get values, too, which that pass
// overwrites.
//
// Goes in steps of one or two cache lines of each direction: with more, no buffer is free for the
// lines fetched ahead. next: the row to fetch ahead at the end of this one; null: nothing is
// fetched ahead.
template <class Storage, class Params>
void update_cells(const Params& params, const RowSources<Params, Storage>& from,
                  std::type_identity_t<const RowSources<Params, Storage>*> next, int begin, int end,
                  bool stream, typename Storage::Value* out) {
  using Value = typename Storage::Value;
  constexpr int count = Lanes<Storage>::count, ahead = 64;
  constexpr int step = (sizeof(Value) == 2 ? 64 : 128) / static_cast<int>(sizeof(Value));
  static_assert(step % count == 0 && 16 % count == 0);
  int x = begin;
  for (; x + step <= end; x += step) {
    if (next != nullptr) {
      if (x + ahead < end) {
        from.prefetch(x + ahead, step);
      } else {
        next->prefetch(begin + x + ahead - end, step);
      }
    }
    update_vectors<Storage, step / count>(params, from, x, stream, out);
  }
  for (; x < end; x += count) update_vectors<Storage, 1>(params, from, x, stream, out);
}

// Main update and second pass of a row. Rows with solids are written twice, so their stores do not
// bypass the caches.
template <class Storage, class Params>
void update_row(const Params& params, const RowSources<Params, Storage>& from,
                std::type_identity_t<const RowSources<Params, Storage>*> next, int begin, int end,
                bool stream, const Counted& counted, typename Storage::Value* out) {
  const std::uint32_t* solids = solids_of_row(params, from.y, from.z);
  update_cells<Storage>(params, from, next, begin, end, stream && solids == nullptr, out);
  if (solids != nullptr || params.boundaries.boundary_pass_faces != 0) {
    update_boundary_cells<Storage>(params, from, solids, begin, end, counted, out);
  }
}

}  // namespace
}  // namespace lbm::cpu
