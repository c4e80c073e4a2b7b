// SPDX-License-Identifier: Apache-2.0

// Bodies of surfaces of triangles that need not be closed: filled, or walls of some thickness.
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

// Solid is every point within half the thickness of a triangle: both sides of the surface move
// outward, and its border is round. The surface may be open, closed (then it is hollow), and
// oriented in any way.
class ShellShape : public Shape {
 public:
  // thickness: in cells, > 0. Once the limit is reached, all queries throw TimeLimitReached.
  ShellShape(Mesh mesh, double thickness, const TimeLimit& limit = {});

  int side(const Vec& p) const override;
  void crossings(const Segment& s, std::vector<double>& shares) const override;
  Box bounds() const override { return bounds_; }
  // `s` must begin outside.
  std::optional<double> first_entry(const Segment& s) const override;

 private:
  template <class Act>
  void each_stretch(const Segment& s, Act act) const;

  TimeLimit limit_;
  Mesh mesh_;
  Bvh bvh_;
  double radius_;
  Vec reach_;
  Box bounds_;
};

}  // namespace lbm::geometry
