// SPDX-License-Identifier: Apache-2.0

// Formulas: values, messages, threads.
#include "cases/formula/formula.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <thread>

namespace lbm::formula {
namespace {

const Names names{{"x", "y"}, {{"pi", 3.141592653589793}, {"U", 2}}, {{"t", "no time here"}}};

double value(const std::string& text, double x = 1.5, double y = 2) {
  const Formula formula(text, names);
  const double values[]{x, y};
  return Formula::Evaluator(formula)(values);
}

std::string error(const std::string& text) {
  try {
    (void)Formula(text, names);
  } catch (const FormulaError& problem) {
    return problem.what();
  }
  ADD_FAILURE() << "no FormulaError: " << text;
  return "";
}

TEST(Formula, FollowsTheRulesOfArithmetic) {
  EXPECT_EQ(value("1 + 2*3"), 7);
  EXPECT_EQ(value("-2^2"), -4);
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("8/4/2"), 1);
  EXPECT_EQ(value("x < y ? U : 0"), 2);
  EXPECT_EQ(value("x > 1 ? y > 9 ? 1 : 2 : 3"), 2);
  EXPECT_EQ(value("(x == 1.5) + (y != 2) + (x >= 1.5 && y <= 2) + (x > 9 || y > 9)"), 2);
  EXPECT_EQ(value(" x\n*\t1e1 "), 15);
  EXPECT_EQ(value(".5"), 0.5);
}

TEST(Formula, KnowsItsFunctions) {
  EXPECT_EQ(value("sin(pi*x/U)"), std::sin(3.141592653589793 * 1.5 / 2));
  EXPECT_EQ(value("log(x)"), std::log(1.5));  // the natural one
  EXPECT_EQ(value("log10(100)"), 2);
  EXPECT_EQ(value("mod(-1, 3)"), 2);
  EXPECT_EQ(value("min(3, x, 2) + max(x, 7)"), 8.5);
  EXPECT_EQ(value("atan2(1, -1)"), std::atan2(1, -1));
  EXPECT_EQ(value("hypot(3, 4) + sign(-x) + floor(x) + ceil(x) + abs(-x)"), 8.5);
  EXPECT_EQ(value("erf(x) + exp(x) + sqrt(y)"), std::erf(1.5) + std::exp(1.5) + std::sqrt(2.0));
  for (const std::string& name : function_names())
    EXPECT_NE(error(name).find(name), std::string::npos);
}

TEST(Formula, MayBeInfiniteButNotSubnormal) {
  EXPECT_TRUE(std::isinf(value("1/(x - 1.5)")));
  EXPECT_TRUE(std::isnan(value("sqrt(-x)")));
  EXPECT_EQ(value("x*1e-310"), 0);
}

TEST(Formula, KnowsWhatItUses) {
  const Formula one("U*x", names), none("pi", names);
  EXPECT_TRUE(one.uses(0));
  EXPECT_FALSE(one.uses(1));
  EXPECT_FALSE(none.uses(0));
}

TEST(Formula, SaysWhereAndWhyItIsNone) {
  const auto says = [](const std::string& text, const std::string& part) {
    const std::string line = error(text);
    EXPECT_NE(line.find(part), std::string::npos) << line;
    EXPECT_EQ(line.find('\n'), std::string::npos) << line;
    EXPECT_LT(line.size(), 320U) << line;
  };
  says("U*foo",
       "position 3 of \"U*foo\": found \"foo\", which is no number, operator or name: "
       "known here are x, y, pi, U");
  says("foo(x)", "functions with (): abs, acos");
  says("x + t", "position 5 of \"x + t\": found \"t\": no time here");
  says("sin x", "found \"sin\", which is no number, operator or name");
  says("2 x", "position 3 of \"2 x\": found \"x\", must be an operator before it");
  says("sin(x", "position 6 of \"sin(x\": missing: a closing parenthesis");
  says("x)", "position 2 of \"x)\": found a parenthesis that fits none");
  says("x +", "found the end");
  says("x**2", "position 3 of \"x**2\": found **, must be ^");
  says("x = 3", "position 3 of \"x = 3\": found = alone, must be ==");
  says("1,5", "position 2 of \"1,5\": found a comma outside of a function");
  says("max(1,2),3", "found a comma outside of a function");
  says("sin(1,2)", "too many values");
  says("atan2(1)", "too few values");
  says("x < 1 ? 2", "missing: a colon");
  says("rint(x)", "\"rint\", which is no");  // muParser's own
  says("_pi", "\"_pi\", which is no");
  says("1e999", "which is no number");
  says("x & y", "which is no number, operator or name");
  says("\"x\"", "position 1 of \"'x'\": found a character that no formula has");
  says("\x1b[31m", "position 1 of \"?");
  says("\xc3\xa4", "position 1 of \"??\"");
  says("", "found an empty formula");
  says(" \n", "found an empty formula");
  says(std::string(1001, '1'), "found a formula of 1001 characters, must be at most 1000");
  says(std::string(200, '(') + "\nfoo" + std::string(200, ')'), "position 202 of \"...");
}

// Nothing that the parser of the library could be made to do with a thousand characters.
TEST(Formula, BearsHostileTexts) {
  const auto repeated = [](const std::string& part, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += part;
    return all;
  };
  EXPECT_FALSE(error(std::string(1000, '(')).empty());
  EXPECT_FALSE(error(std::string(1000, ')')).empty());
  EXPECT_FALSE(error(std::string(1000, '-')).empty());
  EXPECT_FALSE(error(std::string(1000, '?')).empty());
  EXPECT_FALSE(error(repeated("x?", 333) + "x" + repeated(":", 333)).empty());
  EXPECT_FALSE(error(repeated("sin", 333)).empty());
  EXPECT_FALSE(error(repeated("1,", 499) + "1").empty());
  EXPECT_EQ(value(std::string(499, '(') + "x" + std::string(499, ')')), 1.5);
  EXPECT_EQ(value(repeated("x?", 249) + "x" + repeated(":1", 249)), 1.5);
  EXPECT_EQ(value(repeated("y?1:", 249) + "0"), 1);
  EXPECT_EQ(value("max(x" + repeated(",x", 490) + ")"), 1.5);
  EXPECT_TRUE(std::isinf(value("y" + repeated("^y", 499))));
  EXPECT_TRUE(std::isfinite(value(repeated("sin(", 199) + "x" + std::string(199, ')'))));
}

// A parser writes to its variables and its stack: each thread has its own.
TEST(Formula, GivesAllThreadsTheSameBits) {
  const Formula formula("exp(-((x - 3)^2 + sin(y)^3)/5)*max(x, y, 2)/(x + 1.25)", names);
  constexpr int points = 20000;
  const auto all = [&](std::vector<double>& to) {
    to.resize(points);
    for (int i = 0; i < points; i += 100) {
      Formula::Evaluator at(formula);
      for (int j = i; j < i + 100; ++j) {
        const double values[]{j * 0.37, 5 - j * 0.11};
        to[static_cast<std::size_t>(j)] = at(values);
      }
    }
  };
  std::vector<double> alone;
  all(alone);
  std::vector<std::vector<double>> together(8);
  std::vector<std::thread> threads;
  for (auto& to : together) threads.emplace_back(all, std::ref(to));
  for (std::thread& thread : threads) thread.join();
  for (const auto& one : together) {
    EXPECT_EQ(std::memcmp(one.data(), alone.data(), points * sizeof(double)), 0);
  }
}

}  // namespace
}  // namespace lbm::formula
