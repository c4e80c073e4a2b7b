#include "cases/geometry/combined.hpp"

#include <algorithm>
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
  Box bounds() const override {
    const Box box = shape_->bounds();
    for (int a = 0; a < 3; ++a)
      if (!std::isfinite(box.low[a]) || !std::isfinite(box.high[a])) return Box::everywhere();
    Box moved;
    for (int corner = 0; corner < 8; ++corner)
      moved.add(there_({(corner & 1) != 0 ? box.high[0] : box.low[0],
                        (corner & 2) != 0 ? box.high[1] : box.low[1],
                        (corner & 4) != 0 ? box.high[2] : box.low[2]}));
    return moved;
  }
  const ShapePtr& shape() const { return shape_; }
  const Affine& there() const { return there_; }

 private:
  ShapePtr shape_;
  Affine there_, back_;
};

enum class Join { any, all };

// Intersects the sides of its parts. A difference complements all parts but the first: the outside
// of a cut becomes inside, its surface stays surface.
class CombinedShape : public Shape {
 public:
  CombinedShape(Join join, bool cut, std::vector<ShapePtr> parts)
      : join_(join), cut_(cut), parts_(std::move(parts)) {
    if (parts_.empty()) throw std::invalid_argument("a combination of no shapes");
  }

  int side(const Vec& p) const override {
    int result = parts_[0]->side(p);
    for (std::size_t k = 1; k < parts_.size(); ++k) result = joined(result, parts_[k]->side(p));
    return result;
  }

  void crossings(const Segment& s, std::vector<double>& shares) const override {
    for (const ShapePtr& part : parts_) part->crossings(s, shares);
  }

  Box bounds() const override {
    Box box = parts_[0]->bounds();
    for (std::size_t k = 1; k < parts_.size() && !cut_; ++k) {
      const Box other = parts_[k]->bounds();
      if (join_ == Join::any) {
        box.add(other);
        continue;
      }
      for (int a = 0; a < 3; ++a) {
        box.low[a] = std::max(box.low[a], other.low[a]);
        box.high[a] = std::min(box.high[a], other.high[a]);
      }
    }
    return box;
  }

  void sides(const Window& w, std::span<std::int8_t> sides) const override {
    parts_[0]->sides(w, sides);
    std::vector<std::int8_t> other(sides.size());
    for (std::size_t k = 1; k < parts_.size(); ++k) {
      parts_[k]->sides(w, other);
      for (std::size_t c = 0; c < other.size(); ++c)
        sides[c] = static_cast<std::int8_t>(joined(sides[c], other[c]));
    }
  }

  // Moves each part, so that meshes keep their scan-line sides().
  ShapePtr moved(const Affine& a) const {
    std::vector<ShapePtr> parts;
    for (const ShapePtr& part : parts_) parts.push_back(transformed(part, a));
    return std::make_shared<CombinedShape>(join_, cut_, std::move(parts));
  }

 private:
  int joined(int result, int part) const {
    if (cut_) part = -part;
    return join_ == Join::any ? std::max(result, part) : std::min(result, part);
  }

  Join join_;
  bool cut_;
  std::vector<ShapePtr> parts_;
};

}  // namespace

ShapePtr transformed(const ShapePtr& shape, const Affine& a) {
  if (const auto* mesh = dynamic_cast<const MeshShape*>(shape.get())) return mesh->moved(a);
  if (const auto* combined = dynamic_cast<const CombinedShape*>(shape.get()))
    return combined->moved(a);
  if (const auto* moved = dynamic_cast<const MovedShape*>(shape.get()))
    return std::make_shared<MovedShape>(moved->shape(), a * moved->there());
  return std::make_shared<MovedShape>(shape, a);
}

ShapePtr make_union(std::vector<ShapePtr> parts) {
  return std::make_shared<CombinedShape>(Join::any, false, std::move(parts));
}

ShapePtr make_intersection(std::vector<ShapePtr> parts) {
  return std::make_shared<CombinedShape>(Join::all, false, std::move(parts));
}

ShapePtr make_difference(ShapePtr whole, std::vector<ShapePtr> cuts) {
  cuts.insert(cuts.begin(), std::move(whole));
  return std::make_shared<CombinedShape>(Join::all, true, std::move(cuts));
}

}  // namespace lbm::geometry
