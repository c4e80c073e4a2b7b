// SPDX-License-Identifier: Apache-2.0
#include "cases/geometry/primitives/primitives.hpp"

#include <algorithm>
#include <numeric>

namespace lbm::geometry {
namespace {

// Positions of the points that count.
std::vector<std::size_t> corners_of(const Polygon& polygon) {
  std::vector<std::size_t> corners;
  for (std::size_t n = 0; n < polygon.size(); ++n)
    if (corners.empty() || polygon[n] != polygon[corners.back()]) corners.push_back(n);
  while (corners.size() > 1 && polygon[corners.back()] == polygon[corners.front()])
    corners.pop_back();
  return corners;
}

struct Rectangle {
  PlanePoint low{Box::infinity, Box::infinity};
  PlanePoint high{-Box::infinity, -Box::infinity};

  void add(const PlanePoint& p) {
    for (int k = 0; k < 2; ++k) {
      low[k] = std::min(low[k], p[k]);
      high[k] = std::max(high[k], p[k]);
    }
  }
  void add(const Rectangle& other) {
    add(other.low);
    add(other.high);
  }
  bool touches(const Rectangle& other) const {
    return low[0] <= other.high[0] && high[0] >= other.low[0] && low[1] <= other.high[1] &&
           high[1] >= other.low[1];
  }
  // The line through `from` along d meets the rectangle, or passes close by.
  bool is_near(const PlanePoint& from, const PlanePoint& d) const {
    const PlanePoint middle{0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])};
    const double reach =
        0.5 * (std::abs(d[0]) * (high[1] - low[1]) + std::abs(d[1]) * (high[0] - low[0]));
    return std::abs(cross(d, middle - from)) <= reach * (1 + 1e-9);
  }
};

// The sides in their order, and rectangles around runs of them: neighbours on the polygon are
// neighbours in space.
class Sides {
 public:
  struct Side {
    PlanePoint from, to;
  };

  explicit Sides(const Polygon& polygon) {
    const std::vector<std::size_t> corners = corners_of(polygon);
    for (std::size_t n = 0; n < corners.size(); ++n) {
      sides_.push_back({polygon[corners[n]], polygon[corners[(n + 1) % corners.size()]]});
      if (n % run == 0) around_.emplace_back();
      around_.back().add(grown(sides_.back()));
    }
  }

  // act(side) for each side in a rectangle that is_in() accepts, and some others.
  template <class IsIn, class Act>
  void each(const IsIn& is_in, const Act& act) const {
    for (std::size_t n = 0; n < around_.size(); ++n) {
      if (!is_in(around_[n])) continue;
      const std::size_t end = std::min(sides_.size(), (n + 1) * run);
      for (std::size_t k = n * run; k < end; ++k) act(sides_[k]);
    }
  }

 private:
  static constexpr std::size_t run = 16;

  // With the margin that ends of sides have.
  static Rectangle grown(const Side& side) {
    Rectangle r;
    r.add(side.from);
    r.add(side.to);
    const double margin = 2e-9 * (r.high[0] - r.low[0] + r.high[1] - r.low[1]);
    for (int k = 0; k < 2; ++k) {
      r.low[k] -= margin;
      r.high[k] += margin;
    }
    return r;
  }

  std::vector<Side> sides_;
  std::vector<Rectangle> around_;  // run sides each
};

class PrismShape : public Shape {
 public:
  PrismShape(const Polygon& polygon, int axis, double from, double to)
      : sides_(polygon), axis_(axis), from_(from), to_(to) {
    for (const PlanePoint& p : polygon) bounds_.add(p);
  }

  int side(const Vec& p) const override {
    const int ends = std::min(sign(p[axis_] - from_), sign(to_ - p[axis_]));
    return ends < 0 ? -1 : std::min(ends, plane_side(in_plane(p)));
  }

  void crossings(const Segment& s, std::vector<double>& shares) const override {
    const Vec direction = s.direction();
    if (direction[axis_] != 0) {
      add_share((from_ - s.from[axis_]) / direction[axis_], shares);
      add_share((to_ - s.from[axis_]) / direction[axis_], shares);
    }
    const PlanePoint from = in_plane(s.from), to = in_plane(s.to), d = to - from;
    Rectangle reach;
    reach.add(from);
    reach.add(to);
    const auto is_in = [&](const Rectangle& r) { return r.touches(reach) && r.is_near(from, d); };
    sides_.each(is_in, [&](const Sides::Side& side) {
      const PlanePoint along = side.to - side.from, offset = side.from - from;
      const double det = cross(d, along);
      if (det == 0) return;  // the sides before and after it have the crossings
      // Ends of sides have a margin, so that a segment through a corner meets one side at least.
      const double place = cross(offset, d) / det;
      if (place >= -1e-9 && place <= 1 + 1e-9) add_share(cross(offset, along) / det, shares);
    });
  }

  Box bounds() const override {
    const auto [u, v] = plane_axes();
    Box box;
    box.low[u] = bounds_.low[0];
    box.low[v] = bounds_.low[1];
    box.high[u] = bounds_.high[0];
    box.high[v] = bounds_.high[1];
    box.low[axis_] = from_;
    box.high[axis_] = to_;
    return box;
  }

 private:
  std::array<int, 2> plane_axes() const { return {axis_ == 0 ? 1 : 0, axis_ == 2 ? 1 : 2}; }
  PlanePoint in_plane(const Vec& p) const {
    const auto [u, v] = plane_axes();
    return {p[u], p[v]};
  }

  // Counts the sides that a ray along the first axis crosses. A corner on the ray belongs to the
  // half above it.
  int plane_side(const PlanePoint& p) const {
    bool is_inside = false, is_on_side = false;
    const auto is_in = [&](const Rectangle& r) {
      return r.low[1] <= p[1] && p[1] <= r.high[1] && p[0] <= r.high[0];
    };
    sides_.each(is_in, [&](const Sides::Side& side) {
      const PlanePoint &a = side.from, &b = side.to;
      const double left = cross(b - a, p - a);
      const auto between = [&](int k) {
        return std::min(a[k], b[k]) <= p[k] && p[k] <= std::max(a[k], b[k]);
      };
      if (left == 0 && between(0) && between(1)) is_on_side = true;
      if ((a[1] > p[1]) != (b[1] > p[1]) && (left > 0) == (b[1] > a[1])) is_inside = !is_inside;
    });
    return is_on_side ? 0 : is_inside ? 1 : -1;
  }

  Sides sides_;
  Rectangle bounds_;
  int axis_;
  double from_, to_;
};

// Corners of the convex hull, counterclockwise (Andrew's monotone chain).
Polygon hull_of(Polygon points) {
  std::sort(points.begin(), points.end());
  Polygon hull;
  for (int half = 0; half < 2; ++half) {
    const std::size_t begin = hull.size();
    for (const PlanePoint& p : points) {
      while (hull.size() >= begin + 2 &&
             cross(hull.back() - hull[hull.size() - 2], p - hull.back()) <= 0)
        hull.pop_back();
      hull.push_back(p);
    }
    hull.pop_back();  // begins the other half
    std::reverse(points.begin(), points.end());
  }
  return hull;
}

// Segments a-b and c-d have a common point.
bool meet(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c, const PlanePoint& d) {
  Rectangle first, second;
  first.add(a);
  first.add(b);
  second.add(c);
  second.add(d);
  return first.touches(second) && sign(cross(b - a, c - a)) * sign(cross(b - a, d - a)) <= 0 &&
         sign(cross(d - c, a - c)) * sign(cross(d - c, b - c)) <= 0;
}

}  // namespace

double area(const Polygon& polygon) {
  double twice = 0;
  for (std::size_t n = 1; n + 1 < polygon.size(); ++n)
    twice += cross(polygon[n] - polygon[0], polygon[n + 1] - polygon[0]);
  return std::abs(twice) / 2;
}

double width(const Polygon& polygon) {
  const Polygon hull = hull_of(polygon);
  double least = Box::infinity;
  for (std::size_t n = 0; n < hull.size(); ++n) {
    const PlanePoint d = hull[(n + 1) % hull.size()] - hull[n];
    double most = 0;
    for (const PlanePoint& p : hull) most = std::max(most, cross(d, p - hull[n]));
    least = std::min(least, most / std::hypot(d[0], d[1]));
  }
  return least;
}

std::optional<std::array<std::size_t, 2>> meeting_sides(const Polygon& polygon) {
  const std::vector<std::size_t> corners = corners_of(polygon);
  const std::size_t count = corners.size();
  const auto from = [&](std::size_t n) -> const PlanePoint& { return polygon[corners[n]]; };
  const auto to = [&](std::size_t n) -> const PlanePoint& {
    return polygon[corners[(n + 1) % count]];
  };
  const auto low = [&](std::size_t n) { return std::min(from(n)[0], to(n)[0]); };
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return low(a) < low(b); });
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t n = order[k];
    const double high = std::max(from(n)[0], to(n)[0]);
    for (std::size_t l = k + 1; l < count && low(order[l]) <= high; ++l) {
      const std::size_t a = std::min(n, order[l]), b = std::max(n, order[l]);
      bool both = false;
      if (b == a + 1 || (a == 0 && b + 1 == count)) {
        // Neighbours: one may go back on the other.
        const std::size_t first = b == a + 1 ? a : b, second = b == a + 1 ? b : a;
        const PlanePoint d = to(first) - from(first), e = to(second) - from(second);
        both = cross(d, e) == 0 && dot(d, e) < 0;
      } else {
        both = meet(from(a), to(a), from(b), to(b));
      }
      if (both) return std::array{corners[a], corners[b]};
    }
  }
  return std::nullopt;
}

ShapePtr make_prism(const Polygon& polygon, int axis, double from, double to) {
  return std::make_shared<PrismShape>(polygon, axis, from, to);
}

}  // namespace lbm::geometry
