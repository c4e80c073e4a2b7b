// SPDX-License-Identifier: Apache-2.0

// The body within a surface of triangles that is not closed.
#pragma once

#include "cases/geometry/mesh_shape.hpp"
#include "solver/core/time_limit.hpp"

namespace lbm::geometry {

// A point is solid if most of six rays along the axes say so, at least four. A ray says so if it
// passes the surface more often in one direction than in the other on its way to infinity, as it
// does from any point in a closed surface. So a hole misleads only the rays that go through it: a
// box without a lid is filled up to its rim, and a sheet beside a body adds nothing. Overlapping
// shells are united, where they are oriented alike.
//
// (The vote of rays: Nooruddin and Turk 2003, IEEE Trans. Visualization and Computer Graphics 9,
// 191, "parity count", there over many directions; the winding instead of the parity is ours.)
class FilledShape : public Shape {
 public:
  // Once the limit is reached, the constructor and all queries throw TimeLimitReached.
  explicit FilledShape(const Mesh& mesh, const TimeLimit& limit = {});

  // Never returns 0.
  int side(const Vec& p) const override;
  // Triangles, and the places at which a ray along an axis begins or ceases to meet one: the
  // shadows of the border.
  void crossings(const Segment& s, std::vector<double>& shares) const override;
  Box bounds() const override { return surfaces_[0].bounds(); }

  // Volume of the solid, from the lengths within it of 48 x 48 lines.
  double volume() const;

 private:
  int votes(const Vec& p, int axis) const;  // of the two rays along an axis

  TimeLimit limit_;
  // The surface with the coordinates turned so that the axis comes first: x y z, y z x, z x y.
  std::array<MeshShape, 3> surfaces_;
  Mesh border_;  // its edges, as triangles of two equal corners
  Bvh border_bvh_;
};

}  // namespace lbm::geometry
