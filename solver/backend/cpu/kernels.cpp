// SPDX-License-Identifier: Apache-2.0
#include "solver/backend/cpu/kernels.hpp"

#include <cstdlib>
#include <string_view>

namespace lbm::cpu {

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
