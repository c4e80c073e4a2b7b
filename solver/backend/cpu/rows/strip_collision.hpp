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

// What the shifted walls of a vector of cells add to its moments (shifted_walls.hpp).
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

template <class Storage>
class StripCollision {
 public:
  using L = Lanes<Storage>;
  using Vector = typename L::Vector;
  using Value = typename Storage::Value;

  static StripCollision of(const CollisionSpec& spec, double step) {
    StripCollision strip(Models::of(spec, step));
    strip.models_.visit([&]<class C>(const C&) {
      strip.collide_rows_ = [](const Models& models, int vectors, const RowSources<Storage>& from,
                               int x, std::uint32_t rounding, PackedCells<Storage>* packed) {
        const C collision = models.template get<C>();
#pragma GCC unroll 1
        for (int v = 0; v < vectors; ++v) {
          const int first = x + v * L::count;
          VectorG<Storage> g;
          load_from_rows(from, first, g);
          collide_cell(collision, g,
                       [&](int i) { return L::load(from.own() + i * from.pitch + first); });
          pack(g, rounding, packed[v]);
        }
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

  // Collides `vectors` vectors of neighbouring cells from x on, whose incoming populations
  // load_from_rows() loads.
  void collide_rows(int vectors, const RowSources<Storage>& from, int x, std::uint32_t rounding,
                    PackedCells<Storage>* packed) const {
    collide_rows_(models_, vectors, from, x, rounding, packed);
  }
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
  using CollideRows = void(const Models&, int vectors, const RowSources<Storage>&, int x,
                           std::uint32_t rounding, PackedCells<Storage>*);
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
  CollideRows* collide_rows_ = nullptr;
  Collide* collide_ = nullptr;
  CollideAtWalls* collide_at_walls_ = nullptr;
};

template <class Storage>
using RowParams = UpdateParams<Storage, StripCollision<Storage>>;

}  // namespace
}  // namespace lbm::cpu
