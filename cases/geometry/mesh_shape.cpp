// SPDX-License-Identifier: Apache-2.0
#include "cases/geometry/mesh_shape.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace lbm::geometry {
namespace {

// Intersection of an edge and the plane, computed from the vertex of lower index for either
// direction of the edge. Not inlined, so that all calls round alike.
[[gnu::noinline]] std::array<double, 2> edge_point(const Mesh& mesh, std::int32_t a, std::int32_t b,
                                                   double z) {
  if (a > b) std::swap(a, b);
  const Vec &p = mesh.vertices[a], &q = mesh.vertices[b];
  const double t = (z - p[2]) / (q[2] - p[2]);
  return {p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])};
}

constexpr std::int32_t leaf_size = 4;

class Builder {
 public:
  Builder(Mesh& mesh, std::vector<Bvh::Node>& nodes)
      : mesh_(mesh), nodes_(nodes), order_(mesh.triangles.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    centres_.reserve(order_.size());
    for (const auto& t : mesh.triangles)
      centres_.push_back(mesh.vertices[t[0]] + mesh.vertices[t[1]] + mesh.vertices[t[2]]);
  }

  void build() {
    if (order_.empty()) return;
    const auto count = static_cast<std::int32_t>(order_.size());
    nodes_.resize(static_cast<std::size_t>(node_count(count)));
#pragma omp parallel
#pragma omp single
    add_node(0, 0, count);
    std::vector<std::array<std::int32_t, 3>> sorted;
    sorted.reserve(order_.size());
    for (const std::int32_t n : order_) sorted.push_back(mesh_.triangles[n]);
    mesh_.triangles = std::move(sorted);
  }

 private:
  // Nodes of a tree of so many triangles.
  static std::int32_t node_count(std::int32_t triangles) {
    if (triangles <= leaf_size) return 1;
    return 1 + node_count(triangles / 2) + node_count(triangles - triangles / 2);
  }

  // Large subtrees may be made by other threads: each has its place in the array.
  void add_node(std::int32_t self, std::int32_t first, std::int32_t last) {
    constexpr std::int32_t large = 4096;
    Bvh::Node& node = nodes_[static_cast<std::size_t>(self)];
    if (last - first <= leaf_size) {
      set_bounds(node, first, last);
      node.first = first;
      node.count = last - first;
      return;
    }
    const std::int32_t middle = split(first, last);
    const std::int32_t second = self + 1 + node_count(middle - first);
#pragma omp task if (last - first > large)
    add_node(self + 1, first, middle);
    add_node(second, middle, last);
#pragma omp taskwait
    const Bvh::Node &a = nodes_[static_cast<std::size_t>(self) + 1],
                    &b = nodes_[static_cast<std::size_t>(second)];
    for (std::size_t k = 0; k < 3; ++k) {
      node.low[k] = std::min(a.low[k], b.low[k]);
      node.high[k] = std::max(a.high[k], b.high[k]);
    }
    node.first = second;
    node.count = 0;
  }

  // Halves the range along the axis on which the centres are spread most.
  std::int32_t split(std::int32_t first, std::int32_t last) {
    Box spread;
    for (std::int32_t k = first; k < last; ++k) spread.add(centres_[order_[k]]);
    const Vec size = spread.high - spread.low;
    const auto axis = std::max_element(size.begin(), size.end()) - size.begin();
    const std::int32_t middle = first + (last - first) / 2;
    std::nth_element(
        order_.begin() + first, order_.begin() + middle, order_.begin() + last,
        [&](std::int32_t a, std::int32_t b) { return centres_[a][axis] < centres_[b][axis]; });
    return middle;
  }

  void set_bounds(Bvh::Node& node, std::int32_t first, std::int32_t last) const {
    Box box;
    for (std::int32_t k = first; k < last; ++k)
      for (const std::int32_t v : mesh_.triangles[order_[k]]) box.add(mesh_.vertices[v]);
    constexpr float far = std::numeric_limits<float>::infinity();
    for (int a = 0; a < 3; ++a) {
      node.low[a] = std::nextafter(static_cast<float>(box.low[a]), -far);
      node.high[a] = std::nextafter(static_cast<float>(box.high[a]), far);
    }
  }

  Mesh& mesh_;
  std::vector<Bvh::Node>& nodes_;
  std::vector<std::int32_t> order_;
  std::vector<Vec> centres_;
};

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

std::vector<Mesh> parts_of(const Mesh& mesh) {
  VertexSets connected(mesh.vertices.size());
  for (const auto& t : mesh.triangles)
    for (const std::int32_t v : {t[1], t[2]}) connected.join(v, t[0]);
  std::vector<std::int32_t> part(mesh.vertices.size(), -1), place(mesh.vertices.size(), -1);
  std::vector<Mesh> parts;
  for (const auto& t : mesh.triangles) {
    std::int32_t& index = part[connected.find(t[0])];
    if (index < 0) {
      index = static_cast<std::int32_t>(parts.size());
      parts.emplace_back();
    }
    Mesh& own = parts[index];
    for (const std::int32_t v : t) {
      if (place[v] >= 0) continue;
      place[v] = static_cast<std::int32_t>(own.vertices.size());
      own.vertices.push_back(mesh.vertices[v]);
    }
    own.triangles.push_back({place[t[0]], place[t[1]], place[t[2]]});
  }
  return parts;
}

bool is_empty(const MeshShape& part, const std::array<int, 3>& cells,
              const std::array<bool, 3>& periodic, const TimeLimit& limit) {
  std::array<double, 3> first{}, count{};
  for (int a = 0; a < 3; ++a) {
    const double end = periodic[a] ? Box::infinity : cells[a];
    first[a] = std::max(std::ceil(part.bounds().low[a] - 0.5), periodic[a] ? -end : 0.0);
    count[a] = std::min(std::floor(part.bounds().high[a] + 0.5), end) - first[a];
    if (count[a] < 1) return true;
  }
  const int nx = static_cast<int>(count[0]), ny = static_cast<int>(count[1]);
  std::vector<std::int8_t> sides(static_cast<std::size_t>(nx) * ny);
  for (double z = 0; z < count[2]; ++z) {
    limit.check();
    part.sides({{first[0] + 0.5, first[1] + 0.5, first[2] + z + 0.5}, nx, ny}, sides);
    if (*std::max_element(sides.begin(), sides.end()) > 0) return false;
  }
  return true;
}

}  // namespace

// These two are not inlined either, so that every caller gets the same bits.
[[gnu::noinline]] std::optional<PlaneCut> cut_by_plane(const Mesh& mesh, std::int32_t triangle,
                                                       double z) {
  const auto& t = mesh.triangles[triangle];
  std::array<bool, 3> above;
  for (int k = 0; k < 3; ++k) above[k] = mesh.vertices[t[k]][2] >= z;
  if (above[0] == above[1] && above[1] == above[2]) return std::nullopt;
  PlaneCut cut{};
  for (int k = 0; k < 3; ++k) {
    const int next = (k + 1) % 3;
    if (above[k] != above[next])
      (above[next] ? cut.up : cut.down) = edge_point(mesh, t[k], t[next], z);
  }
  return cut;
}

[[gnu::noinline]] std::optional<RowCut> cut_by_row(const PlaneCut& cut, double y) {
  const bool from = cut.down[1] >= y, to = cut.up[1] >= y;
  if (from == to) return std::nullopt;
  const double t = (y - cut.down[1]) / (cut.up[1] - cut.down[1]);
  return RowCut{cut.down[0] + t * (cut.up[0] - cut.down[0]), from ? 1 : -1};
}

Bvh::Bvh(Mesh& mesh) { Builder(mesh, nodes_).build(); }

MeshShape::MeshShape(Mesh mesh) : mesh_(std::move(mesh)), bvh_(mesh_) {
  for (const auto& t : mesh_.triangles)
    for (const std::int32_t v : t) bounds_.add(mesh_.vertices[v]);
}

// Calls act(RowCut) wherever the line along x through p crosses the surface.
template <class Act>
void MeshShape::each_row_cut(const Vec& p, Act act) const {
  constexpr double far = Box::infinity;
  bvh_.visit({{-far, p[1], p[2]}, {far, p[1], p[2]}}, [&](std::int32_t t) {
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
  std::vector<Event> events;
  Box plane = Box::everywhere();
  const double z = plane.low[2] = plane.high[2] = w.first[2];
  bvh_.visit(plane, [&](std::int32_t t) {
    if (const auto cut = cut_by_plane(mesh_, t, z)) add_rows(*cut, w, events);
  });
  sort(events);
  each_solid_stretch(events, [&](std::int32_t row, double from, double to) {
    fill_stretch(w, from, to, sides.subspan(static_cast<std::size_t>(row) * w.nx, w.nx));
  });
}

template <class Act>
void MeshShape::each_hit(const Segment& s, Act act) const {
  bvh_.visit(Box::of(s), [&](std::int32_t n) {
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

PartCount count_empty_parts(const MeshShape& surface, const std::array<int, 3>& cells,
                            const std::array<bool, 3>& periodic, const TimeLimit& limit) {
  std::vector<Mesh> parts = parts_of(surface.mesh());
  PartCount count{static_cast<int>(parts.size()), 0};
  if (count.all == 1) return count;
  for (Mesh& part : parts)
    count.empty += is_empty(MeshShape(std::move(part)), cells, periodic, limit) ? 1 : 0;
  return count;
}

// Seen along y. Points of the plane are centres of squares that fill the projection.
double frontal_area(Mesh mesh, std::size_t axis) {
  constexpr int most_points = 1024;
  Box box;
  for (Vec& p : mesh.vertices) {
    p = {p[(axis + 1) % 3], p[axis], p[(axis + 2) % 3]};
    box.add(p);
  }
  const Vec extent = box.high - box.low;
  const double size = std::max(extent[0], extent[2]) / most_points;
  if (!(size > 0)) return 0;
  std::vector<char> covered(static_cast<std::size_t>(most_points) * most_points);
  // The first point at or behind a place.
  const auto point = [&](double place) { return static_cast<int>(std::ceil(place / size - 0.5)); };
  for (std::size_t n = 0; n < mesh.triangles.size(); ++n) {
    Box around;
    for (const std::int32_t v : mesh.triangles[n]) around.add(mesh.vertices[v] - box.low);
    const int last = std::min(point(around.high[2]), most_points - 1);
    for (int row = std::max(point(around.low[2]), 0); row <= last; ++row) {
      const auto cut =
          cut_by_plane(mesh, static_cast<std::int32_t>(n), box.low[2] + (row + 0.5) * size);
      if (!cut) continue;
      const auto [from, to] = std::minmax(cut->down[0], cut->up[0]);
      const int end = std::min(point(to - box.low[0]), most_points);
      for (int i = std::max(point(from - box.low[0]), 0); i < end; ++i)
        covered[static_cast<std::size_t>(row) * most_points + i] = 1;
    }
  }
  return static_cast<double>(std::count(covered.begin(), covered.end(), char{1})) * size * size;
}

}  // namespace lbm::geometry
