// SPDX-License-Identifier: Apache-2.0

// The kernels of an instruction set and number type, which row_kernels.cpp defines.
#pragma once

#include "solver/backend/cpu/rows/row_functions.hpp"

namespace lbm::cpu {

enum class Isa { baseline, avx2, avx512 };

template <Isa isa, StorageType number>
struct RowKernelsOf {
  static const RowKernels populations, moments;
};

// See Kernels.
template <Isa isa>
struct HalfConversions {
  static void load(const std::uint16_t* from, float* to, int count);
  static void round(const float* from, std::uint16_t* to, int count, std::uint32_t key);
};

}  // namespace lbm::cpu
