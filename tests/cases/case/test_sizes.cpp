// SPDX-License-Identifier: Apache-2.0

// Cases of many names, deep nesting and anchors that multiply: the cost of reading them grows with
// the size of the text, and what means too much is refused.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <ctime>

#include "cases/case/model/case_model.hpp"
#include "cases/case/validate/validate.hpp"
#include "tests/cases/case_support.hpp"
#include "tests/io/scratch.hpp"

namespace lbm::cases {
namespace {

using test::error_of;
using test::minimal;
using test::parse_error;

std::string numbered(const std::string& format, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += fmt::format(fmt::runtime(format), i) + "\n";
  return text;
}

// Seconds of this thread, whatever else the machine does.
template <class Work>
double seconds_of(const Work& work) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  const double begin = now();
  work();
  return now() - begin;
}

struct Many {
  const char *group, *item;
};

class ManyNames : public ::testing::TestWithParam<Many> {};

// yaml-cpp takes time that grows with their number. Searching all names or keys for each of them
// took 9 to 75 times as long, and more for more names.
TEST_P(ManyNames, AreReadAsFastAsYamlIs) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizers slow lbm down, but not yaml-cpp";
#endif
  const std::string text = minimal + GetParam().group + numbered(GetParam().item, 3000);
  double yaml = 1e9, all = 1e9;
  for (int n = 0; n < 2; ++n) {
    yaml = std::min(yaml, seconds_of([&] { YAML::Load(text); }));
    all = std::min(all, seconds_of([&] {
                     const Case c = parse_case(text, "c.yaml");
                     validate(c);
                     warnings(c, derive(c));
                   }));
  }
  EXPECT_LT(all / yaml, 8);
}

INSTANTIATE_TEST_SUITE_P(
    Groups, ManyNames,
    ::testing::Values(Many{"outputs:\n", "  o{}: {{every_steps: 3}}"},
                      Many{"statistics:\n", "  s{}: {{every_steps: 3}}"},
                      Many{"probes:\n", "  p{}: {{points: [[1, 2, 3]]}}"},
                      Many{"bodies:\n", "  b{}: {{shape: sphere, center: [4, 4, 4], radius: 2}}"},
                      Many{"bodies:\n  ball: {shape: sphere, center: [4, 4, 4], radius: 2}\n",
                           "  b{}: {{shape: union, of: [ball, ball]}}"},
                      Many{"expect:\n", "  e{}: {{quantity: mass, value: 1, tolerance: 1}}"}),
    [](const auto& many) {
      return std::string(many.param.group, std::string(many.param.group).find(':')) +
             std::to_string(many.index);
    });

// ball, b0: [ball, ball], b1: [b0, b0], ...
std::string doubled(int levels) {
  return minimal + "bodies:\n  b0: {shape: sphere, center: [4, 4, 4], radius: 2}\n" + [&] {
    std::string text;
    for (int i = 1; i <= levels; ++i) {
      text += fmt::format("  b{}: {{shape: union, of: [b{}, b{}]}}\n", i, i - 1, i - 1);
    }
    return text;
  }();
}

TEST(CaseSizes, SixtyLevelsOfSharedPartsAreOneSphere) {
  const auto solid_cells = [](int levels) {
    const Case c = parse_case(doubled(levels), "c.yaml");
    validate(c);
    return make_case_model(c, derive(c)).boundaries.solid_cells();
  };
  EXPECT_EQ(solid_cells(60), solid_cells(0));
  EXPECT_GT(solid_cells(60), 8);
}

TEST(CaseSizes, CombinationsNestSixtyFourLevels) {
  EXPECT_NO_THROW(parse_case(doubled(64), "c.yaml"));
  EXPECT_EQ(parse_error(doubled(65)),
            "c.yaml:73: bodies.b65.of: found combinations nested more than 64 levels deep, must be "
            "fewer: combine more bodies in one list");
  // The other way round: the deepest one first in the file.
  std::string text = minimal + "bodies:\n";
  for (int i = 0; i < 5000; ++i)
    text += fmt::format("  b{}: {{shape: union, of: [b{}, s]}}\n", i, i + 1);
  text +=
      "  b5000: {shape: sphere, center: [4, 4, 4], radius: 2}\n"
      "  s: {shape: sphere, center: [4, 4, 4], radius: 2}\n";
  EXPECT_NE(parse_error(text).find("nested more than 64 levels"), std::string::npos);
}

// Each level moves its two copies of the one before elsewhere: no part is shared.
TEST(CaseSizes, CopiesOfCopiesHaveALimit) {
  std::string text = minimal + "bodies:\n  b0: {shape: sphere, center: [4, 4, 4], radius: 2}\n";
  for (int i = 1; i <= 20; ++i) {
    text += fmt::format(
        "  l{0}: {{shape: union, of: [b{1}, b{1}], translate: [0.{0}1, 0, 0], solid: false}}\n"
        "  r{0}: {{shape: union, of: [b{1}, b{1}], translate: [0, 0.{0}1, 0], solid: false}}\n"
        "  b{0}: {{shape: union, of: [l{0}, r{0}]}}\n",
        i, i - 1);
  }
  const Case c = parse_case(text, "c.yaml");
  validate(c);
  const std::string error = error_of([&] { make_case_model(c, derive(c)); });
  EXPECT_NE(error.find("have more than 200000 parts in all"), std::string::npos) << error;
  EXPECT_TRUE(error.starts_with("c.yaml:")) << error;
}

TEST(CaseSizes, PatchesAreAsManyAsTheLatticeHasConditions) {
  const auto with = [](int patches) {
    return minimal + "boundaries:\n  x_min:\n    patches:\n" +
           numbered("      p{}: {{box: [1, 2, 1, 2]}}", patches);
  };
  const Case c = parse_case(with(26), "c.yaml");
  EXPECT_NO_THROW(make_case_model(c, derive(c)));
  EXPECT_NE(parse_error(with(27)).find("found 33 faces, patches and bodies"), std::string::npos);
}

TEST(CaseSizes, NestedTextIsRefusedWithItsDepth) {
  for (const char* brackets : {"[]", "{}"}) {
    const std::string key = brackets[0] == '{' ? "a: " : "";
    std::string nested;
    for (int i = 0; i < 500; ++i) nested += brackets[0] + key;
    EXPECT_EQ(parse_error(minimal + "name: " + nested + "1" + std::string(500, brackets[1])),
              "c.yaml:7: found lists or maps nested more than 64 levels deep, must be fewer: is a "
              "bracket not closed?");
    EXPECT_TRUE(parse_error(minimal, {"name=" + nested}).starts_with("--set name=")) << brackets;
  }
}

TEST(CaseSizes, AnchorsCountWhereverTheyAreUsed) {
  const std::string thousand = [] {
    std::string text = "[0.1";
    for (int i = 1; i < 1000; ++i) text += ", 0.1";
    return text + "]";
  }();
  const auto with = [&](int outputs) {
    return minimal + "outputs:\n  o: {times: &t " + thousand + "}\n" +
           numbered("  o{}: {{times: *t}}", outputs);
  };
  EXPECT_NO_THROW(parse_case(with(150), "c.yaml"));
  EXPECT_NE(parse_error(with(250)).find("found more than 20"), std::string::npos);
}

// As in a checkpoint, which has all defaults.
TEST(CaseSizes, ASavedCaseMayHaveMoreKeysThanAFile) {
  std::string text = minimal + "output: {times: [1";
  for (int i = 0; i < 200'000; ++i) text += ",1";
  text += "]}\n";
  const lbm::testing::ScratchDirectory scratch;
  const std::string path = scratch.path() / "c.yaml";
  lbm::testing::write_text(path, text);
  EXPECT_NE(error_of([&] { read_case(path); }).find("more than 200000 keys"), std::string::npos);
  EXPECT_EQ(parse_case(text, "saved.yaml").output.times.size(), 200'001u);
}

TEST(CaseSizes, AnAnchorInsideItselfIsRefused) {
  EXPECT_EQ(parse_error("outputs: &a\n  o: {<<: [*a, *a, *a, *a]}\n"),
            "c.yaml:2: found an anchor used inside itself, must be finite");
}

}  // namespace
}  // namespace lbm::cases
