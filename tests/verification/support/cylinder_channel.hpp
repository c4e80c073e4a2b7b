// SPDX-License-Identifier: Apache-2.0

// The channel of the cylinder benchmarks of Schaefer & Turek (1996), 2D-1 and 2D-2: 22 diameters
// long, 4.1 high in whole cells, walls in y, a parabola comes in at x_min.
#pragma once

#include "tests/verification/support/flow.hpp"

namespace lbm::verification {

// d: cells in the diameter; mean: velocity, cells per step; out: the rule of x_max. fp32, without
// the cylinder, from the parabola throughout.
inline Problem cylinder_channel(int d, double mean, double reynolds, BoundaryKind out,
                                CollisionKind kind) {
  Problem p;
  const int height = 41 * d / 10;
  p.cells = {22 * d, height, 1};
  set_faces(p.faces, 1, BoundaryKind::wall);
  p.faces[0].condition.kind = BoundaryKind::velocity;
  p.faces[1].condition.kind = out;
  const auto parabola = [=](int j) {
    const double y = (j + 0.5) / height;
    return 6 * mean * y * (1 - y);
  };
  for (int j = 0; j < height; ++j) {
    p.faces[0].condition.profile.insert(p.faces[0].condition.profile.end(),
                                        {static_cast<float>(parabola(j)), 0.0F, 0.0F});
  }
  p.initial = [=](int y, int, const StateRow& row) {
    for (double& u : row.ux) u = parabola(y);
  };
  p.storage = StorageType::fp32;
  p.collision.kind = kind;
  p.collision.omega = 1 / tau_of(mean * d / reynolds);
  return p;
}

}  // namespace lbm::verification
