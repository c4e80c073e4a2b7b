// SPDX-License-Identifier: Apache-2.0
#include "cases/fields/plane_fit.hpp"

namespace lbm::fields {

Vector unit(const Vector& v) {
  const double length = geometry::length(v);
  if (length == 0) return {};
  return {v[0] / length, v[1] / length, v[2] / length};
}

// Least squares of m . p = -1, with p relative to the view. A small addition to the diagonal fixes
// directions that the places leave undetermined.
PlaneFit fit_plane(std::span<const Vector> places, const Vector& view) {
  double a[3][4] = {};
  for (const Vector& place : places) {
    const Vector p{place[0] - view[0], place[1] - view[1], place[2] - view[2]};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) a[i][j] += p[i] * p[j];
      a[i][3] -= p[i];
    }
  }
  const double trace = a[0][0] + a[1][1] + a[2][2];
  if (trace == 0) return {};
  for (std::size_t i = 0; i < 3; ++i) a[i][i] += 1e-9 * trace;
  // Symmetric and positive definite: no pivots needed.
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      if (k == i) continue;
      const double factor = a[k][i] / a[i][i];
      for (std::size_t j = 0; j < 4; ++j) a[k][j] -= factor * a[i][j];
    }
  }
  // The remaining diagonal yields the determinant.
  constexpr double least_spread = 1e-5;
  return {unit({a[0][3] / a[0][0], a[1][3] / a[1][1], a[2][3] / a[2][2]}),
          a[0][0] * a[1][1] * a[2][2] > least_spread * trace * trace * trace};
}

}  // namespace lbm::fields
