// SPDX-License-Identifier: Apache-2.0
#include "cases/fields/gradients.hpp"

#include <algorithm>
#include <cmath>

#include "cases/fields/plane_fit.hpp"

namespace lbm::fields {
namespace {

// Walls nearer than this share of a link are treated as lying in the cell: a parabola would magnify
// rounding.
constexpr double least_share = 0.05;

}  // namespace

const float* Gradients::near(const PlaneTriple& planes, std::int64_t cell, int dx, int dy,
                             int dz) const {
  const FieldPlane* plane = dz == 0 ? planes.here : (dz < 0 ? planes.below : planes.above);
  if (plane == nullptr) return nullptr;
  const int nx = box_.loaded.count[0], ny = box_.loaded.count[1];
  const auto i = static_cast<int>(cell % nx) + dx, j = static_cast<int>(cell / nx) + dy;
  if (i < 0 || i >= nx || j < 0 || j >= ny) return nullptr;
  return plane->velocity.data() + 3 * (static_cast<std::int64_t>(j) * nx + i);
}

bool Gradients::inside(int n, std::size_t axis) const {
  return grid_.periodic[axis] || (n > 0 && n < grid_.cells[axis] - 1);
}

bool Gradients::is_fluid(const WallsAround& walls, const std::array<int, 3>& at, int dx, int dy,
                         int dz) const {
  std::array<int, 3> n{at[0] + dx, at[1] + dy, at[2] + dz};
  for (std::size_t a = 0; a < 3; ++a) n[a] = (n[a] + grid_.cells[a]) % grid_.cells[a];
  return !walls.is_solid(n[0], n[1], n[2]);
}

Gradients::Side Gradients::side(const PlaneTriple& planes, const WallsAround& walls,
                                std::int64_t cell, const std::array<int, 3>& at, int axis,
                                bool upper) const {
  const auto a = static_cast<std::size_t>(axis);
  const int d = upper ? 1 : -1;
  const bool outside = !grid_.periodic[a] && (upper ? at[a] == grid_.cells[a] - 1 : at[a] == 0);
  if (outside) {
    const FaceVelocity& face = walls.face(axis, upper);
    return face.velocity ? Side{0.5, *face.velocity} : Side{};
  }
  const int dx = axis == 0 ? d : 0, dy = axis == 1 ? d : 0, dz = axis == 2 ? d : 0;
  if (!is_fluid(walls, at, dx, dy, dz)) {
    const WallPoint wall = walls.body_wall(at[0], at[1], at[2], (upper ? 2 : 1) + 2 * axis);
    return {std::max(wall.share, least_share), wall.velocity};
  }
  const float* v = near(planes, cell, dx, dy, dz);
  if (v == nullptr) return {};
  return {1, {double{v[0]}, double{v[1]}, double{v[2]}}};
}

// Derivative at 0 of the parabola through -l, 0 and h, or of a line if one of them is missing.
void Gradients::cell_gradient(const PlaneTriple& planes, const WallsAround& walls,
                              std::int64_t cell, const std::array<int, 3>& at, float* g) const {
  const float* own = planes.here->velocity.data() + 3 * cell;
  for (int axis = 0; axis < 3; ++axis) {
    const Side low = side(planes, walls, cell, at, axis, false);
    const Side high = side(planes, walls, cell, at, axis, true);
    const double l = low.distance, h = high.distance;
    for (std::size_t i = 0; i < 3; ++i) {
      const double v = double{own[i]};
      double slope = 0;
      if (l > 0 && h > 0) {
        slope = (h / l * (v - low.velocity[i]) + l / h * (high.velocity[i] - v)) / (l + h);
      } else if (l > 0) {
        slope = (v - low.velocity[i]) / l;
      } else if (h > 0) {
        slope = (high.velocity[i] - v) / h;
      }
      g[3 * i + static_cast<std::size_t>(axis)] = static_cast<float>(slope);
    }
  }
}

void Gradients::compute(const PlaneTriple& planes, const WallsAround& walls, int first, int last,
                        std::span<float> gradient) const {
  const int nx = box_.wanted.count[0];
  const std::int64_t row = box_.loaded.count[0];
  const bool open = planes.below != nullptr && planes.above != nullptr && walls.is_open(planes.z);
  for (int j = first; j < last; ++j) {
    const int y = box_.y(j, grid_.cells[1]);
    const bool open_row = open && inside(y, 1);
    for (int i = 0; i < nx; ++i) {
      const int x = box_.x(i, grid_.cells[0]);
      const std::int64_t cell = box_.loaded_cell(i, j);
      float* g = gradient.data() + 9 * (static_cast<std::int64_t>(j - first) * nx + i);
      if (open_row && inside(x, 0)) {
        const float* v = planes.here->velocity.data() + 3 * cell;
        const float *b = planes.below->velocity.data() + 3 * cell,
                    *a = planes.above->velocity.data() + 3 * cell;
        for (int c = 0; c < 3; ++c) {
          g[3 * c] = 0.5F * (v[c + 3] - v[c - 3]);
          g[3 * c + 1] = 0.5F * (v[c + 3 * row] - v[c - 3 * row]);
          g[3 * c + 2] = 0.5F * (a[c] - b[c]);
        }
      } else if (!walls.is_solid(x, y, planes.z)) {
        cell_gradient(planes, walls, cell, {x, y, planes.z}, g);
      } else {
        std::fill_n(g, 9, 0.0F);
      }
    }
  }
}

Vector Gradients::shear_at(const PlaneTriple& planes, const WallsAround& walls, std::int64_t cell,
                           const std::array<int, 3>& at,
                           const std::vector<WallPoint>& points) const {
  const Vector n = walls.normal(at[0], at[1], at[2], points);
  const float* own = planes.here->velocity.data() + 3 * cell;
  Vector slope{};
  double weights = 0;
  for (const WallPoint& point : points) {
    const Vector c = component_of(point.q);
    const double length = std::sqrt(dot(c, c)), cosine = dot(n, c) / length;
    const int dx = d3q19::cx(point.q), dy = d3q19::cy(point.q), dz = d3q19::cz(point.q);
    const float* next = is_fluid(walls, at, dx, dy, dz) ? near(planes, cell, dx, dy, dz) : nullptr;
    const double s = point.share * length, t = s + length;
    // Rotation with the body is no shear. It changes the velocity along a link by this much.
    const Vector turn = cross(point.angular_velocity, c);
    for (std::size_t i = 0; i < 3; ++i) {
      const double v = double{own[i]} - point.velocity[i] - point.share * turn[i];
      double derivative = v / std::max(s, least_share);
      if (next != nullptr) {
        const double w = double{next[i]} - point.velocity[i] - (point.share + 1) * turn[i];
        derivative = point.share < least_share ? w / t : (v * t / s - w * s / t) / (t - s);
      }
      slope[i] += cosine * derivative;
    }
    weights += cosine * cosine;
  }
  for (double& v : slope) v = weights > 0 ? v / weights : 0;
  const double along = dot(slope, n);
  for (std::size_t i = 0; i < 3; ++i) slope[i] -= along * n[i];
  return slope;
}

void Gradients::wall_shear_stress(const PlaneTriple& planes, const WallsAround& walls,
                                  double viscosity, int first, int last,
                                  std::span<float> stress) const {
  const int nx = box_.wanted.count[0];
  const auto row = 3 * static_cast<std::ptrdiff_t>(nx);
  std::fill(stress.begin() + first * row, stress.begin() + last * row, 0.0F);
  const bool open = planes.below != nullptr && planes.above != nullptr && walls.is_open(planes.z);
  for (int j = first; j < last; ++j) {
    for (int i = 0; i < nx; ++i) {
      if (open && inside(box_.y(j, grid_.cells[1]), 1) && inside(box_.x(i, grid_.cells[0]), 0)) {
        continue;  // no wall can be near
      }
      const std::array<int, 3> at{box_.x(i, grid_.cells[0]), box_.y(j, grid_.cells[1]), planes.z};
      if (walls.is_solid(at[0], at[1], at[2])) continue;
      const auto points = walls.wall_points(at[0], at[1], at[2]);
      if (points.empty()) continue;
      const std::int64_t cell = box_.loaded_cell(i, j);
      const Vector slope = shear_at(planes, walls, cell, at, points);
      const double factor =
          viscosity * (1 + double{planes.here->drho[static_cast<std::size_t>(cell)]});
      for (std::size_t a = 0; a < 3; ++a) {
        stress[3 * (static_cast<std::size_t>(j) * static_cast<std::size_t>(nx) +
                    static_cast<std::size_t>(i)) +
               a] = static_cast<float>(factor * slope[a]);
      }
    }
  }
}

}  // namespace lbm::fields
