// SPDX-License-Identifier: Apache-2.0
#include "cases/geometry/shape.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "cases/geometry/mesh_shape.hpp"

namespace lbm::geometry {
namespace {

class MovedShape : public Shape {
 public:
  MovedShape(ShapePtr shape, const Affine& a)
      : shape_(std::move(shape)), there_(a), back_(inverse(a)) {}
  int side(const Vec& p) const override { return shape_->side(back_(p)); }
  // Affine maps preserve shares along a segment.
  void crossings(const Segment& s, std::vector<double>& shares) const override {
    shape_->crossings({back_(s.from), back_(s.to)}, shares);
  }
  Box bounds() const override { return lbm::geometry::moved(shape_->bounds(), there_); }
  const ShapePtr& shape() const { return shape_; }
  const Affine& there() const { return there_; }

 private:
  ShapePtr shape_;
  Affine there_, back_;
};

// A difference complements all parts but the first: the outside of a cut becomes inside, its
// surface stays surface.
enum class Join { any, all, all_but };

// Intersects or unites the sides of its parts.
class CombinedShape : public Shape {
 public:
  CombinedShape(Join join, std::vector<ShapePtr> parts) : join_(join), parts_(std::move(parts)) {
    bounds_ = parts_.front()->bounds();
    for (const ShapePtr& part : parts_) {
      count_ += part_count(part);
      const Box other = part->bounds();
      if (join_ == Join::any) bounds_.add(other);
      if (join_ != Join::all) continue;
      for (int a = 0; a < 3; ++a) {
        bounds_.low[a] = std::max(bounds_.low[a], other.low[a]);
        bounds_.high[a] = std::min(bounds_.high[a], other.high[a]);
      }
    }
  }

  int side(const Vec& p) const override {
    int result = parts_.front()->side(p);
    for (std::size_t k = 1; k < parts_.size(); ++k) result = joined(result, parts_[k]->side(p));
    return result;
  }

  void crossings(const Segment& s, std::vector<double>& shares) const override {
    for (const ShapePtr& part : parts_) part->crossings(s, shares);
  }

  Box bounds() const override { return bounds_; }

  void sides(const Window& w, std::span<std::int8_t> sides) const override {
    // In strips of rows where the sides of a part would take too much memory.
    constexpr int most_cells = 1 << 24;
    const int rows = std::max(1, most_cells / std::max(w.nx, 1));
    std::vector<std::int8_t> other;
    for (int j = 0; j < w.ny; j += rows) {
      const Window strip{w.first + Vec{0, static_cast<double>(j), 0}, w.nx,
                         std::min(rows, w.ny - j)};
      const auto result = sides.subspan(static_cast<std::size_t>(j) * w.nx,
                                        static_cast<std::size_t>(strip.ny) * w.nx);
      parts_.front()->sides(strip, result);
      other.resize(result.size());
      for (std::size_t k = 1; k < parts_.size(); ++k) {
        parts_[k]->sides(strip, other);
        for (std::size_t c = 0; c < other.size(); ++c)
          result[c] = static_cast<std::int8_t>(joined(result[c], other[c]));
      }
    }
  }

  // Moves each part, so that meshes keep their scan-line sides().
  ShapePtr moved(const Affine& a) const {
    std::vector<ShapePtr> parts;
    parts.reserve(parts_.size());
    for (const ShapePtr& part : parts_) parts.push_back(transformed(part, a));
    return std::make_shared<CombinedShape>(join_, std::move(parts));
  }

  std::size_t count() const { return count_; }

 private:
  int joined(int result, int part) const {
    if (join_ == Join::any) return std::max(result, part);
    return std::min(result, join_ == Join::all ? part : -part);
  }

  Join join_;
  std::vector<ShapePtr> parts_;
  Box bounds_;
  std::size_t count_ = 1;
};

// The whole of a difference may be a cut, too.
ShapePtr combined(Join join, const std::vector<ShapePtr>& all) {
  if (all.empty()) throw std::invalid_argument("a combination of no shapes");
  std::vector<ShapePtr> parts;
  std::set<ShapePtr> seen;
  for (const ShapePtr& part : all) {
    const bool is_whole = join == Join::all_but && parts.empty();
    if (is_whole || seen.insert(part).second) parts.push_back(part);
  }
  return parts.size() == 1 ? parts.front() : std::make_shared<CombinedShape>(join, parts);
}

}  // namespace

ShapePtr transformed(const ShapePtr& shape, const Affine& a) {
  if (const auto* mesh = dynamic_cast<const MeshShape*>(shape.get())) return mesh->moved(a);
  if (const auto* combined = dynamic_cast<const CombinedShape*>(shape.get()))
    return combined->moved(a);
  if (const auto* moved = dynamic_cast<const MovedShape*>(shape.get()))
    return std::make_shared<MovedShape>(moved->shape(), a * moved->there());
  return std::make_shared<MovedShape>(shape, a);
}

ShapePtr make_union(const std::vector<ShapePtr>& parts) { return combined(Join::any, parts); }

ShapePtr make_intersection(const std::vector<ShapePtr>& parts) {
  return combined(Join::all, parts);
}

ShapePtr make_difference(const ShapePtr& whole, const std::vector<ShapePtr>& cuts) {
  std::vector<ShapePtr> parts{whole};
  parts.insert(parts.end(), cuts.begin(), cuts.end());
  return combined(Join::all_but, parts);
}

std::size_t part_count(const ShapePtr& shape) {
  const auto* combined = dynamic_cast<const CombinedShape*>(shape.get());
  return combined ? combined->count() : 1;
}

}  // namespace lbm::geometry
