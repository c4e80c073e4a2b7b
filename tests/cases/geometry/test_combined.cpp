// SPDX-License-Identifier: Apache-2.0

// Combinations that share parts: every part is asked once, and the answers are those of each
// combination by itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

#include "cases/geometry/combined.hpp"
#include "cases/geometry/primitives/primitives.hpp"
#include "tests/cases/geometry/geometry_support.hpp"

namespace lbm::geometry {
namespace {

struct Calls {
  int side = 0, crossings = 0, sides = 0;
};

// A sphere that counts its queries.
class Counted : public Shape {
 public:
  explicit Counted(Calls& calls) : calls_(calls) {}
  int side(const Vec& p) const override {
    ++calls_.side;
    return sphere_->side(p);
  }
  void crossings(const Segment& s, std::vector<double>& shares) const override {
    ++calls_.crossings;
    sphere_->crossings(s, shares);
  }
  Box bounds() const override { return sphere_->bounds(); }
  void sides(const Window& w, std::span<std::int8_t> sides) const override {
    ++calls_.sides;
    sphere_->sides(w, sides);
  }

 private:
  ShapePtr sphere_ = make_sphere({4, 4, 4}, 2);
  Calls& calls_;
};

void expect_one_query_each(const ShapePtr& shape, Calls& calls) {
  calls = {};
  EXPECT_EQ(shape->side({4, 4, 4}), 1);
  EXPECT_EQ(calls.side, 1);
  std::vector<double> shares;
  shape->crossings({{0, 4, 4}, {8, 4, 4}}, shares);
  EXPECT_EQ(calls.crossings, 1);
  std::vector<std::int8_t> sides(64);
  calls = {};
  shape->sides({{0.5, 0.5, 3.5}, 8, 8}, sides);
  EXPECT_EQ(calls.sides + calls.side, 1);
}

// 2^16 spheres if every combination asked both of its parts.
TEST(GeometryCombined, AsksAPartOfManyCombinationsOnce) {
  Calls calls;
  ShapePtr shape = std::make_shared<Counted>(calls);
  for (int level = 0; level < 16; ++level) {
    shape = make_union({make_union({shape, make_box({4, 4, 4}, {1, 1, 1})}),
                        make_intersection({shape, make_sphere({4, 4, 4}, 9 + level)})});
  }
  expect_one_query_each(shape, calls);
}

// As a case in metres moves its bodies: out of cells and back, on every level.
TEST(GeometryCombined, APartThatIsMovedTheSameWayIsStillShared) {
  Calls calls;
  const ShapePtr sphere = std::make_shared<Counted>(calls);
  ShapeMover mover;
  const auto there = scaling({0.5, 0.5, 0.5}), back = scaling({2, 2, 2});
  ShapePtr shape = sphere;
  for (int level = 0; level < 12; ++level) {
    const ShapePtr a = mover.moved(make_union({mover.moved(shape, there)}), back);
    const ShapePtr b = mover.moved(make_intersection({mover.moved(shape, there)}), back);
    shape = mover.moved(make_union({mover.moved(a, there), mover.moved(b, there)}), back);
  }
  calls = {};
  EXPECT_EQ(shape->side({4, 4, 4}), 1);
  EXPECT_EQ(calls.side, 1);
  EXPECT_LT(part_count(shape), 40u);
}

TEST(GeometryCombined, AWholeThatIsAlsoACutLeavesItsSurface) {
  const ShapePtr box = make_box({4, 4, 4}, {2, 2, 2});
  const ShapePtr skin = make_difference(box, {box, box});
  EXPECT_EQ(skin->side({4, 4, 4}), -1);
  EXPECT_EQ(skin->side({3, 4, 4}), 0);
  EXPECT_EQ(skin->side({1, 4, 4}), -1);
}

// Random combinations, with parts that occur in many of them, against the definition.
TEST(GeometryCombined, AnswersAsTheDefinitionDoes) {
  using Side = std::function<int(const Vec&)>;
  struct Known {
    ShapePtr shape;
    Side side;
  };
  std::mt19937 random(11);
  std::vector<Known> known;
  for (const auto& [name, shape] : testing::some_shapes())
    known.push_back({shape, [shape = shape](const Vec& p) { return shape->side(p); }});
  for (int n = 0; n < 40; ++n) {
    // Mostly of the latest ones, so that levels pile up.
    std::vector<Known> parts;
    for (int k = 0; k < 3; ++k)
      parts.push_back(known[known.size() - 1 - random() % std::min<std::size_t>(known.size(), 9)]);
    const Known &a = parts[0], &b = parts[1], &c = parts[2];
    const auto turned = [](int sign, const Known& k, const Vec& p) { return sign * k.side(p); };
    if (n % 3 == 0) {
      known.push_back({make_union({a.shape, b.shape, c.shape}), [=](const Vec& p) {
                         return std::max({a.side(p), b.side(p), c.side(p)});
                       }});
    } else if (n % 3 == 1) {
      known.push_back({make_intersection({a.shape, b.shape}),
                       [=](const Vec& p) { return std::min(a.side(p), b.side(p)); }});
    } else {
      known.push_back({make_difference(a.shape, {b.shape, c.shape}), [=](const Vec& p) {
                         return std::min({a.side(p), turned(-1, b, p), turned(-1, c, p)});
                       }});
    }
    if (n % 10 != 0) continue;
    std::vector<std::int8_t> sides(24 * 24);
    known.back().shape->sides({{0.5, 0.5, 11.5}, 24, 24}, sides);
    for (int j = 0; j < 24; ++j) {
      for (int i = 0; i < 24; ++i) {
        const Vec p{i + 0.5, j + 0.5, 11.5};
        ASSERT_EQ(known.back().shape->side(p), known.back().side(p)) << n;
        ASSERT_EQ(sides[j * 24 + i] >= 0, known.back().side(p) >= 0) << n;
      }
    }
  }
}

}  // namespace
}  // namespace lbm::geometry
