// SPDX-License-Identifier: Apache-2.0

// The collision of vectors of cells. The code that stores rows and finds populations at walls and
// bodies does not know the collision model: so each is compiled once, not once for every pair.
#pragma once

#include "solver/backend/cpu/rows/lanes.hpp"
#include "solver/backend/cpu/rows/row_sources.hpp"
#include "solver/boundary/conditions/shifted_walls.hpp"
#include "solver/collision/any_collision.hpp"

namespace lbm::cpu {
namespace {  // one copy per instruction set, never merged by the linker

// Shifts that the walls add to the moments of a vector of cells (shifted_walls.hpp).
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
  using Update = void(const Models&, const Part&);
  using Collide = void(const Models&, VectorG<Storage>&, const Value* own, int pitch,
                       std::uint32_t rounding, PackedCells<Storage>&);
  using CollideAtWalls = void(const Models&, const WallShifts<Storage>&, VectorG<Storage>&,
                              const Value* own, int pitch, std::uint32_t rounding,
                              PackedCells<Storage>&);

  explicit StripCollision(const Models& models) : models_(models) {}

  LBM_HD static void pack(const VectorG<Storage>& g, std::uint32_t rounding,
                          PackedCells<Storage>& packed) {
    LBM_UNROLL
    for (int i = 0; i < Storage::values; ++i) packed[i] = L::pack(g[i], rounding);
  }

  Models models_;
  Update* update_ = nullptr;
  Collide* collide_ = nullptr;
  CollideAtWalls* collide_at_walls_ = nullptr;
};

template <class Storage>
using RowParams = UpdateParams<Storage, StripCollision<Storage>>;

}  // namespace
}  // namespace lbm::cpu
