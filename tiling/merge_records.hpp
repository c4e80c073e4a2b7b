// Records of the same step from the slabs of a grid become one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "solver/lattice/step_record.hpp"

namespace lbm::tiling {

// Adds the sums and keeps the larger extremes of the first flow_values numbers.
inline void merge_flow_values(std::span<std::int64_t> to, std::span<const std::int64_t> from) {
  for (std::size_t i = 0; i < std::min<std::size_t>({flow_values, to.size(), from.size()}); ++i) {
    const bool extreme =
        i == first_bad_cell || i == speed_max || i == density_max || i == density_min;
    to[i] = extreme ? std::max(to[i], from[i]) : to[i] + from[i];
  }
}

// All of a record. Forces are sums; a probe's values are there in one slab and zero in others.
inline void merge_record(std::span<std::int64_t> to, std::span<const std::int64_t> from) {
  merge_flow_values(to, from);
  for (std::size_t i = flow_values; i < to.size(); ++i) to[i] += from[i];
}

}  // namespace lbm::tiling
