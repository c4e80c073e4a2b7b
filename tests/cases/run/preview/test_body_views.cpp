// SPDX-License-Identifier: Apache-2.0

// Views of bodies: the visible parts.
#include <gtest/gtest.h>

#include "cases/geometry/primitives/primitives.hpp"
#include "cases/run/preview/preview.hpp"

namespace lbm::cases {
namespace {

using geometry::Box;

constexpr std::array<int, 3> cells{40, 30, 20};
const Box whole{{0, 0, 0}, {40, 30, 20}};

BodyView view_of(const geometry::BodySet& set, const ViewAxes& axes, int width, int height) {
  return BodyViews(set, cells).view(axes, whole, width, height, 2);
}

geometry::BodySet bodies(const std::vector<geometry::ShapePtr>& shapes,
                         const std::array<bool, 3>& periodic = {}) {
  std::vector<geometry::Body> list;
  for (const auto& shape : shapes) list.push_back({"body", shape});
  return {cells, periodic, list};
}

// One pixel for a cell.
TEST(BodyViews, AreSeenFromUpstreamFromTheSideAndFromAbove) {
  const auto set = bodies({geometry::make_box({5, 8, 17}, {4, 6, 2})});
  const BodyView front = view_of(set, front_view, 30, 20);
  EXPECT_TRUE(front.at(30 - 8, 20 - 17).is_body());  // y falls to the right
  EXPECT_FALSE(front.at(8, 20 - 17).is_body());
  const BodyView side = view_of(set, side_view, 40, 20);
  EXPECT_TRUE(side.at(5, 20 - 17).is_body());
  EXPECT_FALSE(side.at(5, 17).is_body());
  const BodyView top = view_of(set, top_view, 40, 30);
  EXPECT_TRUE(top.at(5, 30 - 8).is_body());
  int seen = 0;
  for (const BodyPixel& pixel : top.pixels) seen += pixel.is_body() ? 1 : 0;
  EXPECT_EQ(seen, 4 * 6);
  EXPECT_NEAR(top.at(5, 30 - 8).thickness, 2, 0.01);
}

TEST(BodyViews, ShowTheNearestBody) {
  const auto set = bodies({geometry::make_box({20, 15, 10}, {10, 10, 6}),
                           geometry::make_box({20, 15, 17}, {10, 10, 1}),
                           geometry::make_box({8, 15, 10}, {3, 4, 4})});
  EXPECT_NEAR(view_of(set, top_view, 40, 30).at(20, 15).thickness, 1, 0.01);
  EXPECT_NEAR(view_of(set, front_view, 30, 20).at(15, 10).thickness, 3, 0.01);
}

TEST(BodyViews, ShowAPlateThatIsThinnerThanAPixel) {
  const auto set = bodies({geometry::make_box({20.3, 15, 10}, {0.05, 20, 10})});
  const BodyView side = view_of(set, side_view, 40, 20);
  EXPECT_TRUE(side.at(20, 10).is_body());
  EXPECT_NEAR(side.at(20, 10).thickness, 0.05, 0.01);
}

TEST(BodyViews, ShowTheImageOfABodyBehindAPeriodicFace) {
  const auto ball = geometry::make_sphere({39, 15, 10}, 4);
  EXPECT_FALSE(view_of(bodies({ball}), top_view, 40, 30).at(1, 15).is_body());
  const BodyView top = view_of(bodies({ball}, {true, false, false}), top_view, 40, 30);
  EXPECT_TRUE(top.at(1, 15).is_body());
  EXPECT_NEAR(top.at(1, 15).thickness, 8, 0.05);
}

}  // namespace
}  // namespace lbm::cases
