// SPDX-License-Identifier: Apache-2.0
#include "cases/geometry/combined.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <tuple>
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

enum class Join { any, all };

// Intersects (all) or unites (any) the sides of its parts. A difference complements all parts but
// the first: the outside of a cut becomes inside, its surface stays surface.
struct Combination {
  Join join = Join::any;
  bool cut = false;
  std::vector<int> parts;  // nodes

  bool operator<(const Combination& other) const {
    return std::tie(join, cut, parts) < std::tie(other.join, other.cut, other.parts);
  }
  int joined(int result, int part) const {
    if (cut) part = -part;
    return join == Join::any ? std::max(result, part) : std::min(result, part);
  }
};

// A combination and its parts, down to shapes that are none: each once, after its own parts.
struct Node {
  ShapePtr shape;  // null for a combination
  Combination combination;
};
using Nodes = std::vector<Node>;

class CombinedShape : public Shape {
 public:
  explicit CombinedShape(Nodes nodes) : nodes_(std::move(nodes)), uses_(nodes_.size()) {
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      for (const int part : nodes_[n].combination.parts) {
        ++uses_[part].count;
        uses_[part].last = static_cast<int>(n);
      }
    }
    find_bounds();
    count_kept();
  }

  int side(const Vec& p) const override {
    // Most combinations are small.
    std::array<std::int8_t, 64> few;
    std::vector<std::int8_t> many(nodes_.size() > few.size() ? nodes_.size() : 0);
    std::int8_t* const sides = many.empty() ? few.data() : many.data();
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      const auto& [shape, combination] = nodes_[n];
      int result = shape ? shape->side(p) : sides[combination.parts[0]];
      for (std::size_t k = 1; k < combination.parts.size(); ++k)
        result = combination.joined(result, sides[combination.parts[k]]);
      sides[n] = static_cast<std::int8_t>(result);
    }
    return sides[nodes_.size() - 1];
  }

  void crossings(const Segment& s, std::vector<double>& shares) const override {
    for (const Node& node : nodes_)
      if (node.shape) node.shape->crossings(s, shares);
  }

  Box bounds() const override { return bounds_; }

  void sides(const Window& w, std::span<std::int8_t> sides) const override {
    // In strips of rows where the sides of parts would take too much memory.
    constexpr std::size_t most_bytes = std::size_t{1} << 28;
    const std::size_t row = static_cast<std::size_t>(w.nx) * kept_;
    const int rows = static_cast<int>(
        std::clamp<std::size_t>(most_bytes / std::max<std::size_t>(row, 1), 1, std::max(w.ny, 1)));
    for (int j = 0; j < w.ny; j += rows) {
      const Window strip{w.first + Vec{0, static_cast<double>(j), 0}, w.nx,
                         std::min(rows, w.ny - j)};
      strip_sides(strip, sides.subspan(static_cast<std::size_t>(j) * w.nx,
                                       static_cast<std::size_t>(strip.ny) * w.nx));
    }
  }

  // Moves each part, so that meshes keep their scan-line sides().
  ShapePtr moved(const Affine& a, ShapeMover& mover) const {
    Nodes nodes = nodes_;
    for (Node& node : nodes)
      if (node.shape) node.shape = mover.moved(node.shape, a);
    return std::make_shared<CombinedShape>(std::move(nodes));
  }

  const Nodes& nodes() const { return nodes_; }

 private:
  struct Uses {
    int count = 0;
    int last = -1;  // the last node that has this one as a part
  };
  using Sides = std::vector<std::int8_t>;

  // The sides of a shape with a single use are not kept, but asked when they are joined.
  bool is_kept(int n) const { return !nodes_[n].shape || uses_[n].count > 1; }

  void strip_sides(const Window& w, std::span<std::int8_t> sides) const {
    std::vector<Sides> kept(nodes_.size());
    Sides other(sides.size());
    const auto sides_of = [&](int n) -> const Sides& {
      Sides& own = is_kept(n) ? kept[n] : other;
      if (nodes_[n].shape && (own.empty() || !is_kept(n))) {
        own.resize(sides.size());
        nodes_[n].shape->sides(w, own);
      }
      return own;
    };
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      const Combination& combination = nodes_[n].combination;
      if (nodes_[n].shape) continue;
      Sides result = sides_of(combination.parts[0]);
      for (std::size_t k = 1; k < combination.parts.size(); ++k) {
        const Sides& part = sides_of(combination.parts[k]);
        for (std::size_t c = 0; c < part.size(); ++c)
          result[c] = static_cast<std::int8_t>(combination.joined(result[c], part[c]));
      }
      for (const int part : combination.parts)
        if (uses_[part].last == static_cast<int>(n)) Sides().swap(kept[part]);
      kept[n] = std::move(result);
    }
    std::copy(kept.back().begin(), kept.back().end(), sides.begin());
  }

  void find_bounds() {
    std::vector<Box> boxes;
    for (const auto& [shape, combination] : nodes_) {
      Box box = shape ? shape->bounds() : boxes[combination.parts[0]];
      for (std::size_t k = 1; k < combination.parts.size() && !combination.cut; ++k) {
        const Box& other = boxes[combination.parts[k]];
        if (combination.join == Join::any) {
          box.add(other);
          continue;
        }
        for (int a = 0; a < 3; ++a) {
          box.low[a] = std::max(box.low[a], other.low[a]);
          box.high[a] = std::min(box.high[a], other.high[a]);
        }
      }
      boxes.push_back(box);
    }
    bounds_ = boxes.back();
  }

  // The largest number of parts whose sides strip_sides() has at a time.
  void count_kept() {
    std::vector<bool> now(nodes_.size(), false);
    std::size_t count = 2;  // `other`, and `result`
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      const auto set = [&](int node, bool is) {
        if (now[node] != is) is ? ++count : --count;
        now[node] = is;
      };
      for (const int part : nodes_[n].combination.parts) set(part, is_kept(part));
      kept_ = std::max(kept_, count);
      for (const int part : nodes_[n].combination.parts) {
        if (uses_[part].last == static_cast<int>(n)) set(part, false);
      }
      set(static_cast<int>(n), !nodes_[n].shape);
    }
  }

  Nodes nodes_;
  std::vector<Uses> uses_;
  Box bounds_;
  std::size_t kept_ = 0;
};

// Puts shapes together; equal ones become one node.
class Joiner {
 public:
  int add(const ShapePtr& shape) {
    const auto known = known_.find(shape.get());
    if (known != known_.end()) return known->second;
    const auto* combined = dynamic_cast<const CombinedShape*>(shape.get());
    return known_[shape.get()] = combined ? add_all(combined->nodes()) : push({shape, {}});
  }

  // Repeated parts change nothing.
  int add(Join join, bool cut, const std::vector<int>& parts) {
    Combination combination{join, cut, {}};
    std::vector<bool> seen(nodes.size(), false);
    for (std::size_t k = 0; k < parts.size(); ++k) {
      if (seen[parts[k]]) continue;
      combination.parts.push_back(parts[k]);
      seen[parts[k]] = !(cut && k == 0);  // the whole may be a cut, too
    }
    const auto known = combinations_.find(combination);
    if (known != combinations_.end()) return known->second;
    const int node = push({nullptr, combination});
    return combinations_[std::move(combination)] = node;
  }

  Nodes nodes;

 private:
  int push(Node node) {
    nodes.push_back(std::move(node));
    return static_cast<int>(nodes.size()) - 1;
  }

  int add_all(const Nodes& others) {
    std::vector<int> here;
    here.reserve(others.size());
    for (const auto& [shape, combination] : others) {
      std::vector<int> parts;
      parts.reserve(combination.parts.size());
      for (const int part : combination.parts) parts.push_back(here[part]);
      here.push_back(shape ? add(shape) : add(combination.join, combination.cut, parts));
    }
    return here.back();
  }

  std::map<const Shape*, int> known_;
  std::map<Combination, int> combinations_;
};

ShapePtr combined(Join join, bool cut, const std::vector<ShapePtr>& parts) {
  if (parts.empty()) throw std::invalid_argument("a combination of no shapes");
  Joiner joiner;
  std::vector<int> nodes;
  nodes.reserve(parts.size());
  for (const ShapePtr& part : parts) nodes.push_back(joiner.add(part));
  joiner.add(join, cut, nodes);
  return std::make_shared<CombinedShape>(std::move(joiner.nodes));
}

}  // namespace

ShapePtr ShapeMover::moved(const ShapePtr& shape, const Affine& a) {
  const auto known = made_.find({shape, a});
  if (known != made_.end()) return known->second;
  ShapePtr made = anew(shape, a);
  made_.emplace(std::pair{shape, a}, made);
  return made;
}

ShapePtr ShapeMover::anew(const ShapePtr& shape, const Affine& a) {
  if (const auto* mesh = dynamic_cast<const MeshShape*>(shape.get())) return mesh->moved(a);
  if (const auto* combined = dynamic_cast<const CombinedShape*>(shape.get()))
    return combined->moved(a, *this);
  if (const auto* moved = dynamic_cast<const MovedShape*>(shape.get()))
    return std::make_shared<MovedShape>(moved->shape(), a * moved->there());
  return std::make_shared<MovedShape>(shape, a);
}

ShapePtr transformed(const ShapePtr& shape, const Affine& a) {
  return ShapeMover().moved(shape, a);
}

ShapePtr make_union(const std::vector<ShapePtr>& parts) {
  return combined(Join::any, false, parts);
}

ShapePtr make_intersection(const std::vector<ShapePtr>& parts) {
  return combined(Join::all, false, parts);
}

ShapePtr make_difference(const ShapePtr& whole, const std::vector<ShapePtr>& cuts) {
  std::vector<ShapePtr> parts{whole};
  parts.insert(parts.end(), cuts.begin(), cuts.end());
  return combined(Join::all, true, parts);
}

std::size_t part_count(const ShapePtr& shape) {
  const auto* combined = dynamic_cast<const CombinedShape*>(shape.get());
  return combined ? combined->nodes().size() : 1;
}

}  // namespace lbm::geometry
