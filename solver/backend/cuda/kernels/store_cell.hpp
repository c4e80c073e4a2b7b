// SPDX-License-Identifier: Apache-2.0

// The end of the update of a single cell.
#pragma once

#include "solver/update/update_cell.hpp"

namespace lbm::cuda {

// Stores what a cell has after the collision. g: its values, times Storage::scale; out: where its
// first value goes.
template <class Storage, class Params>
LBM_HD void store_cell(const Params& params, const typename Storage::Real (&g)[d3q19::directions],
                       typename Storage::Value* out) {
  const auto rounding = Storage::rounding(params.rounding, g[0]);
  LBM_UNROLL
  for (int v = 0; v < Storage::values; ++v) {
    out[v * params.layout.pitch] = Storage::store_rounded(g[v], rounding);
  }
}

}  // namespace lbm::cuda
