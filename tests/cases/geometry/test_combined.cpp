// SPDX-License-Identifier: Apache-2.0

// Combinations of combinations, with parts that occur more than once.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

#include "cases/geometry/primitives/primitives.hpp"
#include "cases/geometry/shape.hpp"
#include "tests/cases/geometry/geometry_support.hpp"

namespace lbm::geometry {
namespace {

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
