// SPDX-License-Identifier: Apache-2.0

// The second pass over a row, after the main update has done the whole row: solid cells, cells at
// bodies and at faces that need it (update/boundary_cell.hpp). And whole rows where only fluid
// cells are stored.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <tuple>
#include <utility>

#include "solver/backend/cpu/rows/row_sources.hpp"
#include "solver/backend/cpu/rows/strip_collision.hpp"
#include "solver/update/boundary_cell.hpp"
#include "solver/update/fluid_cells.hpp"

namespace lbm::cpu {

// gather_boundary_cell() as a function of its own: boundary conditions work on one cell at a time,
// so they are compiled once, not once for each instruction set. Defined for all storages; Offsets:
// CellOffsets or FluidOffsets.
template <class Storage, class Offsets>
void gather_boundary(BoundaryCell<Storage, Offsets>& cell, const LinkedCell* linked,
                     const CellList* list, std::int64_t* bodies, BodyLoad& load,
                     typename Storage::Real (&g)[Storage::Set::directions]);

namespace {  // one copy per instruction set, never merged by the linker

// The cells [begin, end) of a row that add to the forces on bodies: every cell counts once a step,
// but some are computed twice. bodies: null where none count.
struct Counted {
  std::int64_t* bodies = nullptr;
  int begin = 0, end = 0;
};

// Gathers cells of a row one by one and collides a vector of them at a time.
template <class Params, class Storage>
class BoundaryCells {
 public:
  using Real = typename Storage::Real;
  using Value = typename Storage::Value;
  using L = Lanes<Storage>;

  // in: of the planes around. out: what place is counted from.
  BoundaryCells(const Params& params, const InputPlanes<Storage>& in, int y, int z,
                const Counted& counted, Value* out)
      : params_(params), in_(in), y_(y), z_(z), counted_(counted), out_(out) {
    if (params.filters_stress) std::memset(own_, 0, sizeof own_);
  }
  ~BoundaryCells() {
    flush();
    if (counted_.bodies != nullptr) load_.add_to(counted_.bodies);
  }
  BoundaryCells(const BoundaryCells&) = delete;
  BoundaryCells& operator=(const BoundaryCells&) = delete;

  // A cell at a face or a body. place: of the first value of its output. resting: see BoundaryCell.
  template <class Offsets>
  [[gnu::noinline]] void add(int x, const Offsets& at, int place, const LinkedCell* linked,
                             const CellList* list, unsigned resting = 0) {
    BoundaryCell<Storage, Offsets> cell{
        params_, in_, at, x, y_, z_, closed_faces(x), linked != nullptr || resting != 0, resting};
    const bool counts = counted_.bodies != nullptr && x >= counted_.begin && x < counted_.end;
    Real g[Storage::Set::directions];
    gather_boundary(cell, linked, list, counts ? counted_.bodies : nullptr, load_, g);
    add_gathered(g, at.of(0, 0, 0), place);
  }

  // A cell whose incoming populations are known. from, place: of its first value, before and after.
  void add_gathered(const Real (&g)[Storage::Set::directions], int from, int place) {
    for (int q = 0; q < Storage::Set::directions; ++q) g_[q][count_] = g[q];
    if (params_.filters_stress) {
      for (int v = 0; v < Storage::values; ++v) {
        own_[v][count_] = in_.plane[1][v * params_.layout.pitch + from];
      }
    }
    place_[count_] = place;
    if (++count_ == L::count) flush();
  }

  unsigned closed_faces(int x) const {
    return touched_faces(params_.boundaries.closed_faces, x, y_, z_, params_.layout.nx,
                         params_.layout.ny, params_.nz);
  }

 private:
  void flush() {
    if (count_ == 0) return;
    VectorG<Storage> g;
    PackedCells<Storage> packed;
    for (int q = 0; q < Storage::Set::directions; ++q)
      g[q] = load_vector<typename L::Vector>(g_[q]);
    params_.collision.collide(g, own_[0], L::count, params_.rounding, packed);
    for (int v = 0; v < Storage::values; ++v) {
      for (int i = 0; i < count_; ++i) out_[v * params_.layout.pitch + place_[i]] = packed[v][i];
    }
    count_ = 0;
  }

  const Params& params_;
  const InputPlanes<Storage>& in_;
  int y_, z_;
  const Counted& counted_;
  Value* out_;
  BodyLoad load_;
  int count_ = 0;
  int place_[L::count];
  alignas(64) Real g_[Storage::Set::directions][L::count] = {};
  alignas(64) Value own_[Storage::values][L::count];  // before the step; set where they are read
};

// The cells of a list in row y.
inline std::pair<const LinkedCell*, const LinkedCell*> cells_of_row(const BoundaryView& view,
                                                                    const CellList& list, int y) {
  const LinkedCell* const begin = view.cells + list.first_cell;
  const auto row = static_cast<std::uint32_t>(y);
  const auto* first = std::lower_bound(
      begin, begin + list.cells, row, [](const LinkedCell& c, std::uint32_t r) { return c.y < r; });
  const auto* last = std::upper_bound(first, begin + list.cells, row,
                                      [](std::uint32_t r, const LinkedCell& c) { return r < c.y; });
  return {first, last};
}

// Words of the mask of solid cells of a row; null where the row has no cells in or at bodies.
template <class Params>
const std::uint32_t* solids_of_row(const Params& params, int y, int z) {
  const BoundaryView& view = params.boundaries;
  const std::uint32_t* plane = view.solid_plane(z);
  if (plane == nullptr) return nullptr;
  const std::uint32_t* row = plane + static_cast<std::int64_t>(y) * view.words_per_row;
  for (int i = 0; i < view.words_per_row; ++i) {
    if ((row[i] | row[view.mask_words + i]) != 0) return row;
  }
  return nullptr;
}

// Sets the solid cells of [begin, end) to zero.
template <class Storage, class Params>
void clear_solids(const Params& params, const std::uint32_t* solids, int begin, int end,
                  typename Storage::Value* out) {
  for (int x = begin; x < end; ++x) {
    if ((solids[x >> 5] >> (x & 31) & 1U) == 0) continue;
    for (int v = 0; v < Storage::values; ++v) out[v * params.layout.pitch + x] = {};
  }
}

// The second pass over the cells [begin, end) of a row.
template <class Storage, class Params>
void update_boundary_cells(const Params& params, const RowSources<Storage>& from,
                           const std::uint32_t* solids, int begin, int end, const Counted& counted,
                           typename Storage::Value* out) {
  const BoundaryView& view = params.boundaries;
  const int nx = params.layout.nx;
  end = std::min(end, nx);
  if (solids != nullptr) clear_solids<Storage>(params, solids, begin, end, out);
  BoundaryCells<Params, Storage> cells(params, from.in, from.y, from.z, counted, out);
  const auto add = [&](int x, const LinkedCell* linked, const CellList* list) {
    cells.add(x, CellOffsets(params.layout, x, from.begins), x, linked, list);
  };
  const auto is_set = [&](const std::uint32_t* words, int x) {
    return words != nullptr && (words[x >> 5] >> (x & 31) & 1U) != 0;
  };
  const std::uint32_t* linked = solids == nullptr ? nullptr : solids + view.mask_words;
  const auto add_face_cell = [&](int x) {
    if (x < begin || x >= end || is_set(solids, x) || is_set(linked, x)) return;
    add(x, nullptr, nullptr);
  };
  // At a y or z face all cells of the row are boundary cells.
  const unsigned faces = view.second_pass_faces();
  const bool whole_row = touched_faces(faces & ~(x_min | x_max), -1, from.y, from.z, nx,
                                       params.layout.ny, params.nz) != 0;
  if (whole_row) {
    for (int x = begin; x < end; ++x) add_face_cell(x);
  } else {
    if ((faces & x_min) != 0) add_face_cell(0);
    if ((faces & x_max) != 0 && nx > 1) add_face_cell(nx - 1);
  }
  const CellList* list = solids == nullptr ? nullptr : view.list(from.z);
  if (list == nullptr) return;
  const auto [first, last] = cells_of_row(view, *list, from.y);
  for (const LinkedCell* cell = first; cell != last; ++cell) {
    const int x = static_cast<int>(cell->x);
    if (x >= begin && x < end) add(x, cell, list);
  }
}

// Calls visit(x) for the fluid cells of row y, where only they are stored.
template <class Visit>
void for_each_fluid_cell(const FluidPlane& plane, int y, int nx, const Visit& visit) {
  for (int begin = 0; begin < nx; begin += 32) {
    std::uint32_t fluid = plane.words[plane.word_of(begin, y)].fluid;
    if (nx - begin < 32) fluid &= (1U << (nx - begin)) - 1;
    for (; fluid != 0; fluid &= fluid - 1) visit(begin + std::countr_zero(fluid));
  }
}

// The update of rows where only fluid cells are stored: cells are gathered one by one and collide a
// vector at a time.
template <class Params, class Storage>
class FluidRows {
 public:
  // z: of the output plane, whose first value is at `out`.
  FluidRows(const Params& params, const InputPlanes<Storage>& in, int z,
            typename Storage::Value* out)
      : params_(params), in_(in), z_(z), out_(out), planes_(params.boundaries, z, params.nz) {}

  const FluidPlanesAround& planes() const { return planes_; }
  void update(int y, std::int64_t* bodies) const {
    const BoundaryView& view = params_.boundaries;
    const int nx = params_.layout.nx;
    const Counted counted{bodies, 0, nx};
    BoundaryCells<Params, Storage> cells(params_, in_, y, z_, counted, out_);
    const CellList* list = view.list(z_);
    const LinkedCell *linked = nullptr, *last = nullptr;
    if (list != nullptr) std::tie(linked, last) = cells_of_row(view, *list, y);
    for_each_fluid_cell(planes_.plane[1], y, nx, [&](int x) {
      const bool has_links = linked != last && static_cast<int>(linked->x) == x;
      update_cell(x, y, has_links ? linked : nullptr, list, cells);
      if (has_links) ++linked;
    });
  }

 private:
  void update_cell(int x, int y, const LinkedCell* linked, const CellList* list,
                   BoundaryCells<Params, Storage>& cells) const {
    using Real = typename Storage::Real;
    const BoundaryView& view = params_.boundaries;
    const PlaneLayout& layout = params_.layout;
    const unsigned closed = cells.closed_faces(x);
    Real g[Storage::Set::directions];
    if (linked == nullptr && closed == 0) {
      const int place = layout.fluid_offset(planes_.plane[1].number_of(x, y));
      gather_between_solids<Storage>(layout, planes_, in_, x, y, place, g);
      return cells.add_gathered(g, place, place);
    }
    const FluidOffsets at(planes_, layout, x, y);
    const unsigned resting = at.solid_sources(view, closed);
    if (linked != nullptr || resting != 0 || (closed & view.second_pass_faces()) != 0) {
      return cells.add(x, at, at.place(), linked, list, resting);
    }
    const unsigned touched =
        touched_faces(params_.walls.faces, x, y, z_, layout.nx, layout.ny, params_.nz);
    gather_at_faces<Storage>(params_, at, in_, touched, g);
    cells.add_gathered(g, at.place(), at.place());
  }

  const Params& params_;
  InputPlanes<Storage> in_;
  int z_;
  typename Storage::Value* out_;
  FluidPlanesAround planes_;
};

}  // namespace
}  // namespace lbm::cpu
