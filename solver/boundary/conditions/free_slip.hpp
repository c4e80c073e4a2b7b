// SPDX-License-Identifier: Apache-2.0

// Free slip, also a plane of symmetry: specular reflection.
//
//   f_q(x, t+1) = f_m(x_m, t)
// m: q with its component normal to the face reversed; x_m: the mirror image of the link's source.
// Where x_m is beyond a periodic face with a drop of density, its term is added.
#pragma once

#include "solver/boundary/conditions/periodic_density_drop.hpp"

namespace lbm {

struct FreeSlip {
  template <class Cell>
  LBM_HD typename Cell::Real operator()(const Cell& cell, const FaceLink& link) const {
    const typename Cell::Real mirrored =
        cell.load(mirrored_source(link.e, 1U << link.face | link.same));
    const unsigned drops = drop_faces(cell.params.boundaries);
    if (drops == 0) return mirrored;
    return mirrored + cell.scaled(weight<typename Cell::Set, double>(link.e.q) *
                                  density_drop_across(cell, link.e, drops));
  }
};

}  // namespace lbm
