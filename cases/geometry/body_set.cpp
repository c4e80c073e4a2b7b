// SPDX-License-Identifier: Apache-2.0
#include "cases/geometry/body_set.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "solver/core/error.hpp"

namespace lbm::geometry {
namespace {

constexpr double least_distance = 1e-6;
constexpr double never = 2;  // beyond the end of any segment

}  // namespace

BodySet::BodySet(const std::array<int, 3>& cells, const std::array<bool, 3>& periodic,
                 std::vector<Body> bodies, const TimeLimit& limit)
    : cells_(cells),
      periodic_(periodic),
      bodies_(std::move(bodies)),
      limit_(limit),
      seen_(bodies_.size()) {
  if (bodies_.size() > 65534)
    throw UsageError(fmt::format(
        "{} bodies: at most 65534 are possible; join some into one (union, or one file)",
        bodies_.size()));
  for (std::size_t n = 0; n < bodies_.size(); ++n) add_images(static_cast<int>(n), periodic);
  list_by_plane();
}

void BodySet::list_by_plane() {
  const double n = cells_[2];
  near_plane_.resize(static_cast<std::size_t>(cells_[2]) + 2);
  for (std::size_t image = 0; image < images_.size(); ++image) {
    const Box& box = images_[image].bounds;
    const int first = static_cast<int>(std::clamp(std::floor(box.low[2]) - 3, -1.0, n + 1));
    const int last = static_cast<int>(std::clamp(std::floor(box.high[2]) + 1, -2.0, n));
    for (int z = first; z <= last; ++z)
      near_plane_[z + 1].push_back(static_cast<std::int32_t>(image));
  }
}

const std::vector<std::int32_t>& BodySet::near(double z) const {
  return near_plane_[static_cast<std::size_t>(std::clamp(std::floor(z), -1.0, double(cells_[2])) +
                                              1)];
}

std::vector<std::string> BodySet::without_cells() const {
  std::vector<std::string> names;
  for (std::size_t n = 0; n < bodies_.size(); ++n)
    if (!seen_[n]) names.push_back(bodies_[n].name);
  return names;
}

void BodySet::add_images(int body, const std::array<bool, 3>& periodic) {
  const Box bounds = bodies_[body].shape->bounds();
  std::array<int, 3> first{}, last{};
  for (int a = 0; a < 3; ++a) {
    const double n = cells_[a];
    if (!periodic[a] || !std::isfinite(bounds.low[a]) || !std::isfinite(bounds.high[a])) continue;
    // One cell beyond each face counts, because links reach there.
    first[a] = static_cast<int>(std::ceil((-1 - bounds.high[a]) / n));
    last[a] = static_cast<int>(std::floor((n + 1 - bounds.low[a]) / n));
  }
  for (int k = first[2]; k <= last[2]; ++k)
    for (int j = first[1]; j <= last[1]; ++j)
      for (int i = first[0]; i <= last[0]; ++i) {
        const Vec shift{double(i) * cells_[0], double(j) * cells_[1], double(k) * cells_[2]};
        images_.push_back({body, shift, {bounds.low + shift, bounds.high + shift}});
      }
}

// Range [first, last) of cells along `axis` whose centres may lie in the image.
std::array<int, 2> BodySet::cells_of(const Image& image, int axis) const {
  const double n = cells_[axis];
  const double first = std::clamp(std::floor(image.bounds.low[axis] - 0.5), 0.0, n);
  const double last = std::clamp(std::ceil(image.bounds.high[axis] + 0.5), first, n);
  return {static_cast<int>(first), static_cast<int>(last)};
}

bool BodySet::holds_cells(const Image& image) const {
  for (int a = 0; a < 3; ++a) {
    const auto cells = cells_of(image, a);
    if (cells[0] == cells[1]) return false;
  }
  return true;
}

std::array<int, 2> BodySet::plane_range() const {
  std::array<int, 2> range{cells_[2], 0};
  for (const Image& image : images_) {
    if (!holds_cells(image)) continue;
    const auto z = cells_of(image, 2);
    range = {std::min(range[0], z[0]), std::max(range[1], z[1])};
  }
  return range[0] < range[1] ? range : std::array<int, 2>{0, 0};
}

void BodySet::plane(int z, std::span<std::uint16_t> body) const {
  std::fill(body.begin(), body.end(), std::uint16_t{0});
  limit_.check();
  for (const std::int32_t n : near(z)) {
    add_to_plane(images_[n], z, body);
    limit_.check();
  }
}

void BodySet::add_to_plane(const Image& image, int z, std::span<std::uint16_t> body) const {
  const auto x = cells_of(image, 0), y = cells_of(image, 1), planes = cells_of(image, 2);
  if (z < planes[0] || z >= planes[1] || x[0] == x[1] || y[0] == y[1]) return;
  const Window w{Vec{x[0] + 0.5, y[0] + 0.5, z + 0.5} - image.shift, x[1] - x[0], y[1] - y[0]};
  std::vector<std::int8_t> sides(static_cast<std::size_t>(w.nx) * w.ny);
  bool owns = false;
  bodies_[image.body].shape->sides(w, sides);
  for (int j = 0; j < w.ny; ++j) {
    const std::int8_t* side = &sides[static_cast<std::size_t>(j) * w.nx];
    std::uint16_t* row = &body[static_cast<std::size_t>(y[0] + j) * cells_[0] + x[0]];
    for (int i = 0; i < w.nx; ++i)
      if (side[i] >= 0 && row[i] == 0) {
        row[i] = static_cast<std::uint16_t>(image.body + 1);
        owns = true;
      }
  }
  if (owns) seen_[image.body] = true;
}

double BodySet::first_entry_in_box(const Segment& s) const {
  const Box box = Box::of(s);
  double nearest = never;
  for (const std::int32_t n : near(box.low[2])) {
    const Image& image = images_[n];
    if (!image.bounds.touches(box)) continue;
    const auto share =
        bodies_[image.body].shape->first_entry({s.from - image.shift, s.to - image.shift});
    if (share) nearest = std::min(nearest, *share);
  }
  return nearest;
}

// A segment that crosses a non-periodic face is folded back there: beyond the face lies the mirror
// image of the box.
double BodySet::first_entry(const Segment& s) const {
  for (int a = 0; a < 3; ++a)
    for (const double face : {0.0, double(cells_[a])}) {
      const double from = s.from[a] - face, to = s.to[a] - face;
      if (periodic_[a] || !(from * to < 0)) continue;
      const double share = from / (from - to);
      Segment before{s.from, s.at(share)}, after{s.at(share), s.to};
      Vec& beyond = (face == 0.0) == (from < 0) ? before.from : after.to;
      beyond[a] = 2 * face - beyond[a];
      before.to[a] = after.from[a] = face;
      const double first = first_entry(before);
      if (first <= 1) return first * share;
      const double second = first_entry(after);
      return second <= 1 ? share + second * (1 - share) : never;
    }
  return first_entry_in_box(s);
}

bool BodySet::inside(const Vec& p) const {
  return std::any_of(images_.begin(), images_.end(), [&](const Image& image) {
    return bodies_[image.body].shape->inside(p - image.shift);
  });
}

double BodySet::wall_distance(int /*body*/, const std::array<double, 3>& fluid,
                              const std::array<double, 3>& solid) const {
  if (limit_.reached()) return 0.5;
  try {
    return share_of(fluid, solid);
  } catch (const TimeLimitReached&) {  // by a shape with the same limit; links are found in OpenMP
    return 0.5;
  }
}

double BodySet::slant(const std::array<double, 3>& fluid,
                      const std::array<double, 3>& solid) const {
  if (limit_.reached()) return 1;
  try {
    const Vec middle = Segment{fluid, solid}.at(share_of(fluid, solid)), along = solid - fluid;
    double square = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (along[axis] != 0) continue;
      square += std::pow(slope_at(middle, along, axis), 2);
    }
    return 1 / std::sqrt(square);
  } catch (const TimeLimitReached&) {
    return 1;
  }
}

// How far the surface through a point moves along `along` on a way along the axis.
double BodySet::slope_at(const Vec& point, const Vec& along, std::size_t axis) const {
  constexpr double aside = 1.0 / 64, length = 0.25;  // cells
  double slope = 0;
  for (const double side : {-1.0, 1.0}) {
    Vec beside = point;
    beside[axis] += side * aside;
    const Segment s{beside - length * along, beside + length * along};
    slope += side * std::min(first_entry(s), 1.0) * length / aside;
  }
  return slope;
}

double BodySet::share_of(const Vec& fluid, const Vec& solid) const {
  const Segment s{fluid, solid};
  const double share = first_entry(s);
  if (share <= 1) return std::max(share, least_distance);
  // Rounding hid the surface: find it by bisection with inside(), as plane() decides.
  if (inside(fluid) || !inside(solid)) {
    ++missed_;
    return 0.5;
  }
  double outside = 0, within = 1;
  for (int n = 0; n < 40; ++n) {
    const double middle = 0.5 * (outside + within);
    (inside(s.at(middle)) ? within : outside) = middle;
  }
  return std::max(within, least_distance);
}

}  // namespace lbm::geometry
