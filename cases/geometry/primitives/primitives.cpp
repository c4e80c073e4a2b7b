// SPDX-License-Identifier: Apache-2.0
#include "cases/geometry/primitives/primitives.hpp"

#include <algorithm>

namespace lbm::geometry {
namespace {

// Shares t at which |h + t d| = radius. h and d are already projected as the body needs. A line
// that misses the surface by rounding only touches it, since side() may return 0 there.
void add_round(const Vec& h, const Vec& d, double radius, std::vector<double>& shares) {
  const double a = dot(d, d);
  if (a == 0) return;
  const double middle = -dot(h, d) / a;
  const Vec nearest = h + middle * d;
  const double left = radius * radius - dot(nearest, nearest);
  if (left < -1e-9 * radius * radius) return;
  const double half = std::sqrt(std::max(left, 0.0) / a);
  add_share(middle - half, shares);
  add_share(middle + half, shares);
}

// Shares at which (at - p) . normal = 0.
void add_flat(const Segment& s, const Vec& p, const Vec& normal, std::vector<double>& shares) {
  const double slope = dot(s.direction(), normal);
  if (slope != 0) add_share(dot(p - s.from, normal) / slope, shares);
}

class BoxShape : public Shape {
 public:
  explicit BoxShape(const Box& box) : box_(box) {}
  int side(const Vec& p) const override {
    double least = Box::infinity;
    for (int a = 0; a < 3; ++a) least = std::min({least, p[a] - box_.low[a], box_.high[a] - p[a]});
    return sign(least);
  }
  void crossings(const Segment& s, std::vector<double>& shares) const override {
    const Vec d = s.direction();
    for (int a = 0; a < 3; ++a)
      if (d[a] != 0) {
        add_share((box_.low[a] - s.from[a]) / d[a], shares);
        add_share((box_.high[a] - s.from[a]) / d[a], shares);
      }
  }
  Box bounds() const override { return box_; }

 private:
  Box box_;
};

class SphereShape : public Shape {
 public:
  SphereShape(const Vec& centre, double radius) : centre_(centre), radius_(radius) {}
  int side(const Vec& p) const override {
    const Vec h = p - centre_;
    return sign(radius_ * radius_ - dot(h, h));
  }
  void crossings(const Segment& s, std::vector<double>& shares) const override {
    add_round(s.from - centre_, s.direction(), radius_, shares);
  }
  Box bounds() const override { return Box{centre_, centre_}.grown({radius_, radius_, radius_}); }

 private:
  Vec centre_;
  double radius_;
};

// Common part of cylinder and capsule: an axis that begins at `a`.
class AxisShape : public Shape {
 public:
  AxisShape(const Vec& a, const Vec& b, double radius)
      : a_(a), axis_(b - a), squared_(dot(axis_, axis_)), radius_(radius) {}

 protected:
  // Position along the axis: 0 at a, 1 at b.
  double along(const Vec& from_a) const { return dot(from_a, axis_) / squared_; }
  Vec across(const Vec& v) const { return v - along(v) * axis_; }
  void add_mantle(const Segment& s, std::vector<double>& shares) const {
    const Vec d = s.direction(), d_across = across(d);
    // Parallel to the axis, to rounding: never crosses the mantle.
    if (dot(d_across, d_across) < 1e-28 * dot(d, d)) return;
    add_round(across(s.from - a_), d_across, radius_, shares);
  }

  Vec a_, axis_;
  double squared_, radius_;
};

class CylinderShape : public AxisShape {
 public:
  using AxisShape::AxisShape;
  int side(const Vec& p) const override {
    const Vec h = p - a_, outward = across(h);
    const double t = along(h);
    return std::min({sign(t), sign(1 - t), sign(radius_ * radius_ - dot(outward, outward))});
  }
  void crossings(const Segment& s, std::vector<double>& shares) const override {
    add_flat(s, a_, axis_, shares);
    add_flat(s, a_ + axis_, axis_, shares);
    add_mantle(s, shares);
  }
  Box bounds() const override {
    // A disc extends radius * sin(angle between its axis and the coordinate axis).
    Vec reach;
    for (int k = 0; k < 3; ++k)
      reach[k] = radius_ * std::sqrt(std::max(0.0, 1 - axis_[k] * axis_[k] / squared_));
    return Box::of({a_, a_ + axis_}).grown(reach);
  }
};

class EllipticCylinderShape : public Shape {
 public:
  EllipticCylinderShape(const Vec& a, const Vec& b, const std::array<double, 2>& radii,
                        const Vec& direction)
      : a_(a), axis_(b - a), squared_(dot(axis_, axis_)), radii_(radii) {
    const Vec n = unit(axis_);
    first_ = unit(direction - dot(direction, n) * n);
    second_ = cross(n, first_);
  }
  int side(const Vec& p) const override {
    const Vec h = p - a_, outward = in_radii(h);
    const double t = dot(h, axis_) / squared_;
    return std::min({sign(t), sign(1 - t), sign(1 - dot(outward, outward))});
  }
  void crossings(const Segment& s, std::vector<double>& shares) const override {
    add_flat(s, a_, axis_, shares);
    add_flat(s, a_ + axis_, axis_, shares);
    const Vec d = s.direction();
    const double u = dot(d, first_), v = dot(d, second_);
    // Parallel to the axis, to rounding: never crosses the mantle.
    if (u * u + v * v < 1e-28 * dot(d, d)) return;
    add_round(in_radii(s.from - a_), in_radii(d), 1, shares);
  }
  Box bounds() const override {
    Vec reach;
    for (int k = 0; k < 3; ++k)
      reach[k] = std::hypot(radii_[0] * first_[k], radii_[1] * second_[k]);
    return Box::of({a_, a_ + axis_}).grown(reach);
  }

 private:
  // Across the axis; of length 1 on the mantle.
  Vec in_radii(const Vec& v) const {
    return {dot(v, first_) / radii_[0], dot(v, second_) / radii_[1], 0};
  }

  Vec a_, axis_;
  double squared_;
  std::array<double, 2> radii_;
  Vec first_, second_;  // of length 1, along the half axes
};

class CapsuleShape : public AxisShape {
 public:
  using AxisShape::AxisShape;
  int side(const Vec& p) const override {
    const Vec h = p - a_;
    const Vec outward = h - std::clamp(along(h), 0.0, 1.0) * axis_;
    return sign(radius_ * radius_ - dot(outward, outward));
  }
  void crossings(const Segment& s, std::vector<double>& shares) const override {
    add_round(s.from - a_, s.direction(), radius_, shares);
    add_round(s.from - a_ - axis_, s.direction(), radius_, shares);
    add_mantle(s, shares);
  }
  Box bounds() const override {
    return Box::of({a_, a_ + axis_}).grown({radius_, radius_, radius_});
  }
};

class HalfSpaceShape : public Shape {
 public:
  HalfSpaceShape(const Vec& point, const Vec& normal) : point_(point), normal_(normal) {}
  int side(const Vec& p) const override { return sign(dot(point_ - p, normal_)); }
  void crossings(const Segment& s, std::vector<double>& shares) const override {
    add_flat(s, point_, normal_, shares);
  }
  Box bounds() const override {
    Box box = Box::everywhere();
    for (int a = 0; a < 3; ++a)
      if (normal_[(a + 1) % 3] == 0 && normal_[(a + 2) % 3] == 0)
        (normal_[a] > 0 ? box.high[a] : box.low[a]) = point_[a];
    return box;
  }

 private:
  Vec point_, normal_;
};

// Calls found(x) if f changes its sign between a and b, where it is monotonic.
template <class F, class Found>
void find_sign_change(const F& f, double a, double b, Found found) {
  const int at_a = sign(f(a));
  if (at_a * sign(f(b)) >= 0) return;
  for (int k = 0; k < 64; ++k) {
    const double middle = 0.5 * (a + b);
    if (middle == a || middle == b) break;
    (sign(f(middle)) == at_a ? a : b) = middle;
  }
  found(0.5 * (a + b));
}

class TorusShape : public Shape {
 public:
  TorusShape(const Vec& centre, const Vec& axis, double ring, double tube)
      : centre_(centre), axis_(unit(axis)), ring_(ring), tube_(tube) {}

  int side(const Vec& p) const override { return sign(depth(p - centre_)); }

  // The product of depth() with (r + ring)^2 + w^2 - tube^2, r and w across and along the axis, is
  // a polynomial of degree 4 along the segment, and has the sign of -depth(). Between the roots of
  // its derivative it is monotonic: each of these pieces has one crossing at most. The roots are
  // shares themselves, so that a line that touches the torus needs no care.
  void crossings(const Segment& s, std::vector<double>& shares) const override {
    const Vec h = s.from - centre_, d = s.direction();
    const double norm = length(d);
    if (norm == 0) return;
    const double middle = -dot(h, d) / (norm * norm);  // share nearest to the centre
    const Vec nearest = h + middle * d;
    const double squared = dot(nearest, nearest);
    const double reach = (ring_ + tube_) * (1 + 1e-6);  // with a margin for rounding
    const double left = reach * reach - squared;
    if (!(left >= 0)) return;
    const double half = std::sqrt(left) / norm;
    const double low = std::max(0.0, middle - half), high = std::min(1.0, middle + half);
    if (!(low < high)) return;

    // A quarter of the derivative over the distance x from the nearest point: x^3 + p x + q.
    const double along = dot(d, axis_) / norm, offset = dot(nearest, axis_);
    const double p = squared - ring_ * ring_ - tube_ * tube_ + 2 * ring_ * ring_ * along * along;
    const double q = 2 * ring_ * ring_ * offset * along;
    const auto slope = [&](double x) { return (x * x + p) * x + q; };
    const double begin = (low - middle) * norm, end = (high - middle) * norm;
    const double turn = p < 0 ? std::sqrt(-p / 3) : 0;
    std::array<double, 7> breaks{low};
    int count = 1;
    const auto add_break = [&](double x) {
      breaks[count++] = std::clamp(middle + x / norm, low, high);
    };
    const double first = std::clamp(-turn, begin, end), last = std::clamp(turn, begin, end);
    find_sign_change(slope, begin, first, add_break);
    add_break(first);  // may be a root itself
    find_sign_change(slope, first, last, add_break);
    add_break(last);
    find_sign_change(slope, last, end, add_break);
    breaks[count++] = high;
    for (int k = 0; k + 1 < count; ++k) {
      add_share(breaks[k], shares);
      find_sign_change([&](double t) { return depth(h + t * d); }, breaks[k], breaks[k + 1],
                       [&](double t) { add_share(t, shares); });
    }
    add_share(high, shares);
  }

  Box bounds() const override {
    Vec reach;
    for (int k = 0; k < 3; ++k)
      reach[k] = ring_ * std::sqrt(std::max(0.0, 1 - axis_[k] * axis_[k])) + tube_;
    return Box{centre_, centre_}.grown(reach);
  }

 private:
  // Positive inside. Differences of squares keep their digits where links touch the surface.
  double depth(const Vec& h) const {
    const double w = dot(h, axis_);
    const Vec outward = h - w * axis_;
    const double squared = dot(outward, outward);
    const double across = (squared - ring_ * ring_) / (std::sqrt(squared) + ring_);
    return (tube_ - w) * (tube_ + w) - across * across;
  }

  Vec centre_, axis_;
  double ring_, tube_;
};

}  // namespace

ShapePtr make_box(const Vec& centre, const Vec& size) {
  return std::make_shared<BoxShape>(Box{centre, centre}.grown(0.5 * size));
}

ShapePtr make_sphere(const Vec& centre, double radius) {
  return std::make_shared<SphereShape>(centre, radius);
}

ShapePtr make_ellipsoid(const Vec& centre, const Vec& diameters) {
  return transformed(make_sphere({0, 0, 0}, 0.5), translation(centre) * scaling(diameters));
}

ShapePtr make_cylinder(const Vec& a, const Vec& b, double radius) {
  return std::make_shared<CylinderShape>(a, b, radius);
}

ShapePtr make_elliptic_cylinder(const Vec& a, const Vec& b, const std::array<double, 2>& radii,
                                const Vec& direction) {
  return std::make_shared<EllipticCylinderShape>(a, b, radii, unit(direction));
}

ShapePtr make_capsule(const Vec& a, const Vec& b, double radius) {
  if (a == b) return make_sphere(a, radius);
  return std::make_shared<CapsuleShape>(a, b, radius);
}

ShapePtr make_torus(const Vec& centre, const Vec& axis, double ring, double tube) {
  return std::make_shared<TorusShape>(centre, axis, ring, tube);
}

ShapePtr make_half_space(const Vec& point, const Vec& normal) {
  const double l = length(normal);
  return std::make_shared<HalfSpaceShape>(point, l > 1e-150 && l < 1e150 ? normal : unit(normal));
}

}  // namespace lbm::geometry
