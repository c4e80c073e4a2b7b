// SPDX-License-Identifier: Apache-2.0
#include "solver/backend/cpu/rows/boundary_cells.hpp"

namespace lbm::cpu {

template <class Storage, class Offsets>
void gather_boundary(BoundaryCell<Storage, Offsets>& cell, const LinkedCell* linked,
                     const CellList* list, std::int64_t* bodies, BodyLoad& load,
                     typename Storage::Real (&g)[d3q19::directions]) {
  gather_boundary_cell(cell, linked, list, bodies, load, g);
}

#define LBM_INSTANTIATE(Storage, Offsets)                                           \
  template void gather_boundary(BoundaryCell<Storage, Offsets>&, const LinkedCell*, \
                                const CellList*, std::int64_t*, BodyLoad&,          \
                                Storage::Real(&)[d3q19::directions]);
#define LBM_INSTANTIATE_STORAGE(Storage)           \
  LBM_INSTANTIATE(Storage, CellOffsets)            \
  LBM_INSTANTIATE(Storage, FluidOffsets)           \
  LBM_INSTANTIATE(AsMoments<Storage>, CellOffsets) \
  LBM_INSTANTIATE(AsMoments<Storage>, FluidOffsets)

LBM_INSTANTIATE_STORAGE(Fp16)
LBM_INSTANTIATE_STORAGE(Fp32)
LBM_INSTANTIATE_STORAGE(Fp64)

}  // namespace lbm::cpu
