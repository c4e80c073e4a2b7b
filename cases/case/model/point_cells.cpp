// SPDX-License-Identifier: Apache-2.0
#include "cases/case/model/point_cells.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cases/geometry/vec.hpp"

namespace lbm::cases {
namespace {

// The two cells around a coordinate and their weights; at an end of the grid the outermost cell.
std::array<std::pair<int, double>, 2> around(double at, int cells, bool periodic) {
  const double centre = at - 0.5, low = std::floor(centre), share = centre - low;
  const auto cell = [&](double n) {
    const auto i = static_cast<int>(n);
    return periodic ? (i % cells + cells) % cells : std::clamp(i, 0, cells - 1);
  };
  return {{{cell(low), 1 - share}, {cell(low + 1), share}}};
}

// A cell within wall_reach of a place.
struct NearCell {
  std::array<int, 3> at{};    // may lie beyond a periodic face
  std::array<int, 3> cell{};  // the same cell in the grid
  Vec3 from{};                // vector from the place to its centre
  double distance = 0;
};

struct Neighbourhood {
  std::vector<NearCell> fluid;
  bool has_wall = false;
};

Neighbourhood cells_within_reach(const Case& lbm_case, const Boundaries& boundaries, Vec3 place) {
  const BoundaryView view = boundaries.none() ? BoundaryView{} : boundaries.view();
  const auto& cells = lbm_case.grid.cells;
  Neighbourhood found;
  std::array<int, 3> first{}, last{};
  for (std::size_t a = 0; a < 3; ++a) {
    place[a] = std::clamp(place[a], 0.0, double{1} * cells[a]);  // plans try smaller boxes
    first[a] = static_cast<int>(std::ceil(place[a] - 0.5 - wall_reach));
    last[a] = static_cast<int>(std::floor(place[a] - 0.5 + wall_reach));
    if (wraps(lbm_case.faces, a)) continue;
    const bool walls = lbm_case.faces[2 * a].type != BoundaryKind::periodic;
    found.has_wall |= walls && (place[a] < wall_reach || place[a] > cells[a] - wall_reach);
    first[a] = std::max(first[a], 0);
    last[a] = std::min(last[a], cells[a] - 1);
  }
  NearCell near;
  auto& at = near.at;
  for (at[2] = first[2]; at[2] <= last[2]; ++at[2]) {
    for (at[1] = first[1]; at[1] <= last[1]; ++at[1]) {
      for (at[0] = first[0]; at[0] <= last[0]; ++at[0]) {
        for (std::size_t a = 0; a < 3; ++a) {
          near.from[a] = at[a] + 0.5 - place[a];
          near.cell[a] = (at[a] % cells[a] + cells[a]) % cells[a];
        }
        near.distance = std::hypot(near.from[0], near.from[1], near.from[2]);
        if (near.distance > wall_reach) continue;
        const bool solid = view.is_solid(near.cell[0], near.cell[1], near.cell[2]);
        found.has_wall |= solid;
        if (!solid) found.fluid.push_back(near);
      }
    }
  }
  return found;
}

// The cells that are connected with the nearest one through faces of cells.
std::vector<NearCell> connected(std::vector<NearCell> all) {
  if (all.empty()) return all;
  std::iter_swap(all.begin(), std::min_element(all.begin(), all.end(), [](auto& a, auto& b) {
                   return a.distance < b.distance;
                 }));
  std::vector<NearCell> found{all.front()};
  all.erase(all.begin());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::array<int, 3> from = found[i].at;
    const auto touches = [&](const NearCell& other) {
      return std::abs(other.at[0] - from[0]) + std::abs(other.at[1] - from[1]) +
                 std::abs(other.at[2] - from[2]) ==
             1;
    };
    const auto rest = std::stable_partition(all.begin(), all.end(),
                                            [&](const NearCell& c) { return !touches(c); });
    found.insert(found.end(), rest, all.end());
    all.erase(rest, all.end());
  }
  return found;
}

using Matrix3 = std::array<Vec3, 3>;

double determinant(const Matrix3& m) { return geometry::dot(m[0], geometry::cross(m[1], m[2])); }

// Cramer's rule.
Vec3 solution(const Matrix3& m, const Vec3& right) {
  const double of_all = determinant(m);
  Vec3 x{};
  for (std::size_t column = 0; column < 3; ++column) {
    Matrix3 replaced = m;
    for (std::size_t row = 0; row < 3; ++row) replaced[row][column] = right[row];
    x[column] = determinant(replaced) / of_all;
  }
  return x;
}

}  // namespace

std::vector<PointCell> cells_around(const Case& lbm_case, const Boundaries& boundaries,
                                    const Vec3& place) {
  std::array<std::array<std::pair<int, double>, 2>, 3> axes;
  for (std::size_t a = 0; a < 3; ++a) {
    axes[a] = around(place[a], lbm_case.grid.cells[a],
                     lbm_case.faces[2 * a].type == BoundaryKind::periodic);
  }
  const BoundaryView view = boundaries.none() ? BoundaryView{} : boundaries.view();
  std::vector<PointCell> cells;
  double sum = 0;
  for (const auto& [z, wz] : axes[2]) {
    for (const auto& [y, wy] : axes[1]) {
      for (const auto& [x, wx] : axes[0]) {
        const double weight = wx * wy * wz;
        if (weight <= 0 || view.is_solid(x, y, z)) continue;
        cells.push_back({{x, y, z}, weight});
        sum += weight;
      }
    }
  }
  for (PointCell& corner : cells) corner.weight /= sum;
  return cells;
}

// Least squares: with cells at x_i, their mean m and C = sum (x_i - m)(x_i - m)^T, the value at the
// place p is sum_i f_i (1 / n + (x_i - m) . C^-1 (p - m)). Along directions without extent C is
// singular; a small multiple of the identity makes the fit constant there.
std::vector<PointCell> cells_at_wall(const Case& lbm_case, const Boundaries& boundaries,
                                     const Vec3& place) {
  const auto near = connected(cells_within_reach(lbm_case, boundaries, place).fluid);
  if (near.empty()) return {};
  const auto n = static_cast<double>(near.size());
  Vec3 mean{};
  for (const NearCell& cell : near) {
    for (std::size_t a = 0; a < 3; ++a) mean[a] += cell.from[a] / n;
  }
  constexpr double small = 1e-9;
  Matrix3 moments{{{small, 0, 0}, {0, small, 0}, {0, 0, small}}};
  for (const NearCell& cell : near) {
    for (std::size_t a = 0; a < 3; ++a) {
      for (std::size_t b = 0; b < 3; ++b) {
        moments[a][b] += (cell.from[a] - mean[a]) * (cell.from[b] - mean[b]);
      }
    }
  }
  const Vec3 slope = solution(moments, {-mean[0], -mean[1], -mean[2]});
  std::vector<PointCell> cells;
  for (const NearCell& cell : near) {
    double weight = 1 / n;
    for (std::size_t a = 0; a < 3; ++a) weight += (cell.from[a] - mean[a]) * slope[a];
    cells.push_back({cell.cell, weight});
  }
  return cells;
}

bool is_near_wall(const Case& lbm_case, const Boundaries& boundaries, const Vec3& place) {
  return cells_within_reach(lbm_case, boundaries, place).has_wall;
}

}  // namespace lbm::cases
