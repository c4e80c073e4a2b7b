// SPDX-License-Identifier: Apache-2.0
#include "cases/geometry/shape.hpp"

#include <fmt/format.h>

#include <algorithm>
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

// Cells this close to a crossing (in cells) are decided by side() one by one, independent of the
// rounding of the crossing.
constexpr double near_crossing = 1e-6;

// Sorted shares of all crossings between 0 and 1, which are included.
std::vector<double> sorted_crossings(const Shape& shape, const Segment& s) {
  std::vector<double> shares;
  shares.reserve(16);
  shares.push_back(0);
  shape.crossings(s, shares);
  shares.push_back(1);
  std::sort(shares.begin() + 1, shares.end() - 1);
  return shares;
}

void row_sides(const Shape& shape, const Vec& first, std::span<std::int8_t> row) {
  const int n = static_cast<int>(row.size());
  const auto ask = [&](int i) {
    row[i] = static_cast<std::int8_t>(shape.side(first + Vec{static_cast<double>(i), 0, 0}));
  };
  // Starts half a cell before the first centre, so that no row is a point.
  const Segment line{first - Vec{0.5, 0, 0}, first + Vec{n - 0.5, 0, 0}};
  const std::vector<double> shares = sorted_crossings(shape, line);
  int i = 0;
  for (std::size_t k = 0; k + 1 < shares.size(); ++k) {
    const double begin = shares[k] * n - 0.5, end = shares[k + 1] * n - 0.5;
    for (; i < n && i < begin + near_crossing; ++i) ask(i);
    if (i >= n || i >= end - near_crossing) continue;
    ask(i);
    const std::int8_t same = row[i];
    for (++i; i < n && i < end - near_crossing; ++i) row[i] = same;
  }
  for (; i < n; ++i) ask(i);
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

void Shape::sides(const Window& w, std::span<std::int8_t> sides) const {
  const Box box = bounds();
  const auto reaches = [&](int axis, double x) {
    return box.low[axis] - near_crossing <= x && x <= box.high[axis] + near_crossing;
  };
  for (int j = 0; j < w.ny; ++j) {
    const auto row = sides.subspan(static_cast<std::size_t>(j) * w.nx, w.nx);
    const Vec first = w.first + Vec{0, static_cast<double>(j), 0};
    if (reaches(1, first[1]) && reaches(2, first[2]))
      row_sides(*this, first, row);
    else
      std::fill(row.begin(), row.end(), static_cast<std::int8_t>(-1));
  }
}

std::optional<double> Shape::first_entry(const Segment& s) const {
  const std::vector<double> t = sorted_crossings(*this, s);
  for (std::size_t k = 0; k + 1 < t.size(); ++k)
    if (t[k] < t[k + 1] && inside(s.at(0.5 * (t[k] + t[k + 1])))) return t[k];
  // The cell's centre lies exactly on the surface.
  if (inside(s.to)) return 1;
  return std::nullopt;
}

}  // namespace lbm::geometry
