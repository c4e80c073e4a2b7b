// SPDX-License-Identifier: Apache-2.0
#include "cases/run/pictures/view.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace lbm::cases {
namespace {

double product(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Vec3 corner(const std::array<int, 3>& cells, int bits) {
  Vec3 point;
  for (std::size_t a = 0; a < 3; ++a) point[a] = (bits >> a & 1) != 0 ? cells[a] : 0;
  return point;
}

}  // namespace

View::View(double azimuth, double elevation, int up) {
  const double degree = std::numbers::pi / 180;
  const double ca = std::cos(azimuth * degree), sa = std::sin(azimuth * degree);
  const double ce = std::cos(elevation * degree), se = std::sin(elevation * degree);
  const auto c = static_cast<std::size_t>(up), a = (c + 1) % 3, b = (c + 2) % 3;
  right_[a] = -sa, right_[b] = ca, right_[c] = 0;
  toward_[a] = ce * ca, toward_[b] = ce * sa, toward_[c] = se;
  upward_[a] = -se * ca, upward_[b] = -se * sa, upward_[c] = ce;
}

Projected View::of(const Vec3& point) const {
  return {product(right_, point), product(upward_, point), product(toward_, point)};
}

View view_of(const Picture& picture) {
  const auto [azimuth, elevation] = picture.view.value_or(default_view);
  return {azimuth, elevation, picture.up.value_or(2)};
}

Outline outline_of(const View& view, const std::array<int, 3>& cells) {
  constexpr double far = std::numeric_limits<double>::max();
  double left = far, right = -far, low = far, high = -far;
  for (int bits = 0; bits < 8; ++bits) {
    const Projected at = view.of(corner(cells, bits));
    left = std::min(left, at.right), right = std::max(right, at.right);
    low = std::min(low, at.up), high = std::max(high, at.up);
  }
  return {left, low, right - left, high - low};
}

std::vector<Edge> far_edges(const View& view, const std::array<int, 3>& cells) {
  // A face looks away from the viewer, or is seen from the side.
  const auto is_far = [&](std::size_t axis, int end) {
    return end == 1 ? view.toward()[axis] <= 0 : view.toward()[axis] >= 0;
  };
  std::vector<Edge> edges;
  for (int bits = 0; bits < 8; ++bits) {
    for (std::size_t along = 0; along < 3; ++along) {
      if ((bits >> along & 1) != 0) continue;
      const std::size_t a = (along + 1) % 3, b = (along + 2) % 3;
      if (!is_far(a, bits >> a & 1) && !is_far(b, bits >> b & 1)) continue;
      edges.push_back({corner(cells, bits), corner(cells, bits | 1 << along)});
    }
  }
  return edges;
}

}  // namespace lbm::cases
