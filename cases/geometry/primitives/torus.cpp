// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "cases/geometry/primitives/closed_form.hpp"
#include "cases/geometry/primitives/primitives.hpp"

namespace lbm::geometry {
namespace {

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
    Box box{centre_, centre_};
    for (int k = 0; k < 3; ++k) {
      const double reach = ring_ * std::sqrt(std::max(0.0, 1 - axis_[k] * axis_[k])) + tube_;
      box.low[k] -= reach;
      box.high[k] += reach;
    }
    return box;
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

ShapePtr make_torus(const Vec& centre, const Vec& axis, double ring, double tube) {
  require_point(centre, "a coordinate of the centre of a torus");
  require_point(axis, "a component of the axis of a torus");
  require(axis != Vec{0, 0, 0}, "the length of the axis of a torus", 0, "more than 0");
  require_size(ring, "the radius of the ring of a torus");
  require_size(tube, "the radius of the tube of a torus");
  require(tube < ring, "the radius of the tube of a torus", tube, "less than that of its ring");
  return std::make_shared<TorusShape>(centre, axis, ring, tube);
}

}  // namespace lbm::geometry
