// A solid body as the voxeliser and the walls see it. Shapes do not change once made; every
// function is safe to call from many threads. Positions are in cells.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cases/geometry/vec.hpp"

namespace lbm::geometry {

// The centres of some cells of one plane: first + (i, j, 0) for i < nx, j < ny.
struct Window {
  Vec first;
  int nx = 0, ny = 0;
};

class Shape {
 public:
  virtual ~Shape() = default;

  // 1 inside, -1 outside, 0 on the surface (which belongs to the solid: solid means side >= 0).
  virtual int side(const Vec& p) const = 0;

  // Appends, in any order, every share in [0, 1] of the way along the segment at which side() may
  // change; a share at which it does not is allowed.
  virtual void crossings(const Segment& s, std::vector<double>& shares) const = 0;

  // Everything solid lies in here.
  virtual Box bounds() const = 0;

  // side() of every cell of the window: sides[j * nx + i]. Writes every value.
  virtual void sides(const Window& w, std::span<std::int8_t> sides) const;

  // The share of the way at which the segment first gets into the body: 0 when it begins in it,
  // empty when it never does. Touching the surface in a point is not getting in.
  virtual std::optional<double> first_entry(const Segment& s) const;

  bool inside(const Vec& p) const { return side(p) >= 0; }
};

using ShapePtr = std::shared_ptr<const Shape>;

}  // namespace lbm::geometry
