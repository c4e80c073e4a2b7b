// SPDX-License-Identifier: Apache-2.0
#include "cases/geometry/affine.hpp"

#include <fmt/format.h>

#include <numbers>

#include "solver/core/error.hpp"

namespace lbm::geometry {
namespace {

// Sine and cosine of an angle in degrees, exact at multiples of 90.
std::array<double, 2> sine_cosine(double degrees) {
  const double quarter = std::remainder(degrees, 360.0) / 90.0;  // in [-2, 2]
  if (quarter == std::round(quarter)) {
    const int q = static_cast<int>(quarter) & 3;
    constexpr std::array<double, 4> sine{0, 1, 0, -1};
    return {sine[q], sine[(q + 1) & 3]};
  }
  const double radians = quarter * std::numbers::pi / 2;
  return {std::sin(radians), std::cos(radians)};
}

}  // namespace

Affine operator*(const Affine& second, const Affine& first) {
  Affine product;
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column)
      product.matrix[row][column] =
          dot(second.matrix[row],
              {first.matrix[0][column], first.matrix[1][column], first.matrix[2][column]});
  product.shift = second(first.shift);
  return product;
}

Affine inverse(const Affine& a) {
  const double det = a.determinant();
  for (const double x : a.shift)
    if (!std::isfinite(x))
      throw UsageError(fmt::format("a body is moved by {}: it must be a finite length", x));
  if (!std::isfinite(det) || det == 0)
    throw UsageError(fmt::format(
        "the transform of a body has the determinant {}: it must be finite and not zero; scale by "
        "factors other than 0",
        det));
  const auto& m = a.matrix;
  const std::array<Vec, 3> columns{cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])};
  Affine result;
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column)
      result.matrix[row][column] = columns[column][row] / det;
  result.shift = -1.0 * Affine{result.matrix, {0, 0, 0}}(a.shift);
  return result;
}

Affine scaling(const Vec& factors) {
  Affine a;
  for (int axis = 0; axis < 3; ++axis) a.matrix[axis][axis] = factors[axis];
  return a;
}

Affine rotation(const Vec& axis, double degrees) {
  const Vec n = unit(axis);
  const auto [sine, cosine] = sine_cosine(degrees);
  // n n^T + cos (1 - n n^T) + sin [n]x
  Affine a;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const double outer = n[i] * n[j];
      a.matrix[i][j] = outer + cosine * ((i == j ? 1.0 : 0.0) - outer);
      if (i != j) a.matrix[i][j] += ((j - i + 3) % 3 == 1 ? -1 : 1) * sine * n[3 - i - j];
    }
  return a;
}

Affine translation(const Vec& shift) { return {Affine{}.matrix, shift}; }

Box moved(const Box& box, const Affine& a) {
  Box result{{0, 0, 0}, {0, 0, 0}};
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) {
      const double factor = a.matrix[row][column];
      if (factor == 0) continue;  // 0 times infinity is 0 here
      const double low = factor * box.low[column], high = factor * box.high[column];
      result.low[row] += std::fmin(low, high);
      result.high[row] += std::fmax(low, high);
    }
    result.low[row] += a.shift[row];
    result.high[row] += a.shift[row];
  }
  return result;
}

}  // namespace lbm::geometry
