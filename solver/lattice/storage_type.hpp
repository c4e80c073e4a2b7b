// SPDX-License-Identifier: Apache-2.0

// How one stored value of the lattice looks in memory. Arithmetic is float, double for fp64.
#pragma once

#include <cstddef>

#include "solver/core/enum_names.hpp"

namespace lbm {

enum class StorageType { fp32, fp16, fp64 };
inline constexpr StorageType all_storage_types[] = {StorageType::fp16, StorageType::fp32,
                                                    StorageType::fp64};

// Bytes of one stored value.
constexpr std::size_t bytes_per_value(StorageType type) {
  switch (type) {
    case StorageType::fp16:
      return 2;
    case StorageType::fp64:
      return 8;
    case StorageType::fp32:
      break;
  }
  return 4;
}

constexpr auto enum_names(StorageType) { return std::array{"fp32", "fp16", "fp64"}; }

}  // namespace lbm
