// SPDX-License-Identifier: Apache-2.0
#include "cases/geometry/shape.hpp"

#include <algorithm>

namespace lbm::geometry {
namespace {

// Cells this close to a crossing (in cells) are decided by side() one by one, independent of the
// rounding of the crossing.
constexpr double near_crossing = 1e-6;

// Sorted shares of all crossings between 0 and 1, which are included. Uses scratch memory of the
// thread.
class Shares {
 public:
  Shares(const Shape& shape, const Segment& s) : own_(scratch().begin_use()) {
    own_.push_back(0);
    shape.crossings(s, own_);
    own_.push_back(1);
    std::sort(own_.begin() + 1, own_.end() - 1);
  }
  Shares(const Shares&) = delete;
  Shares& operator=(const Shares&) = delete;
  ~Shares() { scratch().end_use(); }
  const std::vector<double>& values() const { return own_; }

 private:
  // A shape may query its parts while it iterates over its own crossings: one vector for each
  // depth.
  struct Scratch {
    std::vector<std::unique_ptr<std::vector<double>>> vectors;
    std::size_t used = 0;
    std::vector<double>& begin_use() {
      if (used == vectors.size()) vectors.push_back(std::make_unique<std::vector<double>>());
      vectors[used]->clear();
      return *vectors[used++];
    }
    void end_use() { --used; }
  };
  static Scratch& scratch() {
    thread_local Scratch scratch;
    return scratch;
  }
  std::vector<double>& own_;
};

void row_sides(const Shape& shape, const Vec& first, std::span<std::int8_t> row) {
  const int n = static_cast<int>(row.size());
  const auto ask = [&](int i) {
    row[i] = static_cast<std::int8_t>(shape.side(first + Vec{static_cast<double>(i), 0, 0}));
  };
  // Starts half a cell before the first centre, so that no row is a point.
  const Segment line{first - Vec{0.5, 0, 0}, first + Vec{n - 0.5, 0, 0}};
  const Shares shares(shape, line);
  int i = 0;
  for (std::size_t k = 0; k + 1 < shares.values().size(); ++k) {
    const double begin = shares.values()[k] * n - 0.5, end = shares.values()[k + 1] * n - 0.5;
    for (; i < n && i < begin + near_crossing; ++i) ask(i);
    if (i >= n || i >= end - near_crossing) continue;
    ask(i);
    const std::int8_t same = row[i];
    for (++i; i < n && i < end - near_crossing; ++i) row[i] = same;
  }
  for (; i < n; ++i) ask(i);
}

}  // namespace

void Shape::sides(const Window& w, std::span<std::int8_t> sides) const {
  const Box box = bounds();
  const auto reaches = [&](int axis, double x) {
    return box.low[axis] - near_crossing <= x && x <= box.high[axis] + near_crossing;
  };
  for (int j = 0; j < w.ny; ++j) {
    const auto row = sides.subspan(static_cast<std::size_t>(j) * w.nx, w.nx);
    const Vec first = w.first + Vec{0, static_cast<double>(j), 0};
    if (reaches(1, first[1]) && reaches(2, first[2]))
      row_sides(*this, first, row);
    else
      std::fill(row.begin(), row.end(), static_cast<std::int8_t>(-1));
  }
}

std::optional<double> Shape::first_entry(const Segment& s) const {
  const Shares shares(*this, s);
  const auto& t = shares.values();
  for (std::size_t k = 0; k + 1 < t.size(); ++k)
    if (t[k] < t[k + 1] && inside(s.at(0.5 * (t[k] + t[k + 1])))) return t[k];
  // The cell's centre lies exactly on the surface.
  if (inside(s.to)) return 1;
  return std::nullopt;
}

}  // namespace lbm::geometry
