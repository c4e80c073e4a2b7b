// SPDX-License-Identifier: Apache-2.0

// The update of rows where only fluid cells are stored: cells are gathered one by one and collide a
// vector at a time.
#pragma once

#include <bit>
#include <tuple>

#include "solver/backend/cpu/rows/boundary_cells.hpp"
#include "solver/update/fluid_cells.hpp"

namespace lbm::cpu {
namespace {  // one copy per instruction set, never merged by the linker

template <class Params, class Storage>
class FluidRows {
 public:
  // z: of the output plane, whose first value is at `out`.
  FluidRows(const Params& params, const InputPlanes<Storage>& in, int z,
            typename Storage::Value* out)
      : params_(params), in_(in), z_(z), out_(out), planes_(params.boundaries, z, params.nz) {}

  void update(int y, std::int64_t* bodies) const {
    const BoundaryView& view = params_.boundaries;
    const PlaneLayout& layout = params_.layout;
    const FluidPlane& plane = planes_.plane[1];
    const Counted counted{bodies, 0, layout.nx};
    BoundaryCells<Params, Storage> cells(params_, in_, y, z_, counted, out_);
    const CellList* list = view.list(z_);
    const LinkedCell *linked = nullptr, *last = nullptr;
    if (list != nullptr) std::tie(linked, last) = cells_of_row(view, *list, y);
    for (int word = 0; word < plane.words_per_row; ++word) {
      const int begin = 32 * word, count = std::min(32, layout.nx - begin);
      std::uint32_t fluid = plane.words[plane.word_of(begin, y)].fluid;
      if (count < 32) fluid &= (1U << count) - 1;
      for (; fluid != 0; fluid &= fluid - 1) {
        const int x = begin + std::countr_zero(fluid);
        const bool has_links = linked != last && static_cast<int>(linked->x) == x;
        update_cell(x, y, has_links ? linked : nullptr, list, cells);
        if (has_links) ++linked;
      }
    }
  }

 private:
  void update_cell(int x, int y, const LinkedCell* linked, const CellList* list,
                   BoundaryCells<Params, Storage>& cells) const {
    using Real = typename Storage::Real;
    const BoundaryView& view = params_.boundaries;
    const PlaneLayout& layout = params_.layout;
    const unsigned closed = cells.closed_faces(x);
    Real g[d3q19::directions];
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
