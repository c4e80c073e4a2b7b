// SPDX-License-Identifier: Apache-2.0

// Free slip, also a plane of symmetry: specular reflection.
//
//   f_q(x, t+1) = f_m(x_m, t)
// m: q with its component normal to the face reversed; x_m: the mirror image of the link's source.
#pragma once

#include "solver/boundary/conditions/face_link.hpp"

namespace lbm {

struct FreeSlip {
  template <class Cell>
  LBM_HD typename Cell::Real operator()(const Cell& cell, const FaceLink& link) const {
    return cell.load(mirrored_source(link.e, 1U << link.face | link.same));
  }
};

}  // namespace lbm
