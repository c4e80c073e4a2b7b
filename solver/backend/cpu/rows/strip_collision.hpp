// SPDX-License-Identifier: Apache-2.0

// The collision of vectors of cells. The code that stores rows and finds populations at walls and
// bodies does not know the collision model: so each is compiled once, not once for every pair. Then
// the shift of plain walls.
#pragma once

#include "solver/backend/cpu/rows/row_sources.hpp"
#include "solver/boundary/conditions/wall_shift.hpp"
#include "solver/collision/collisions.hpp"

namespace lbm::cpu {
namespace {  // one copy per instruction set, never merged by the linker

// Shifts that the walls add to the moments of a vector of cells (wall_shift.hpp).
template <class Storage>
struct WallShifts {
  struct Shift {
    int normal, along;
    bool low;
    typename Lanes<Storage>::Vector value;
  };
  int count = 0;
  Shift shifts[12];  // two for each face
};

// Collides any vector of cells, also at the ends of a row and at walls (update_row.hpp).
template <class Params, class Storage>
void collide_vector(const Params& params, const RowSources<Storage>& from, int x,
                    PackedCells<Storage>& packed);

// Part [begin, end) of a row that is updated.
template <class Params, class Storage>
struct RowPart {
  using Value = typename Storage::Value;
  using L = Lanes<Storage>;
  // One or two cache lines of each direction: with more, no buffer is free for the lines fetched
  // ahead.
  static constexpr int step = (sizeof(Value) == 2 ? 64 : 128) / static_cast<int>(sizeof(Value));
  static_assert(step % L::count == 0 && 16 % L::count == 0);

  const Params& params;
  const RowSources<Storage>& from;
  const RowSources<Storage>* next;  // the row to fetch ahead at the end of this one; may be null
  int begin, end;
  bool stream;  // stores bypass the caches, in whole lines
  Value* out;
  // The vectors between the first one of the row and this place are plain: load_from_rows() loads
  // their incoming populations.
  int plain_end;

  // The end of the cells that update() updates, in steps.
  int steps_end() const { return begin + (end - begin) / step * step; }

  // collide(g, first, packed): collides the vector of cells from `first` on, whose incoming
  // populations are g.
  template <class Collide>
  LBM_HD void update(const Collide& collide) const {
    const int stop = steps_end();
    for (int x = begin; x < stop; x += step) {
      fetch_ahead(x);
      PackedCells<Storage> packed[step / L::count];
      LBM_NO_UNROLL
      for (int v = 0; v < step / L::count; ++v) {
        const int first = x + v * L::count;
        if (first == 0 || first >= plain_end) {
          collide_vector<Params, Storage>(params, from, first, packed[v]);
        } else {
          VectorG<Storage> g;
          load_from_rows(from, first, g);
          collide(g, first, packed[v]);
        }
      }
      store(packed, x);
    }
  }

  // Before the step at x.
  LBM_HD void fetch_ahead(int x) const {
    constexpr int ahead = 64;
    if (next == nullptr) return;
    if constexpr (holds_moments<Storage>) {
      next->template prefetch<step>(x);
    } else if (x + ahead < end) {
      from.template prefetch<step>(x + ahead);
    } else {
      next->template prefetch<step>(begin + x + ahead - end);
    }
  }

  template <std::size_t vectors>
  LBM_HD void store(const PackedCells<Storage> (&packed)[vectors], int x) const {
    if (stream) {
      for_each_value(packed, x, [](Value* to, const auto& value) { stream_vector(to, value); });
    } else {
      for_each_value(packed, x, [](Value* to, const auto& value) { store_vector(to, value); });
    }
  }

 private:
  template <std::size_t vectors, class Store>
  LBM_HD void for_each_value(const PackedCells<Storage> (&packed)[vectors], int x,
                             const Store& store) const {
    LBM_UNROLL
    for (int i = 0; i < Storage::values; ++i) {
      Value* const to = out + i * from.pitch + x;
      LBM_UNROLL
      for (int v = 0; v < static_cast<int>(vectors); ++v) store(to + v * L::count, packed[v][i]);
    }
  }
};

template <class Storage>
class StripCollision {
 public:
  using L = Lanes<Storage>;
  using Vector = typename L::Vector;
  using Value = typename Storage::Value;
  using Part = RowPart<UpdateParams<Storage, StripCollision>, Storage>;

  static StripCollision of(const CollisionSpec& spec, double step) {
    StripCollision strip(Models::of(spec, step));
    strip.models_.visit([&]<class C>(const C&) {
      strip.update_ = [](const Models& models, const Part& part) {
        const C collision = models.template get<C>();
        const RowSources<Storage>& from = part.from;
        part.update([&](VectorG<Storage>& g, int first, PackedCells<Storage>& packed) {
          collide_cell(collision, g,
                       [&](int i) { return L::load(from.own() + i * from.pitch + first); });
          pack(g, part.params.rounding, packed);
        });
      };
      strip.collide_ = [](const Models& models, VectorG<Storage>& g, const Value* own, int pitch,
                          std::uint32_t rounding, PackedCells<Storage>& packed) {
        collide_cell(models.template get<C>(), g, [&](int i) { return L::load(own + i * pitch); });
        pack(g, rounding, packed);
      };
      if constexpr (FiltersStress<C>) {
        strip.collide_at_walls_ = [](const Models& models, const WallShifts<Storage>& walls,
                                     VectorG<Storage>& g, const Value* own, int pitch,
                                     std::uint32_t rounding, PackedCells<Storage>& packed) {
          collide_at_shifted_walls<Storage>(
              models.template get<C>(), g, [&](int i) { return L::load(own + i * pitch); },
              [&](const auto& add) {
                for (int i = 0; i < walls.count; ++i) {
                  const auto& shift = walls.shifts[i];
                  add(shift.normal, shift.along, shift.low, shift.value);
                }
              });
          pack(g, rounding, packed);
        };
      }
    });
    return strip;
  }

  // Updates the cells of a part of a row up to RowPart::steps_end().
  void update(const Part& part) const { update_(models_, part); }
  // Collides a vector of cells. g: their incoming populations; is overwritten. own: the first value
  // of the first cell before the step, the next ones `pitch` further on; only read where the
  // collision filters the stress.
  void collide(VectorG<Storage>& g, const Value* own, int pitch, std::uint32_t rounding,
               PackedCells<Storage>& packed) const {
    collide_(models_, g, own, pitch, rounding, packed);
  }
  // The same for cells of which some touch shifted walls. Only where the collision filters the
  // stress.
  void collide_at_walls(const WallShifts<Storage>& walls, VectorG<Storage>& g, const Value* own,
                        int pitch, std::uint32_t rounding, PackedCells<Storage>& packed) const {
    collide_at_walls_(models_, walls, g, own, pitch, rounding, packed);
  }

 private:
  using Models = AnyCollision<Storage>;

  explicit StripCollision(const Models& models) : models_(models) {}

  LBM_HD static void pack(const VectorG<Storage>& g, std::uint32_t rounding,
                          PackedCells<Storage>& packed) {
    LBM_UNROLL
    for (int i = 0; i < Storage::values; ++i) packed[i] = L::pack(g[i], rounding);
  }

  Models models_;
  void (*update_)(const Models&, const Part&) = nullptr;
  void (*collide_)(const Models&, VectorG<Storage>&, const Value* own, int pitch,
                   std::uint32_t rounding, PackedCells<Storage>&) = nullptr;
  void (*collide_at_walls_)(const Models&, const WallShifts<Storage>&, VectorG<Storage>&,
                            const Value* own, int pitch, std::uint32_t rounding,
                            PackedCells<Storage>&) = nullptr;
};

template <class Storage>
using RowParams = UpdateParams<Storage, StripCollision<Storage>>;

// The shift of plain walls with CollisionKind::regularised_filtered, for a vector of cells at a
// time (solver/boundary/conditions/wall_shift.hpp), after the main update has gathered their
// populations.
//
// A vector of cells of a row, as cells_at_wall() needs them.
template <class Params, class Storage>
struct RowCells {
  using L = Lanes<Storage>;
  using Scalar = typename Storage::Real;
  using Real = typename L::Vector;
  using StoragePolicy = Storage;
  const Params& params;
  const RowSources<Storage>& from;
  int x;  // of the first one

  // Density and velocity, with half of the body force, of neighbours at a distance.
  [[gnu::noinline]] Moments<Real> moments_at(int dx, int dy, int dz) const {
    const auto* row = from.in.plane[1 + dz] + from.begins[1 + dy];
    return params.moments_of(
        Storage::density_momentum([&](int i) { return load(row + i * from.pitch, dx); }));
  }
  LBM_HD Moments<Real> moments() const { return moments_at(0, 0, 0); }

 private:
  // Beyond the ends of the row: periodic.
  LBM_HD Real load(const typename Storage::Value* row, int dx) const {
    const int nx = params.layout.nx;
    if (dx == 0 || (x + dx >= 0 && x + dx + L::count <= nx)) return L::load(row + x + dx);
    Real vector{};
    for (int i = 0; i < L::count; ++i) {
      const int column = x + i + dx;
      vector[i] = Storage::load_scaled(row[column < 0 ? nx - 1 : (column < nx ? column : 0)]);
    }
    return vector;
  }
};

// One for the cell of a row at `column`, zero for the others; x: of the first lane.
template <class Storage>
LBM_HD typename Lanes<Storage>::Vector lane_of(int column, int x) {
  typename Lanes<Storage>::Vector lanes{};
  const int lane = column - x;
  if (lane >= 0 && lane < Lanes<Storage>::count) lanes[lane] = 1;
  return lanes;
}

// Calls add(normal, along, low, shift) for both shifts of one wall. lanes: one where the cell
// touches the wall, else zero. touched: the closed faces that the whole row touches.
template <class Params, class Storage, class Add>
[[gnu::noinline]] void visit_shifts_of_wall(const RowCells<Params, Storage>& cells, int face,
                                            unsigned touched, unsigned closed,
                                            const typename Lanes<Storage>::Vector& lanes,
                                            const Add& add) {
  using Real = typename Storage::Real;
  using Vector = typename Lanes<Storage>::Vector;
  const int normal = face / 2, nx = cells.params.layout.nx;
  const bool between_two =
      normal == 0 ? nx == 1 : (touched & faces_of_axis(normal)) != (1U << face);
  if (between_two) return;
  for (int along = 0; along < 3; ++along) {
    if (along == normal || (touched & faces_of_axis(along)) != 0) continue;
    Vector here = lanes;
    if (along == 0 && (closed & x_min) != 0) here *= Real(1) - lane_of<Storage>(0, cells.x);
    if (along == 0 && (closed & x_max) != 0) here *= Real(1) - lane_of<Storage>(nx - 1, cells.x);
    add(normal, along, (face & 1) == 0, Vector(here * shift_of_plain_wall(cells, face, along)));
  }
}

// Collides the cells from x on, of which some touch shifted walls. g: their incoming populations.
template <class Params, class Storage>
[[gnu::noinline]] void collide_at_walls(const Params& params, const RowSources<Storage>& from,
                                        int x, VectorG<Storage>& g, PackedCells<Storage>& packed) {
  using Vector = typename Lanes<Storage>::Vector;
  const BoundaryView& view = params.boundaries;
  const RowCells<Params, Storage> cells{params, from, x};
  const unsigned closed = view.closed_faces & ~drop_faces(view);
  const unsigned touched =
      touched_faces(closed, -1, from.y, from.z, params.layout.nx, params.layout.ny, params.nz);
  WallShifts<Storage> shifts;
  const auto add = [&](int normal, int along, bool low, const Vector& shift) {
    shifts.shifts[shifts.count++] = {normal, along, low, shift};
  };
  for (int face = 0; face < 6; ++face) {
    if ((view.shifted_faces >> face & 1U) == 0) continue;
    if (face >= 2 && (touched >> face & 1U) == 0) continue;
    const Vector lanes =
        face >= 2 ? Vector{} + 1 : lane_of<Storage>(face == 0 ? 0 : params.layout.nx - 1, x);
    visit_shifts_of_wall(cells, face, touched, closed, lanes, add);
  }
  params.collision.collide_at_walls(shifts, g, from.own() + x, from.pitch, params.rounding, packed);
}

// True if cells of the vector from x on may touch a shifted wall.
template <class Params, class Storage>
LBM_HD bool at_shifted_walls(const Params& params, const RowSources<Storage>& from, int x) {
  const unsigned faces = params.boundaries.shifted_faces;
  const int last = params.layout.nx - 1 - x;
  return from.shifted || ((faces & x_min) != 0 && x == 0) ||
         ((faces & x_max) != 0 && last >= 0 && last < Lanes<Storage>::count);
}

}  // namespace
}  // namespace lbm::cpu
