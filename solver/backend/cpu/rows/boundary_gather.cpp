// SPDX-License-Identifier: Apache-2.0
#include "solver/backend/cpu/rows/boundary_cells.hpp"

namespace lbm::cpu {

template <class Storage, class Offsets>
void gather_boundary(BoundaryCell<Storage, Offsets>& cell, const LinkedCell* linked,
                     const CellList* list, std::int64_t* bodies, BodyLoad& load,
                     typename Storage::Real (&g)[Storage::Set::directions]) {
  gather_boundary_cell(cell, linked, list, bodies, load, g);
}

#define LBM_INSTANTIATE(Offsets, ...)                                                   \
  template void gather_boundary(BoundaryCell<__VA_ARGS__, Offsets>&, const LinkedCell*, \
                                const CellList*, std::int64_t*, BodyLoad&,              \
                                __VA_ARGS__::Real(&)[__VA_ARGS__::Set::directions]);
#define LBM_INSTANTIATE_STORAGE(Number)                \
  LBM_INSTANTIATE(CellOffsets, WithSet<Number, D3Q19>) \
  LBM_INSTANTIATE(CellOffsets, WithSet<Number, D3Q27>) \
  LBM_INSTANTIATE(FluidOffsets, Number)                \
  LBM_INSTANTIATE(CellOffsets, AsMoments<Number>)      \
  LBM_INSTANTIATE(FluidOffsets, AsMoments<Number>)

LBM_INSTANTIATE_STORAGE(Fp16)
LBM_INSTANTIATE_STORAGE(Fp32)
LBM_INSTANTIATE_STORAGE(Fp64)

}  // namespace lbm::cpu
