// SPDX-License-Identifier: Apache-2.0
#include "cases/geometry/shape.hpp"

#include <algorithm>

namespace lbm::geometry {
namespace {

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
