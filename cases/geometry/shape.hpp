// SPDX-License-Identifier: Apache-2.0

// Interface of a solid body for voxels and wall distances. Shapes are immutable; every function may
// be called from many threads. Positions are in cells.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cases/geometry/vec.hpp"

namespace lbm::geometry {

// Cell centres of a part of one plane: first + (i, j, 0) for i < nx, j < ny.
struct Window {
  Vec first;
  int nx = 0, ny = 0;
};

class Shape {
 public:
  virtual ~Shape() = default;

  // 1 inside, -1 outside, 0 on the surface, which is solid: solid means side >= 0.
  virtual int side(const Vec& p) const = 0;

  // Appends, in any order, every share in [0, 1] of the segment at which side() may change; other
  // shares are allowed as well.
  virtual void crossings(const Segment& s, std::vector<double>& shares) const = 0;

  // Contains all solid points.
  virtual Box bounds() const = 0;

  // side() of every cell of the window: sides[j * nx + i]. Writes every value.
  virtual void sides(const Window& w, std::span<std::int8_t> sides) const;

  // Share of the segment at which it first enters the body: 0 if it begins inside, empty if it
  // never does. Touching the surface in a point is no entry.
  virtual std::optional<double> first_entry(const Segment& s) const;

  bool inside(const Vec& p) const { return side(p) >= 0; }
};

using ShapePtr = std::shared_ptr<const Shape>;

}  // namespace lbm::geometry
