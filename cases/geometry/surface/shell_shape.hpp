// SPDX-License-Identifier: Apache-2.0

// A surface of triangles as a wall of some thickness.
#pragma once

#include "cases/geometry/bvh.hpp"
#include "cases/geometry/shape.hpp"
#include "solver/core/time_limit.hpp"

namespace lbm::geometry {

// No link of D3Q19 between two fluid cells passes a shell of this thickness, in cells: the longest
// link has a length of sqrt(2), so one of its ends is within sqrt(2) / 2 of the place at which it
// meets the surface, and that end is solid.
inline constexpr double least_thickness = 1.41422;  // sqrt(2), rounded up

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
  Box bounds_;
};

}  // namespace lbm::geometry
