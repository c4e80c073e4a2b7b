// SPDX-License-Identifier: Apache-2.0
#include "io/text/json.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "solver/core/error.hpp"
#include "tests/io/scratch.hpp"

namespace {
using namespace lbm::io;

TEST(Json, PrintsNestedValuesInTheOrderAdded) {
  Json report = Json::object();
  report["zebra"] = 1;
  report["grid"] = Json::array({64, 64, 128});
  report["nested"]["ok"] = true;
  report["nested"]["none"] = nullptr;
  report["runs"].push_back(Json::object());
  report["runs"].push_back(Json::array());
  report["runs"].push_back(Json::array({Json::array({1, 2}), "three"}));
  report["zebra"] = "replaced";
  EXPECT_EQ(json_text(report), R"({
  "zebra": "replaced",
  "grid": [64, 64, 128],
  "nested": {
    "ok": true,
    "none": null
  },
  "runs": [
    {},
    [],
    [
      [1, 2],
      "three"
    ]
  ]
}
)");
}

TEST(Json, DoublesReadBackToTheSameBitsAndStayDoubles) {
  for (const double value : {0.1, 1.0, -0.0, 1e300, 5e-324, 1.0 / 3, 123456789012345678.0, 1e21}) {
    const std::string text = json_text(value);
    const double back = std::strtod(text.c_str(), nullptr);
    EXPECT_EQ(back, value) << text;
    EXPECT_EQ(std::signbit(back), std::signbit(value)) << text;
    EXPECT_NE(text.find_first_of(".e"), std::string::npos) << text;
  }
}

TEST(Json, DoublesHaveAsFewDigitsAsReadBack) {
  EXPECT_EQ(json_text(0.9610366821289063), "0.9610366821289062\n");
  EXPECT_EQ(json_text(1e-4), "1e-04\n");
  EXPECT_EQ(json_text(2.0), "2.0\n");
  EXPECT_EQ(json_text(Json::array({0.5, 4})), "[0.5, 4]\n");
}

TEST(Json, NonFiniteDoublesAreNull) {
  EXPECT_EQ(json_text(std::nan("")), "null\n");
  EXPECT_EQ(json_text(-std::numeric_limits<double>::infinity()), "null\n");
}

TEST(Json, KeepsLargeIntegersExactAndPositive) {
  EXPECT_EQ(json_text(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808\n");
  EXPECT_EQ(json_text(std::size_t{6000000001}), "6000000001\n");
  EXPECT_EQ(json_text(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615\n");
}

TEST(Json, EscapesWhatJsonForbidsInStrings) {
  EXPECT_EQ(json_text(std::string("a\"b\\c\n\t\r\x01\x1f\x7f/")),
            "\"a\\\"b\\\\c\\n\\t\\r\\u0001\\u001f\x7f/\"\n");
  EXPECT_EQ(json_text(std::string("nul\0!", 5)), "\"nul\\u0000!\"\n");
  Json json;
  json["k\"ey"] = 1;
  EXPECT_EQ(json_text(json), "{\n  \"k\\\"ey\": 1\n}\n");
}

TEST(Json, KeepsUtf8AndReplacesBytesThatAreNone) {
  EXPECT_EQ(json_text("\u00e9 \u20ac \U0001F30A"), "\"\u00e9 \u20ac \U0001F30A\"\n");
  EXPECT_EQ(json_text("\xff|\xc3"), "\"\uFFFD|\uFFFD\"\n");                    // stray, cut short
  EXPECT_EQ(json_text("\xe0\x80\x80"), "\"\uFFFD\uFFFD\uFFFD\"\n");            // overlong
  EXPECT_EQ(json_text("\xc0\x80"), "\"\uFFFD\uFFFD\"\n");                      // overlong
  EXPECT_EQ(json_text("\xed\xa0\x80"), "\"\uFFFD\uFFFD\uFFFD\"\n");            // surrogate
  EXPECT_EQ(json_text("\xf4\x90\x80\x80"), "\"\uFFFD\uFFFD\uFFFD\uFFFD\"\n");  // > U+10FFFF
}

TEST(Json, RefusesMembersOfScalarsAndItemsOfObjects) {
  Json number = 3;
  EXPECT_THROW(number["x"], Json::type_error);
  Json object = Json::object();
  EXPECT_THROW(object.push_back(1), Json::type_error);
}

TEST(Json, AnEmptyOptionalIsNull) {
  EXPECT_EQ(Json(std::optional(0.5)), 0.5);
  EXPECT_EQ(Json(std::optional<double>()), nullptr);
  Json json;
  json["x"] = std::optional<std::uint64_t>(7);
  EXPECT_EQ(json_line(json), R"({"x":7})");
}

TEST(Json, ReadsBackWhatItWrites) {
  const Json json{{"z", {1, -2.5, 1e300}}, {"a", {{"text", "\u00e9\"\n"}, {"none", nullptr}}}};
  EXPECT_EQ(parse_json(json_text(json), "x"), json);
  EXPECT_EQ(parse_json(json_line(json), "x"), json);
}

TEST(Json, MissingMembersAndOtherTypesAreEmpty) {
  const Json json = parse_json(R"({"a": [1, 2.5], "b": "7", "c": true})", "x");
  EXPECT_EQ(number_in(item(member(json, "a"), 1)), 2.5);
  EXPECT_EQ(text_in(member(json, "b")), "7");
  EXPECT_EQ(text_in(member(json, "a")), "[1,2.5]");
  for (const char* key : {"b", "c", "d"}) EXPECT_FALSE(number_in(member(json, key))) << key;
  EXPECT_EQ(text_in(member(json, "d")), "");
  EXPECT_TRUE(member(item(member(json, "a"), 7), "x").is_null());
  EXPECT_TRUE(item(member(json, "b"), 0).is_null());
}

TEST(Json, WholeNumbersAreThoseOf64Bits) {
  const auto whole = [](const char* text) { return whole_in(parse_json(text, "x")); };
  EXPECT_EQ(whole("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(whole("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(whole("1e6"), 1000000);
  for (const char* text :
       {"9223372036854775808", "1e300", "-1e300", "0.5", "null", "true", "\"1\""})
    EXPECT_FALSE(whole(text)) << text;
}

std::string refusal_of(const std::string& text) {
  try {
    parse_json(text, "some.json");
  } catch (const lbm::UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Json, RefusesOtherTextsInOneLine) {
  const std::string deep(1'000'000, '[');
  for (const std::string& text :
       {std::string(), std::string("{"), std::string("[1,]"), std::string("a: 1"),
        std::string("{} {}"), std::string("nan"), std::string("1e999"), std::string("\xff\xfe"),
        std::string("\"a\nb\""), std::string(5000, 'x'), deep, deep + std::string(deep.size(), ']'),
        "{\"a\":" + std::string(65, '[') + std::string(65, ']') + "}"}) {
    const std::string refusal = refusal_of(text);
    EXPECT_TRUE(refusal.starts_with("some.json: is not JSON: ")) << text.substr(0, 20);
    EXPECT_EQ(refusal.find('\n'), std::string::npos);
    EXPECT_LT(refusal.size(), 300U);
  }
  EXPECT_EQ(refusal_of(std::string(60, '[') + std::string(60, ']')), "");
}

// Not one byte that is changed, put in or left out is a crash.
TEST(Json, SurvivesMutations) {
  const std::string good = R"({"a": [1, 2.5e3, {"b": "c\u00e9\""}], "d": {"e": null, "f": true}})";
  ASSERT_EQ(refusal_of(good), "");
  int accepted = 0;
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string bad = good;
      bad[at] = static_cast<char>(byte);
      if (refusal_of(bad).empty()) ++accepted;
    }
    EXPECT_NE(refusal_of(good.substr(0, at)), "");
  }
  EXPECT_GT(accepted, 500);
}

TEST(Json, ReadsFilesUpToALimit) {
  const lbm::testing::ScratchDirectory scratch;
  const auto file = scratch.path() / "x.json";
  EXPECT_THROW(lbm::io::read_json(file), lbm::UsageError);
  lbm::testing::write_text(file, "[1]\n");
  EXPECT_EQ(lbm::io::read_json(file), Json::array({1}));
  std::filesystem::resize_file(file, std::uintmax_t{1} << 40U);  // sparse
  EXPECT_THROW(lbm::io::read_json(file), lbm::UsageError);
  EXPECT_THROW(lbm::io::read_json(scratch.path()), lbm::UsageError);
}

// A child that waits for a writer is killed by its alarm.
TEST(Json, AFifoIsRefusedAndNotWaitedFor) {
  const lbm::testing::ScratchDirectory scratch;
  const auto fifo = scratch.path() / "x.json";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  const auto act = [&] {
    alarm(10);
    EXPECT_THROW(lbm::io::read_json(fifo), lbm::UsageError);
    std::exit(::testing::Test::HasFailure() ? 1 : 0);
  };
  EXPECT_EXIT(act(), ::testing::ExitedWithCode(0), "");
}

}  // namespace
