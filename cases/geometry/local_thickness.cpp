// SPDX-License-Identifier: Apache-2.0
#include "cases/geometry/local_thickness.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace lbm::geometry {
namespace {

constexpr double touching = 1e-4;
constexpr double within_surface = 1e-5;  // below the surface by rounding, in cells
// Lines beside the one that met the surface, and how far along them it is looked for.
constexpr double beside = 1e-4, around = 5e-3;
constexpr double steepest = around / beside;
// Reach of the mean of voxels: their steps are one voxel high.
constexpr int voxel_reach = 3;

// Two unit vectors normal to `n` and to each other.
std::array<Vec, 2> across(const Vec& n) {
  int least = 0;
  for (int a = 1; a < 3; ++a)
    if (std::fabs(n[a]) < std::fabs(n[least])) least = a;
  Vec axis{};
  axis[least] = 1;
  const Vec first = unit(cross(n, axis));
  return {first, cross(n, first)};
}

}  // namespace

LocalThickness::LocalThickness(const Shape& shape, SurfaceKind kind,
                               const std::array<int, 3>& cells, double most)
    : shape_(shape), kind_(kind), cells_(cells), most_(most), piece_(most) {
  const Box bounds = shape.bounds();
  double extent = 0;
  for (int a = 0; a < 3; ++a) extent = std::max(extent, bounds.high[a] - bounds.low[a]);
  piece_ = std::clamp(extent / 32, most / 64, most);
}

// A body that goes on behind both faces, or through a periodic axis, has no thickness along it.
bool LocalThickness::spans_box(const Vec& from, const Vec& to) const {
  for (int a = 0; a < 3; ++a) {
    if (std::fabs(to[a] - from[a]) >= cells_[a] - 10 * touching) return true;
    // An image of voxels is cut at the box: what it shows is larger.
    if (kind_ == SurfaceKind::voxels && (is_face(a, from[a]) || is_face(a, to[a]))) return true;
  }
  return false;
}

bool LocalThickness::is_face(int axis, double at) const {
  return at <= touching || at >= cells_[axis] - touching;
}

std::optional<double> LocalThickness::entry(const Segment& s) const {
  if (shape_.inside(s.from)) return 0;
  if (kind_ == SurfaceKind::smooth) return shape_.first_entry(s);
  // A line through an image crosses a face of a voxel in each cell, and is stopped soon.
  constexpr double part_length = 32;
  const int parts = std::max(1, static_cast<int>(std::ceil(length(s.direction()) / part_length)));
  for (int part = 0; part < parts; ++part) {
    const auto share = shape_.first_entry({s.at(1.0 * part / parts), s.at((part + 1.0) / parts)});
    if (share) return (part + *share) / parts;
  }
  return std::nullopt;
}

SurfacePoint LocalThickness::point_at(const Segment& s, double entry) const {
  const Vec along = unit(s.direction()), at = s.at(entry);
  if (entry == 0) return {at, along, true};
  return {at, normal(at, along), false};
}

std::optional<SurfacePoint> LocalThickness::first_point(const Segment& s) const {
  const auto share = entry(s);
  if (!share) return std::nullopt;
  return point_at(s, *share);
}

Vec LocalThickness::normal(const Vec& at, const Vec& along) const {
  return kind_ == SurfaceKind::smooth ? smooth_normal(at, along) : voxel_normal(at, along);
}

// By where two lines beside the first one meet the surface.
Vec LocalThickness::smooth_normal(const Vec& at, const Vec& along) const {
  Vec result = along;
  for (const Vec& aside : across(along)) {
    double slope = 0;
    for (const double step : {beside, -beside}) {
      const Vec from = at + step * aside - around * along;
      const bool begins_inside = shape_.inside(from);
      const auto share =
          begins_inside ? std::nullopt : shape_.first_entry({from, from + (2 * around) * along});
      if (share) {
        slope = (2 * *share - 1) * around / step;
        break;
      }
      slope = (begins_inside ? -steepest : steepest) * (step > 0 ? 1 : -1);
    }
    result = result - slope * aside;
  }
  return unit(result);
}

// Towards the mean of the solid voxels around.
Vec LocalThickness::voxel_normal(const Vec& at, const Vec& along) const {
  Vec centre;
  for (int a = 0; a < 3; ++a) centre[a] = std::floor(at[a] + 1e-6 * along[a]) + 0.5;
  Vec sum{};
  for (int k = -voxel_reach; k <= voxel_reach; ++k)
    for (int j = -voxel_reach; j <= voxel_reach; ++j)
      for (int i = -voxel_reach; i <= voxel_reach; ++i) {
        const Vec offset{1.0 * i, 1.0 * j, 1.0 * k};
        if (dot(offset, offset) > voxel_reach * voxel_reach) continue;
        const Vec voxel = centre + offset;
        if (shape_.inside(voxel)) sum = sum + (voxel - at);
      }
  return dot(sum, along) > 0.05 * length(sum) ? unit(sum) : along;
}

// From a point of the surface to where the line leaves the body. In pieces: a slanted line asks all
// triangles in the box around it.
double LocalThickness::length_inside(const Vec& at, const Vec& along) const {
  if (!shape_.inside(at + within_surface * along)) return 0;
  std::vector<double> shares;
  for (double begin = within_surface; begin < most_; begin += piece_) {
    const double end = std::min(begin + piece_, most_);
    const Segment piece{at + begin * along, at + end * along};
    shares.clear();
    shape_.crossings(piece, shares);
    if (shares.empty()) continue;
    shares.insert(shares.end(), {0, 1});
    std::sort(shares.begin(), shares.end());
    for (std::size_t n = 0; n + 1 < shares.size(); ++n) {
      if ((shares[n + 1] - shares[n]) * (end - begin) < 1e-7) continue;
      if (!shape_.inside(piece.at(0.5 * (shares[n] + shares[n + 1]))))
        return begin + shares[n] * (end - begin);
    }
  }
  return most_;
}

double LocalThickness::thickness_along(const Vec& at, const Vec& inward) const {
  const double length = length_inside(at, inward);
  // A line from a cut begins at a face of the box.
  const Vec from = at + (2 * touching) * inward;
  return spans_box(from, at + length * inward) ? most_ : length;
}

// At both ends of the shortest of some lines through `at`, normal to `normal`; `within` where all
// of the lines are longer. Slanted lines cut off steps of voxels; lines along the axes and
// diagonals would meet many edges of boxes.
double LocalThickness::across_at(const Vec& at, const Vec& normal, double within) const {
  const auto [u, v] = across(normal);
  double least = within;
  std::array<Vec, 2> ends{}, inward{};
  const int lines = kind_ == SurfaceKind::voxels ? 2 : 4;
  const double first_angle = kind_ == SurfaceKind::voxels ? 0 : 0.3;
  for (int n = 0; n < lines; ++n) {
    const double angle = first_angle + n * std::numbers::pi / lines;
    const Vec forward = std::cos(angle) * u + std::sin(angle) * v, backward = -1 * forward;
    const double ahead = length_inside(at, forward), behind = length_inside(at, backward);
    const std::array<Vec, 2> both{at + ahead * forward, at + behind * backward};
    if (ahead + behind >= least || spans_box(both[0], both[1])) continue;
    least = ahead + behind;
    ends = both;
    inward = {backward, forward};
  }
  if (least == within) return within;
  for (std::size_t n = 0; n < 2; ++n)
    within = std::min(within, thickness_along(ends[n], this->normal(ends[n], inward[n])));
  return within;
}

double LocalThickness::at(const SurfacePoint& point) const {
  double result = thickness_along(point.at, point.inward);
  if (point.is_cut) {
    // The thickness at the surface behind the cut, and beside it.
    if (result < most_) {
      const Vec end = point.at + result * point.inward;
      result = thickness_along(end, normal(end, -1 * point.inward));
    }
    const double depth = kind_ == SurfaceKind::voxels ? 0.5 : within_surface;
    result = std::min(result, across_at(point.at + depth * point.inward, point.inward, most_));
  } else {
    result = across_at(point.at + (result / 2) * point.inward, point.inward, result);
  }
  // A voxel is a cell; a slanted line may cut off a corner of it.
  return kind_ == SurfaceKind::voxels ? std::max(result, std::min(1.0, most_)) : result;
}

ThicknessSummary thickness_summary(const LocalThickness& thickness, const Box& bounds,
                                   const std::array<int, 3>& cells, int lines) {
  constexpr double margin = 0.01;  // so that lines begin outside
  Vec low, high;
  for (int a = 0; a < 3; ++a) {
    low[a] = std::max(bounds.low[a], 0.0);
    high[a] = std::min(bounds.high[a], 1.0 * cells[a]);
  }
  std::vector<double> found;
  for (int a = 0; a < 3; ++a) {
    const int u = (a + 1) % 3, v = (a + 2) % 3;
    for (int j = 0; j < lines; ++j)
      for (int i = 0; i < lines; ++i) {
        Vec from;
        from[u] = low[u] + (high[u] - low[u]) * (i + 0.5) / lines;
        from[v] = low[v] + (high[v] - low[v]) * (j + 0.5) / lines;
        Vec to = from;
        from[a] = std::max(bounds.low[a] - margin, 0.0);
        to[a] = std::min(bounds.high[a] + margin, 1.0 * cells[a]);
        if (from[a] >= to[a]) continue;
        if (const auto point = thickness.first_point({from, to}))
          found.push_back(thickness.at(*point));
      }
  }
  ThicknessSummary summary;
  summary.samples = static_cast<int>(found.size());
  if (found.empty()) return summary;
  std::sort(found.begin(), found.end());
  summary.median = found[found.size() / 2];
  const auto thin = std::lower_bound(found.begin(), found.end(), 1.0) - found.begin();
  summary.below_one = static_cast<double>(thin) / static_cast<double>(found.size());
  return summary;
}

}  // namespace lbm::geometry
