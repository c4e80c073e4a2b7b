// SPDX-License-Identifier: Apache-2.0

// Cells in sponges (solver/lattice/sponge.hpp). The relaxation is done to what a step has stored of
// a cell: stored values, populations or moments, are linear functions of populations, so each
// relaxes towards the same function of the equilibrium. It reads and writes no other cell.
#pragma once

#include <algorithm>
#include <cmath>

#include "solver/core/fused.hpp"
#include "solver/lattice/lattice.hpp"
#include "solver/lattice/storage.hpp"

namespace lbm {

// The sponges of a lattice for one step, in the arithmetic of a storage policy. Passed to kernels.
template <class Storage>
struct SpongeCells {
  using Real = typename Storage::Real;
  unsigned faces = 0;
  int n[3] = {};                         // cells of the box
  int cells = 0;                         // of a layer along its normal, the last one in part
  Real most_share = 0, inverse = 0;      // inverse: of the thickness
  std::uint32_t rounding = 0;            // see Storage::rounding
  Real far_field[Storage::values] = {};  // stored values, times Storage::scale

  LBM_HD bool any() const { return faces != 0; }
  // True if the layer at the lower (upper) face of an axis reaches cell i along that axis.
  LBM_HD bool at_low(int axis, int i) const { return (faces >> (2 * axis) & 1U) != 0 && i < cells; }
  LBM_HD bool at_high(int axis, int i) const {
    return (faces >> (2 * axis + 1) & 1U) != 0 && i >= n[axis] - cells;
  }
  LBM_HD bool reaches(int axis, int i) const { return at_low(axis, i) || at_high(axis, i); }
  // The part of the share that is due to the faces of an axis, for cell i along that axis.
  LBM_HD Real share(int axis, int i) const {
    Real sum = 0;
    if (at_low(axis, i)) sum += share_at(static_cast<Real>(i) + Real(0.5));
    if (at_high(axis, i)) sum += share_at(static_cast<Real>(n[axis] - i) - Real(0.5));
    return sum;
  }
  // Value v of a cell, or of several, after the relaxation. T, Share: Real or vectors of it.
  template <class T, class Share>
  LBM_HD T relaxed(int v, const T& value, const Share& share) const {
    return multiply_add(share, T(far_field[v] - value), value);
  }

 private:
  LBM_HD Real share_at(Real distance) const {
    const Real inside = Real(1) - multiply(distance, inverse);
    return inside > 0 ? multiply(multiply(most_share, inside), inside) : Real(0);
  }
};

// step: before the update.
template <class Storage>
static SpongeCells<Storage> make_sponge_cells(const Lattice& lattice, std::int64_t step) {
  using Real = typename Storage::Real;
  const Sponge& sponge = lattice.sponge;
  SpongeCells<Storage> made;
  if (!sponge.any()) return made;
  made.faces = sponge.faces;
  made.n[0] = lattice.layout.nx;
  made.n[1] = lattice.layout.ny;
  made.n[2] = lattice.nz;
  made.cells = static_cast<int>(std::ceil(sponge.thickness));
  made.most_share = static_cast<Real>(sponge.most_share);
  made.inverse = static_cast<Real>(1 / sponge.thickness);
  // Other random bits than those of the collision of this step.
  made.rounding = rounding_key(step) ^ 0xa5a5a5a5U;
  const double factor = sponge.factor.at(static_cast<double>(step + 1));
  double g[d3q19::directions];
  equilibrium(Moments<double>{sponge.drho, factor * sponge.velocity[0], factor * sponge.velocity[1],
                              factor * sponge.velocity[2]},
              g);
  if constexpr (holds_moments<Storage>) ten_moments::project<double>(g);
  for (int v = 0; v < Storage::values; ++v) {
    made.far_field[v] = static_cast<Real>(g[v] * double{Storage::scale});
  }
  return made;
}

}  // namespace lbm
