// SPDX-License-Identifier: Apache-2.0

// Compiled once for each instruction set, LBM_ISA, and number type, LBM_NUMBER
// (solver/CMakeLists.txt).
#include "solver/backend/cpu/rows/row_functions.hpp"

#include "solver/backend/cpu/rows/rows.hpp"

namespace lbm::cpu {

using Number = LBM_NUMBER;

template <>
const std::array<RowKernels, AllVelocitySets::count>
    RowKernelsOf<Isa::LBM_ISA, Number::type>::populations =
        AllVelocitySets::all([]<class Set>(Set) { return row_kernels<WithSet<Number, Set>>; });
template <>
const RowKernels RowKernelsOf<Isa::LBM_ISA, Number::type>::moments = row_kernels<AsMoments<Number>>;

#if defined(LBM_HALVES)
template <>
void HalfConversions<Isa::LBM_ISA>::load(const std::uint16_t* from, float* to, int count) {
  for (int i = 0; i < count; i += Lanes<Fp16>::count) {
    store_vector(to + i, Lanes<Fp16>::load(from + i));
  }
}
template <>
void HalfConversions<Isa::LBM_ISA>::round(const float* from, std::uint16_t* to, int count,
                                          std::uint32_t key) {
  using Vector = Lanes<Fp16>::Vector;
  for (int i = 0; i < count; i += Lanes<Fp16>::count) {
    store_vector(to + i, Lanes<Fp16>::pack(load_vector<Vector>(from + i), key));
  }
}
#endif

}  // namespace lbm::cpu
