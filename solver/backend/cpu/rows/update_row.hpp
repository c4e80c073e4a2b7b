// SPDX-License-Identifier: Apache-2.0

// The update of one row, vectorised: an input row and a wall term for each direction. Then what
// changes the stored cells once more (update/late_cells.hpp).
#pragma once

#include <algorithm>
#include <type_traits>

#include "solver/backend/cpu/rows/boundary_cells.hpp"
#include "solver/backend/cpu/rows/row_sources.hpp"
#include "solver/backend/cpu/rows/strip_collision.hpp"
#include "solver/update/immersed_cells.hpp"
#include "solver/update/late_cells.hpp"

namespace lbm::cpu {
namespace {  // one copy per instruction set, never merged by the linker

// The stored cells [begin, end) of a row, multiples of 16 up to the pitch.
template <class Storage>
struct StoredRow {
  const PlaneLayout& layout;
  const std::uint32_t* solids;  // words of the row's mask of solid cells, or null
  int y, z, begin, end;
  typename Storage::Value* out;  // first value of the row

  bool is_solid(int x) const { return solids != nullptr && (solids[x >> 5] >> (x & 31) & 1U) != 0; }
};

// True if any cell of the row may lie in a sponge.
template <class Storage>
bool has_sponge(const SpongeCells<Storage>& sponge, int y, int z) {
  return sponge.any() &&
         ((sponge.faces & (x_min | x_max)) != 0 || sponge.reaches(1, y) || sponge.reaches(2, z));
}

// Relaxes the cells of a row. Solid cells stay zero.
template <class Storage>
[[gnu::noinline]] void relax_in_sponge(const SpongeCells<Storage>& sponge,
                                       const StoredRow<Storage>& row) {
  using Real = typename Storage::Real;
  using L = Lanes<Storage>;
  const Real of_row = sponge.share(1, row.y) + sponge.share(2, row.z);
  const int nx = row.layout.nx;
  for (int x = row.begin; x < std::min(row.end, nx); x += L::count) {
    const int last = std::min(x + L::count, nx) - 1;
    if (!(of_row > 0) && !sponge.at_low(0, x) && !sponge.at_high(0, last)) continue;
    alignas(64) Real shares[L::count] = {};
    for (int i = 0; x + i <= last; ++i) {
      if (!row.is_solid(x + i)) shares[i] = of_row + sponge.share(0, x + i);
    }
    const auto share = load_vector<typename L::Vector>(shares);
    for (int v = 0; v < Storage::values; ++v) {
      auto* const at = row.out + v * row.layout.pitch + x;
      store_vector(at, L::pack(sponge.relaxed(v, L::load(at), share), sponge.rounding));
    }
  }
}

// True if the force acts on any cell of the row.
inline bool has_force(const BoundaryView& boundaries, int y, int z) {
  const float* const row = boundaries.row_of_forces(y, z);
  if (row == nullptr) return false;
  for (int i = 0; i < boundaries.force_values; ++i) {
    const float* const first = row + i * boundaries.force_cells;
    if (std::any_of(first, first + boundaries.force_row, [](float f) { return f != 0; })) {
      return true;
    }
  }
  return false;
}

// Pushes the cells of a row. Solid cells stay zero.
template <class Storage>
[[gnu::noinline]] void push_forced_cells(const ForcedCells<Storage>& forced,
                                         const BoundaryView& boundaries, const Counted& counted,
                                         const StoredRow<Storage>& row) {
  using Real = typename Storage::Real;
  using L = Lanes<Storage>;
  const int nx = row.layout.nx, pitch = row.layout.pitch;
  BodyLoad load;
  for (int x = row.begin; x < std::min(row.end, nx); x += L::count) {
    alignas(64) Real forces[3][L::count] = {};
    bool any = false;
    for (int i = 0; i < std::min(L::count, nx - x); ++i) {
      const int at = x + i;
      if (row.is_solid(at)) continue;
      const bool counts = at >= counted.begin && at < counted.end;
      const auto force = forced.force_at(
          boundaries, at, row.y, row.z,
          [&](int v) { return Storage::load_scaled(row.out[v * pitch + at]); },
          counts ? counted.bodies : nullptr, load);
      forces[0][i] = force.x;
      forces[1][i] = force.y;
      forces[2][i] = force.z;
      any = any || force.x != 0 || force.y != 0 || force.z != 0;
    }
    if (!any) continue;
    typename L::Vector values[Storage::values];
    for (int v = 0; v < Storage::values; ++v) values[v] = L::load(row.out + v * pitch + x);
    const ForceVector<typename L::Vector> force{load_vector<typename L::Vector>(forces[0]),
                                                load_vector<typename L::Vector>(forces[1]),
                                                load_vector<typename L::Vector>(forces[2])};
    forced.push(values, force);
    for (int v = 0; v < Storage::values; ++v) {
      store_vector(row.out + v * pitch + x, L::pack(values[v], forced.rounding));
    }
  }
  if (counted.bodies != nullptr) load.add_to(counted.bodies);
}

// As incoming() at the beginning of a row (x = 0), for a direction with cx > 0: zero for the first
// cell, whose source is beyond the row.
template <class Storage>
LBM_HD typename Lanes<Storage>::Vector incoming_from_second(const RowSources<Storage>& from, int q,
                                                            int source) {
  if constexpr (holds_moments<Storage>) {
    const auto next = incoming(from, q, source, 1);
    std::remove_const_t<decltype(next)> moved{};
    LBM_UNROLL
    for (int i = 1; i < Lanes<Storage>::count; ++i) moved[i] = next[i - 1];
    return moved;
  } else {
    return incoming(from, q, source, 0);  // still in the plane: q = 0 does not move along x
  }
}

// The vector with another value in one lane.
template <class Storage>
LBM_HD typename Lanes<Storage>::Vector with_lane(const typename Lanes<Storage>::Vector& vector,
                                                 int lane, typename Storage::Real value) {
  using Vector = typename Lanes<Storage>::Vector;
  using Real = typename Storage::Real;
  Vector lanes{};
  LBM_UNROLL
  for (int i = 0; i < Lanes<Storage>::count; ++i) lanes[i] = static_cast<Real>(i);
  return lanes == static_cast<Real>(lane) ? Vector{} + value : vector;
}

// The incoming populations of the cells from x on in a row along walls or faces with free slip.
template <class Params, class Storage>
[[gnu::noinline]] void load_linked(const Params&, const RowSources<Storage>& from, int x,
                                   VectorG<Storage>& g) {
  for (int q = 0; q < Storage::Set::directions; ++q) {
    g[q] = incoming(from, q, from.from[q], x) + from.term[q];
  }
}

// Populations with cx > 0 that enter the first cell of a row through an x face, and those with cx <
// 0 that enter its last one.
template <class Params, class Storage>
LBM_HD void gather_ends(const Params& params, const RowSources<Storage>& from, int x,
                        VectorG<Storage>& g) {
  const int last = params.layout.nx - 1;
  if (x == 0) {
    from.gather(params, 0, [&](int q, const auto& gather) {
      if (cx(q) > 0) g[q] = with_lane<Storage>(g[q], 0, gather(q));
    });
  }
  if (last >= x && last < x + Lanes<Storage>::count) {
    from.gather(params, last, [&](int q, const auto& gather) {
      if (cx(q) < 0) g[q] = with_lane<Storage>(g[q], last - x, gather(q));
    });
  }
}

// The incoming populations of the cells from x on, where one of them is at an end of the row:
// there, populations with cx > 0 (first cell) or cx < 0 (last cell) enter through an x face.
template <class Params, class Storage>
[[gnu::noinline]] void load_at_ends(const Params& params, const RowSources<Storage>& from, int x,
                                    VectorG<Storage>& g) {
  for (int q = 0; q < Storage::Set::directions; ++q) {
    const bool skip_first = x == 0 && cx(q) > 0;
    g[q] = (skip_first ? incoming_from_second(from, q, from.from[q])
                       : incoming(from, q, from.from[q], x)) +
           from.term[q];
  }
  gather_ends(params, from, x, g);
}

// The same in a row without walls and free slip along it. Faster for moments, as the sources are
// known to the compiler.
template <bool first, class Params, class Storage>
[[gnu::noinline]] void load_at_ends_of_fluid(const Params& params, const RowSources<Storage>& from,
                                             int x, VectorG<Storage>& g) {
  LBM_UNROLL
  for (int q = 0; q < Storage::Set::directions; ++q) {
    const bool skip_first = first && cx(q) > 0;
    g[q] = skip_first ? incoming_from_second(from, q, q) : incoming(from, q, q, x);
  }
  gather_ends(params, from, x, g);
}

template <class Params, class Storage>
[[gnu::noinline]] void collide_vector(const Params& params, const RowSources<Storage>& from, int x,
                                      PackedCells<Storage>& packed) {
  VectorG<Storage> g;
  const bool at_ends = x == 0 || x + Lanes<Storage>::count >= params.layout.nx;
  if (at_ends && holds_moments<Storage> && !from.walls) {
    if (x == 0) {
      load_at_ends_of_fluid<true>(params, from, x, g);
    } else {
      load_at_ends_of_fluid<false>(params, from, x, g);
    }
  } else if (at_ends) {
    load_at_ends(params, from, x, g);
  } else if (from.walls) {
    load_linked(params, from, x, g);
  } else {
    load_from_rows(from, x, g);
  }
  if (at_shifted_walls(params, from, x)) {
    collide_at_walls(params, from, x, g, packed);
  } else {
    params.collision.collide(g, from.own() + x, from.pitch, params.rounding, packed);
  }
}

// Updates the cells [begin, end) of a row, multiples of 16 up to the pitch: values in the padding
// are never read. At its ends the row reads one value beyond, which is still inside the plane
// (make_plane_layout()). Cells of the second pass get values, too, which that pass overwrites.
//
// next: the row to fetch ahead at the end of this one; null: nothing is fetched ahead. stream:
// stores bypass the caches.
template <class Storage, class Params>
void update_cells(const Params& params, const RowSources<Storage>& from,
                  std::type_identity_t<const RowSources<Storage>*> next, int begin, int end,
                  bool stream, typename Storage::Value* out) {
  constexpr int count = Lanes<Storage>::count;
  // No vector at shifted walls is plain, nor one along walls where moments are stored.
  const bool plain = !from.shifted && !(holds_moments<Storage> && from.walls);
  const int plain_end = plain ? (params.layout.nx - 1) / count * count : 0;
  const RowPart<Params, Storage> part{params, from, next, begin, end, stream, out, plain_end};
  params.collision.update(part);
  for (int x = part.steps_end(); x < end; x += count) {
    PackedCells<Storage> packed[1];
    collide_vector<Params, Storage>(params, from, x, packed[0]);
    part.store(packed, x);
  }
}

// Mixes the cells of a row with a body that moves.
template <class Storage, class Params>
[[gnu::noinline]] void immerse_row(const Params& params, const ImmersedBody& body,
                                   const RowSources<Storage>& from, const Counted& counted,
                                   const StoredRow<Storage>& row) {
  const int dy = body.distance(1, row.y), dz = body.distance(2, row.z);
  BodyLoad load;
  for (int i = 0; i < body.count[0]; ++i) {
    const int dx = body.low[0] + i, x = body.at(0, dx);
    if (x < row.begin || x >= row.end || row.is_solid(x)) continue;
    const CellOffsets at(params.layout, x, from.begins);
    const LinkGather link{params, from.in, at, from.touches(params, x)};
    const bool counts = counted.bodies != nullptr && x >= counted.begin && x < counted.end;
    immerse_cell<Storage>(params, body, {dx, dy, dz}, link, row.out + x, counts, load);
  }
  if (counted.bodies != nullptr) load.add_to(counted.bodies);
}

// Passes that change cells after their main update and second pass: bodies that move, forces and
// sponges.
template <class Storage>
struct LatePasses {
  std::vector<ImmersedBody> bodies;
  ForcedCells<Storage> forced;
  SpongeCells<Storage> sponge;

  static LatePasses of(const Lattice& lattice, const Boundaries* host, std::int64_t step) {
    return {immersed_bodies(lattice, host, step), make_forced_cells<Storage>(lattice, host, step),
            make_sponge_cells<Storage>(lattice, step)};
  }
};

// Main update and second pass of a row, then its cells in bodies that move, under forces and in
// sponges. Rows with any of them are written twice, so their stores do not bypass the caches.
template <class Storage, class Params>
void update_row(const Params& params, const LatePasses<Storage>& late,
                const RowSources<Storage>& from,
                std::type_identity_t<const RowSources<Storage>*> next, int begin, int end,
                bool stream, const Counted& counted, typename Storage::Value* out) {
  const std::uint32_t* solids = solids_of_row(params, from.y, from.z);
  const bool is_forced = has_force(params.boundaries, from.y, from.z);
  const bool in_sponge = has_sponge(late.sponge, from.y, from.z);
  const bool is_immersed = std::any_of(
      late.bodies.begin(), late.bodies.end(),
      [&](const ImmersedBody& body) { return body.has(1, from.y) && body.has(2, from.z); });
  const bool once = solids == nullptr && !is_forced && !in_sponge && !is_immersed;
  update_cells<Storage>(params, from, next, begin, end, stream && once, out);
  if (solids != nullptr || params.boundaries.second_pass_faces() != 0) {
    update_boundary_cells<Storage>(params, from, solids, begin, end, counted, out);
  }
  const StoredRow<Storage> row{params.layout, solids, from.y, from.z, begin, end, out};
  for (const ImmersedBody& body : late.bodies) {
    if (!body.has(1, from.y) || !body.has(2, from.z)) continue;
    immerse_row<Storage>(params, body, from, counted, row);
  }
  if (is_forced) push_forced_cells(late.forced, params.boundaries, counted, row);
  if (in_sponge) relax_in_sponge(late.sponge, row);
}

}  // namespace
}  // namespace lbm::cpu
