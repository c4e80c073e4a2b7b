// SPDX-License-Identifier: Apache-2.0
#include "cases/fields/walls_around.hpp"

#include <algorithm>
#include <bit>
#include <utility>

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

Vector component_of(int q) {
  return {static_cast<double>(cx(q)), static_cast<double>(cy(q)), static_cast<double>(cz(q))};
}

Vector place_of(const WallPoint& point) {
  const Vector c = component_of(point.q);
  return {-point.share * c[0], -point.share * c[1], -point.share * c[2]};
}

WallsAround::WallsAround(const GridShape& grid, const Boundaries& boundaries,
                         const std::array<FaceVelocity, 6>& faces, double step,
                         std::vector<ImmersedBody> moving)
    : grid_(grid), faces_(faces), moving_(std::move(moving)) {
  boundaries.factors(step, factors_);
  if (!boundaries.none()) view_ = boundaries.view();
  for (int z = 0; z < grid_.cells[2]; ++z) {
    const std::uint32_t* const solid = view_.solid_plane(z);
    // A plane that shares its mask with the one before it has the same cells.
    const bool known = z > 0 && solid == view_.solid_plane(z - 1);
    const auto any = [&] {
      return std::any_of(solid, solid + view_.mask_words, [](auto word) { return word != 0; });
    };
    has_solids_.push_back(known ? has_solids_.back() : solid != nullptr && any());
  }
}

float WallsAround::solid_fraction(int x, int y, int z) const {
  float sum = is_solid(x, y, z) ? 1 : 0;
  for (const ImmersedBody& body : moving_) {
    const std::array at{x, y, z};
    float from[3];
    bool has = true;
    for (int a = 0; a < 3; ++a) {
      const int i = at[static_cast<std::size_t>(a)];
      has = has && body.has(a, i);
      from[a] = static_cast<float>(body.distance(a, i)) - body.middle[a];
    }
    if (has) sum += body.share(view_.fractions, from);
  }
  return std::min(sum, 1.0F);
}

bool WallsAround::is_open(int z) const {
  const int nz = grid_.cells[2];
  for (const int d : {-1, 0, 1}) {
    const int n = grid_.periodic[2] ? (z + d + nz) % nz : std::clamp(z + d, 0, nz - 1);
    if (has_solids_[static_cast<std::size_t>(n)]) return false;
  }
  return true;
}

const LinkedCell* WallsAround::linked(int x, int y, int z) const {
  const CellList* list = view_.list(z);
  if (list == nullptr) return nullptr;
  const LinkedCell* begin = view_.cells + list->first_cell;
  const LinkedCell* end = begin + list->cells;
  const auto key = std::make_pair(static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(x));
  const LinkedCell* found = std::lower_bound(
      begin, end, key,
      [](const LinkedCell& c, const auto& k) { return std::make_pair(c.y, c.x) < k; });
  return found != end && std::make_pair(found->y, found->x) == key ? found : nullptr;
}

WallPoint WallsAround::point_of(const LinkedCell& cell, int z, int q) const {
  const CellList& list = *view_.list(z);
  const auto before = static_cast<unsigned>(std::popcount(cell.blocked & ((1U << q) - 1)));
  const BlockedLink link = view_.links[list.first_link + cell.first + before];
  const BodyMotion& motion = view_.bodies[body_of(link)];
  WallPoint point{q, wall_position(link)};
  const double position[3] = {cell.x + 0.5 - point.share * cx(q),
                              cell.y + 0.5 - point.share * cy(q), z + 0.5 - point.share * cz(q)};
  double arm[3];
  view_.find_arm(body_of(link), position, arm);
  const double factor = motion.factor == 0 ? 1 : factors_[motion.factor];
  for (int a = 0; a < 3; ++a) {
    const auto axis = static_cast<std::size_t>(a);
    point.angular_velocity[axis] = factor * motion.angular_velocity[a];
    point.velocity[axis] = factor * motion.velocity_at(arm, a);
  }
  return point;
}

WallPoint WallsAround::body_wall(int x, int y, int z, int q) const {
  const LinkedCell* cell = linked(x, y, z);
  if (cell == nullptr || (cell->blocked >> q & 1U) == 0) return {q, 0.5, {}};
  return point_of(*cell, z, q);
}

std::vector<WallPoint> WallsAround::wall_points(int x, int y, int z) const {
  std::vector<WallPoint> points;
  const std::array<int, 3> at{x, y, z};
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    for (const bool upper : {false, true}) {
      const FaceVelocity& wall = face(axis, upper);
      if (!wall.is_wall || at[a] != (upper ? grid_.cells[a] - 1 : 0)) continue;
      points.push_back({(upper ? 2 : 1) + 2 * axis, 0.5, *wall.velocity});
    }
  }
  add_body_points(x, y, z, points);
  return points;
}

void WallsAround::add_body_points(int x, int y, int z, std::vector<WallPoint>& points) const {
  const LinkedCell* cell = linked(x, y, z);
  const unsigned listed = cell == nullptr ? 0U : cell->blocked;
  for (int q = 1; q < edge_directions; ++q) {
    if ((listed >> q & 1U) != 0) points.push_back(point_of(*cell, z, q));
  }
  if (view_.fluid_words != nullptr) add_resting_points(x, y, z, listed, points);
}

void WallsAround::add_resting_points(int x, int y, int z, unsigned listed,
                                     std::vector<WallPoint>& points) const {
  if (is_solid(x, y, z)) return;
  for (int q = 1; q < edge_directions; ++q) {
    if ((listed >> q & 1U) != 0) continue;
    std::array<int, 3> from{x - cx(q), y - cy(q), z - cz(q)};
    bool is_inside = true;
    for (std::size_t a = 0; a < 3; ++a) {
      const int n = grid_.cells[a];
      if (grid_.periodic[a]) from[a] = (from[a] + n) % n;
      // Beyond free slip are the cells inside, mirrored.
      const unsigned face = 1U << (2 * a + (from[a] < 0 ? 0 : 1));
      if (from[a] >= 0 && from[a] < n) continue;
      is_inside = is_inside && (view_.slip_faces & face) != 0;
      from[a] = from[a] < 0 ? 0 : n - 1;
    }
    if (is_inside && is_solid(from[0], from[1], from[2])) points.push_back({q, 0.5, {}, {}});
  }
}

Vector WallsAround::normal(int x, int y, int z, const std::vector<WallPoint>& points) const {
  std::vector<Vector> places;
  Vector away{};
  for (const WallPoint& point : points) {
    places.push_back(place_of(point));
    const Vector c = component_of(point.q);
    for (std::size_t a = 0; a < 3; ++a) away[a] += c[a];
  }
  away = unit(away);
  const PlaneFit own = fit_plane(places, away);
  if (own.is_sure) return own.normal;
  std::vector<WallPoint> around;
  for (int d = 0; d < 27; ++d) {
    const std::array<int, 3> step{d % 3 - 1, d / 3 % 3 - 1, d / 9 - 1};
    std::array<int, 3> n{x, y, z};
    bool is_inside = d != 13;  // the cell itself
    for (std::size_t a = 0; a < 3; ++a) {
      n[a] += step[a];
      if (grid_.periodic[a]) n[a] = (n[a] + grid_.cells[a]) % grid_.cells[a];
      is_inside = is_inside && n[a] >= 0 && n[a] < grid_.cells[a];
    }
    if (!is_inside) continue;
    around.clear();
    add_body_points(n[0], n[1], n[2], around);
    for (const WallPoint& point : around) {
      Vector place = place_of(point);
      for (std::size_t a = 0; a < 3; ++a) place[a] += step[a];
      // Leaves out the wall on the other side of a gap.
      if (dot(place, away) < 0.5) places.push_back(place);
    }
  }
  return fit_plane(places, away).normal;
}

}  // namespace lbm::fields
