// Vectors, and the plane that fits places on a wall.
#pragma once

#include <array>
#include <span>

namespace lbm::fields {

using Vector = std::array<double, 3>;

inline double dot(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

inline Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

struct PlaneFit {
  Vector normal{};       // of length 1, on the side of the view; 0 without places and view
  bool is_sure = false;  // false: the places are too close to each other, or in a row
};

// By least squares, as seen from `view`, which is best a cell or so from the places: that makes
// little of their curvature. Of what the places leave open the normal gets the least.
PlaneFit fit_plane(std::span<const Vector> places, const Vector& view);

// v, of length 1; 0 stays 0.
Vector unit(const Vector& v);

}  // namespace lbm::fields
