// SPDX-License-Identifier: Apache-2.0

// Limits of colours: round, wide enough, and steady from picture to picture.
#include "cases/run/pictures/colour_range.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace lbm::cases {
namespace {

// Numbers at equal distances.
std::vector<float> between(double low, double high) {
  std::vector<float> values(1001);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(low + (high - low) * static_cast<double>(i) / 1000);
  }
  return values;
}

void expect_limits(const ColourLimits& limits, double low, double high) {
  EXPECT_NEAR(limits.low, low, 1e-9);
  EXPECT_NEAR(limits.high, high, 1e-9);
}

TEST(ColourRange, IsRoundAndFitsTheKindOfNumber) {
  expect_limits(ColourRange(NumberKind::not_negative, {}).next(between(0.2, 0.93)), 0, 1);
  expect_limits(ColourRange(NumberKind::both_signs, {}).next(between(-0.31, 0.17)), -0.4, 0.4);
  expect_limits(ColourRange(NumberKind::any, {}).next(between(101300, 101391)), 101300, 101400);
}

TEST(ColourRange, LeavesOutAFewLargeNumbers) {
  auto values = between(0, 0.93);
  values[5] = 1000;
  values[6] = std::numeric_limits<float>::infinity();
  values[7] = std::numeric_limits<float>::quiet_NaN();
  expect_limits(ColourRange(NumberKind::not_negative, {}).next(values), 0, 1);
}

TEST(ColourRange, StaysAsLongAsTheNumbersFit) {
  ColourRange range(NumberKind::not_negative, {});
  const ColourLimits first = range.next(between(0, 0.93));
  for (const double high : {1.02, 0.45, 0.99, 0.41}) EXPECT_EQ(range.next(between(0, high)), first);
  expect_limits(range.next(between(0, 1.2)), 0, 1.2);
  expect_limits(range.next(between(0, 0.3)), 0, 0.3);
  ASSERT_TRUE(range.latest());
  ColourRange again(NumberKind::not_negative, {});
  again.set_latest(range.latest());
  EXPECT_EQ(again.next(between(0, 0.28)), range.next(between(0, 0.28)));
}

TEST(ColourRange, GivenLimitsNeverChange) {
  ColourRange range(NumberKind::not_negative, ColourLimits{-1, 3});
  EXPECT_EQ(range.next(between(0, 50)), (ColourLimits{-1, 3}));
}

// One value, none, and values that differ by rounding only: limits with a distance.
TEST(ColourRange, HasADistanceAlways) {
  for (const auto kind : {NumberKind::not_negative, NumberKind::both_signs, NumberKind::any}) {
    for (const auto& values : {std::vector<float>{},
                               {0, 0, 0},
                               {1, 1, 1},
                               {1, 1.0000001F},
                               {std::numeric_limits<float>::quiet_NaN()},
                               {-5, -5}}) {
      const ColourLimits limits = ColourRange(kind, {}).next(values);
      EXPECT_GT(limits.high, limits.low);
      EXPECT_TRUE(std::isfinite(limits.high - limits.low));
      EXPECT_GE(marks_between(limits, 5).numbers.size(), 1U);
    }
  }
}

TEST(Marks, AreRoundAndNotTooMany) {
  const Marks marks = marks_between({-0.4, 0.4}, 6);
  EXPECT_NEAR(marks.step, 0.2, 1e-12);
  ASSERT_EQ(marks.numbers.size(), 5U);
  EXPECT_NEAR(marks.numbers.front(), -0.4, 1e-12);
  for (const double high : {0.3, 1.0, 1.7, 12.0, 9999.0}) {
    for (int most = 2; most < 10; ++most) {
      EXPECT_LE(marks_between({0, high}, most).numbers.size(), static_cast<std::size_t>(most));
      EXPECT_GE(marks_between({0, high}, most).numbers.size(), 1U);
    }
  }
}

TEST(Marks, EndAlsoWhereNumbersHaveNoDistance) {
  for (const auto& [low, high] : {std::pair{1.0, 1.0000000000000002},
                                  {1e300, 1.0000000001e300},
                                  {-1e308, 1e308},
                                  {0.0, 5e-324},
                                  {-1e-320, 1e-320}}) {
    EXPECT_LE(marks_between({low, high}, 5).numbers.size(), 5U);
  }
}

}  // namespace
}  // namespace lbm::cases
