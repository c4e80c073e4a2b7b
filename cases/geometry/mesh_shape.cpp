// SPDX-License-Identifier: Apache-2.0
#include "cases/geometry/mesh_shape.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "cases/geometry/mesh_cut.hpp"

namespace lbm::geometry {
namespace {

struct Event {
  std::int32_t row;
  std::int32_t turn;
  double x;
};

// By row, then x; entries before exits, so that a wall without thickness is solid.
void sort(std::vector<Event>& events) {
  std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
    return std::tie(a.row, a.x, b.turn) < std::tie(b.row, b.x, a.turn);
  });
}

// Calls act(row, from, to) for every solid stretch of x, ends included.
template <class Act>
void each_solid_stretch(const std::vector<Event>& events, Act act) {
  int winding = 0;
  for (std::size_t n = 0; n + 1 < events.size(); ++n) {
    winding += events[n].turn;
    if (winding != 0 && events[n].row == events[n + 1].row)
      act(events[n].row, events[n].x, events[n + 1].x);
  }
}

// Appends the events of all rows of the window that the cut crosses.
void add_rows(const PlaneCut& cut, const Window& w, std::vector<Event>& events) {
  const auto [low, high] = std::minmax(cut.down[1], cut.up[1]);
  const double last = w.ny - 1;
  if (high < w.first[1] || low > w.first[1] + last) return;
  // One row more at each end; cut_by_row decides.
  const int begin = static_cast<int>(std::max(0.0, std::floor(low - w.first[1])));
  const int end = static_cast<int>(std::min(last, std::ceil(high - w.first[1])));
  for (int j = begin; j <= end; ++j)
    if (const auto row = cut_by_row(cut, w.first[1] + j)) events.push_back({j, row->turn, row->x});
}

void fill_stretch(const Window& w, double from, double to, std::span<std::int8_t> row) {
  int i = static_cast<int>(std::clamp(std::floor(from - w.first[0]), 0.0, double(w.nx)));
  while (i < w.nx && w.first[0] + i < from) ++i;
  for (; i < w.nx && w.first[0] + i <= to; ++i) row[i] = 1;
}

// Share of the segment at which it crosses the triangle. Edges are included with a margin, so that
// a segment through a common edge hits at least one of its triangles.
std::optional<double> hit(const Vec& a, const Vec& b, const Vec& c, const Segment& s) {
  constexpr double margin = 1e-9;
  const Vec d = s.direction(), ab = b - a, ac = c - a;
  const Vec across = cross(d, ac);
  const double det = dot(ab, across);
  if (det == 0) return std::nullopt;
  const Vec from_a = s.from - a;
  const double u = dot(from_a, across) / det;
  if (!(u >= -margin && u <= 1 + margin)) return std::nullopt;
  const Vec other = cross(from_a, ab);
  const double v = dot(d, other) / det;
  if (!(v >= -margin && u + v <= 1 + margin)) return std::nullopt;
  const double t = dot(ac, other) / det;
  if (!(t >= -margin && t <= 1 + margin)) return std::nullopt;
  return std::clamp(t, 0.0, 1.0);
}

}  // namespace

MeshShape::MeshShape(Mesh mesh) : mesh_(std::move(mesh)), bvh_(mesh_) {
  for (const auto& t : mesh_.triangles)
    for (const std::int32_t v : t) bounds_.add(mesh_.vertices[v]);
}

// Calls act(RowCut) wherever the line along x through p crosses the surface.
template <class Act>
void MeshShape::each_row_cut(const Vec& p, Act act) const {
  bvh_.visit(
      [&](const Bvh::Node& n) {
        return n.low[1] <= p[1] && p[1] <= n.high[1] && n.low[2] <= p[2] && p[2] <= n.high[2];
      },
      [&](std::int32_t t) {
        const auto cut = cut_by_plane(mesh_, t, p[2]);
        if (!cut) return;
        if (const auto row = cut_by_row(*cut, p[1])) act(*row);
      });
}

int MeshShape::side(const Vec& p) const {
  std::vector<Event> events;
  each_row_cut(p, [&](const RowCut& row) { events.push_back({0, row.turn, row.x}); });
  sort(events);
  int result = -1;
  each_solid_stretch(events, [&](std::int32_t, double from, double to) {
    if (from <= p[0] && p[0] <= to) result = 1;
  });
  return result;
}

MeshShape::Winding MeshShape::winding(const Vec& p) const {
  Winding result;
  each_row_cut(p, [&](const RowCut& row) {
    if (row.x <= p[0]) result.from_below += row.turn;
    if (row.x >= p[0]) result.from_above -= row.turn;
  });
  return result;
}

void MeshShape::sides(const Window& w, std::span<std::int8_t> sides) const {
  std::fill(sides.begin(), sides.end(), static_cast<std::int8_t>(-1));
  const double z = w.first[2];
  std::vector<Event> events;
  bvh_.visit([&](const Bvh::Node& n) { return n.low[2] <= z && z <= n.high[2]; },
             [&](std::int32_t t) {
               if (const auto cut = cut_by_plane(mesh_, t, z)) add_rows(*cut, w, events);
             });
  sort(events);
  each_solid_stretch(events, [&](std::int32_t row, double from, double to) {
    fill_stretch(w, from, to, sides.subspan(static_cast<std::size_t>(row) * w.nx, w.nx));
  });
}

template <class Act>
void MeshShape::each_hit(const Segment& s, Act act) const {
  const Box box = Box::of(s);
  const auto touches = [&](const Bvh::Node& n) {
    for (int a = 0; a < 3; ++a)
      if (n.low[a] > box.high[a] || n.high[a] < box.low[a]) return false;
    return true;
  };
  bvh_.visit(touches, [&](std::int32_t n) {
    const auto& t = mesh_.triangles[n];
    const auto share = hit(mesh_.vertices[t[0]], mesh_.vertices[t[1]], mesh_.vertices[t[2]], s);
    if (share) act(*share);
  });
}

void MeshShape::crossings(const Segment& s, std::vector<double>& shares) const {
  each_hit(s, [&](double t) { shares.push_back(t); });
}

std::optional<double> MeshShape::first_entry(const Segment& s) const {
  double nearest = 2;
  each_hit(s, [&](double t) { nearest = std::min(nearest, t); });
  if (nearest > 1) return std::nullopt;
  return nearest;
}

ShapePtr MeshShape::moved(const Affine& a) const {
  inverse(a);  // throws for a singular `a`
  return std::make_shared<MeshShape>(geometry::moved(mesh_, a));
}

std::size_t MeshShape::bytes() const {
  return bvh_.bytes() + mesh_.vertices.size() * sizeof(mesh_.vertices[0]) +
         mesh_.triangles.size() * sizeof(mesh_.triangles[0]);
}

}  // namespace lbm::geometry
