// SPDX-License-Identifier: Apache-2.0

// Curves of the flow on the terminal.
#include "cases/cli/terminal/flow_chart.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

namespace lbm::cases {
namespace {

TEST(Sparkline, HasAHeightForEachValue) {
  const std::vector<double> values{0, 1, 2, 3, 4, 5, 6, 7};
  EXPECT_EQ(sparkline(values, 8, true), "▁▂▃▄▅▆▇█");
  EXPECT_EQ(sparkline(values, 8, false), "_.-=o*%#");
  EXPECT_EQ(sparkline(values, 100, false), "_.-=o*%#") << "no wider than there are values";
}

TEST(Sparkline, HasMeansOfEqualParts) {
  EXPECT_EQ(sparkline(std::vector<double>{0, 2, 10, 12, 6, 6}, 3, false), "_#=");
  EXPECT_EQ(sparkline(std::vector<double>{3, 3, 3}, 3, false), "===") << "a constant";
  EXPECT_EQ(sparkline(std::vector<double>{}, 3, false), "");
}

TEST(Sparkline, LeavesABlankWhereNoValueIsFinite) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(sparkline(std::vector<double>{1, nan, 2, inf}, 4, false), "_ # ");
}

TEST(FlowChart, ShowsTheNumbersOfTheLastMoment) {
  FlowChart chart(false);
  for (int i = 0; i < 8; ++i) {
    chart.add({{"speed, U", 1.0 * i}, {"ball C_x", -1.0 * i, false}, {"ball C_z", 2.0, true}});
  }
  const auto lines = chart.lines(100);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0], "speed, U        _.-=o*%# 0 to 7");
  EXPECT_EQ(lines[1], "ball C_z        ======== 2 to 2");
  chart.add({{"ball C_x", -8.0, true}});
  EXPECT_EQ(chart.lines(100).at(0).substr(0, 8), "ball C_x") << "its earlier values were kept";
}

TEST(FlowChart, CountsEqualMomentsOnce) {
  FlowChart chart(false);
  for (int i = 0; i < 9; ++i) chart.add({{"speed, U", i < 8 ? 1.0 : 2.0}});
  EXPECT_TRUE(chart.lines(100).empty()) << "two moments are no curve";
}

// A run of days: the curve keeps its shape, and lines fit the terminal.
TEST(FlowChart, StaysSmall) {
  FlowChart chart(true);
  for (int i = 0; i < 100'000; ++i) chart.add({{"a name that is longer than its column", 1.0 * i}});
  for (std::size_t width = 0; width < 200; ++width) {
    for (const std::string& line : chart.lines(width)) {
      std::size_t letters = 0;
      for (const char c : line) letters += (static_cast<unsigned char>(c) & 0xc0) != 0x80 ? 1 : 0;
      EXPECT_LE(letters, width);
    }
  }
  const std::string line = chart.lines(120).at(0);
  EXPECT_NE(line.find("▁▁▁▁▁▁▁▁▂"), std::string::npos) << line;
}

TEST(Terminal, KnowsUnicodeFromTheEnvironment) {
  setenv("LC_ALL", "C.UTF-8", 1);
  EXPECT_TRUE(terminal_has_unicode());
  setenv("LC_ALL", "C", 1);
  EXPECT_FALSE(terminal_has_unicode());
  unsetenv("LC_ALL");
  unsetenv("LC_CTYPE");
  setenv("LANG", "de_DE.utf8", 1);
  EXPECT_TRUE(terminal_has_unicode());
  unsetenv("LANG");
  EXPECT_FALSE(terminal_has_unicode());
}

}  // namespace
}  // namespace lbm::cases
