// SPDX-License-Identifier: Apache-2.0
#include "solver/backend/cpu/kernels.hpp"

#include <cstdlib>
#include <string_view>

#include "solver/backend/cpu/rows/row_functions.hpp"

namespace lbm::cpu {
namespace {

template <Isa isa>
constexpr Kernels kernels_of(const char* name) {
  using enum StorageType;
  static_assert(
      int{fp32 == StorageType{0}} + int{fp16 == StorageType{1}} + int{fp64 == StorageType{2}} == 3);
  return {name,
          {&RowKernelsOf<isa, fp32>::populations, &RowKernelsOf<isa, fp16>::populations,
           &RowKernelsOf<isa, fp64>::populations},
          {&RowKernelsOf<isa, fp32>::moments, &RowKernelsOf<isa, fp16>::moments,
           &RowKernelsOf<isa, fp64>::moments},
          HalfConversions<isa>::load,
          HalfConversions<isa>::round};
}

}  // namespace

const Kernels kernels_baseline = kernels_of<Isa::baseline>("baseline");
#if defined(__x86_64__)
const Kernels kernels_avx2 = kernels_of<Isa::avx2>("avx2");
const Kernels kernels_avx512 = kernels_of<Isa::avx512>("avx512");
#endif

const Kernels& best_kernels() {
#if defined(__x86_64__)
  const char* asked = std::getenv("LBM_CPU_ISA");
  const std::string_view isa = asked == nullptr ? "" : asked;
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") &&
                      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq");
  if (avx512 && isa != "avx2" && isa != "baseline") return kernels_avx512;
  if (avx2 && isa != "baseline") return kernels_avx2;
#endif
  return kernels_baseline;
}

}  // namespace lbm::cpu
