// SPDX-License-Identifier: Apache-2.0

// The CPU's kernels, compiled once for each instruction set and number type (rows/row_kernels.cpp);
// the widest instruction set is chosen at run time.
#pragma once

#include "solver/backend/cpu/rows/row_functions.hpp"

namespace lbm::cpu {

// The kernels of an instruction set.
struct Kernels {
  const char* name;
  const RowKernels* of_populations[3];  // by StorageType
  const RowKernels* of_moments[3];
  // Fp16::load_scaled and Fp16::store_rounded of `count` values, a multiple of 16: for tests of the
  // conversions that the other kernels use.
  void (*load_halves)(const std::uint16_t* from, float* to, int count);
  void (*round_halves)(const float* from, std::uint16_t* to, int count, std::uint32_t key);

  const RowKernels& of(const Lattice& lattice) const {
    const auto type = static_cast<std::size_t>(lattice.storage);
    return lattice.representation == Representation::moments ? *of_moments[type]
                                                             : *of_populations[type];
  }
};

extern const Kernels kernels_baseline;
#if defined(__x86_64__)
extern const Kernels kernels_avx2;
extern const Kernels kernels_avx512;
#endif

// The widest instruction set that this machine has; the environment variable LBM_CPU_ISA
// (baseline, avx2, avx512) asks for another one.
const Kernels& best_kernels();

}  // namespace lbm::cpu
