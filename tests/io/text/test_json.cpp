#include "io/text/json.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace {
using lbm::io::Json;

TEST(Json, PrintsNestedValuesInTheOrderAdded) {
  Json report = Json::object();
  report["zebra"] = 1;
  report["grid"] = Json::array({64, 64, 128});
  report["nested"]["ok"] = true;
  report["nested"]["none"] = nullptr;
  report["runs"].push_back(Json::object());
  report["runs"].push_back(Json::array());
  report["zebra"] = "replaced";
  EXPECT_EQ(report.dump(), R"({
  "zebra": "replaced",
  "grid": [64, 64, 128],
  "nested": {
    "ok": true,
    "none": null
  },
  "runs": [
    {},
    []
  ]
}
)");
}

TEST(Json, DoublesReadBackToTheSameBitsAndStayDoubles) {
  for (const double value : {0.1, 1.0, -0.0, 1e300, 5e-324, 1.0 / 3, 123456789012345678.0, 1e21}) {
    const std::string text = Json(value).dump();
    const double back = std::strtod(text.c_str(), nullptr);
    EXPECT_EQ(back, value) << text;
    EXPECT_EQ(std::signbit(back), std::signbit(value)) << text;
    EXPECT_NE(text.find_first_of(".e"), std::string::npos) << text;
  }
}

TEST(Json, NonFiniteDoublesAreNull) {
  EXPECT_EQ(Json(std::nan("")).dump(), "null\n");
  EXPECT_EQ(Json(-std::numeric_limits<double>::infinity()).dump(), "null\n");
}

TEST(Json, KeepsLargeIntegersExactAndPositive) {
  EXPECT_EQ(Json(std::numeric_limits<std::int64_t>::min()).dump(), "-9223372036854775808\n");
  EXPECT_EQ(Json(std::size_t{6000000001}).dump(), "6000000001\n");
  EXPECT_EQ(Json(std::numeric_limits<std::uint64_t>::max()).dump().front(), '1');
}

TEST(Json, EscapesWhatJsonForbidsInStrings) {
  EXPECT_EQ(Json(std::string("a\"b\\c\n\t\r\x01\x1f\x7f/")).dump(),
            "\"a\\\"b\\\\c\\n\\t\\r\\u0001\\u001f\x7f/\"\n");
  EXPECT_EQ(Json(std::string("nul\0!", 5)).dump(), "\"nul\\u0000!\"\n");
  Json json;
  json["k\"ey"] = 1;
  EXPECT_EQ(json.dump(), "{\n  \"k\\\"ey\": 1\n}\n");
}

TEST(Json, KeepsUtf8AndReplacesBytesThatAreNone) {
  EXPECT_EQ(Json("\u00e9 \u20ac \U0001F30A").dump(), "\"\u00e9 \u20ac \U0001F30A\"\n");
  EXPECT_EQ(Json("\xff|\xc3").dump(), "\"\uFFFD|\uFFFD\"\n");                    // stray, cut short
  EXPECT_EQ(Json("\xe0\x80\x80").dump(), "\"\uFFFD\uFFFD\uFFFD\"\n");            // overlong
  EXPECT_EQ(Json("\xc0\x80").dump(), "\"\uFFFD\uFFFD\"\n");                      // overlong
  EXPECT_EQ(Json("\xed\xa0\x80").dump(), "\"\uFFFD\uFFFD\uFFFD\"\n");            // surrogate
  EXPECT_EQ(Json("\xf4\x90\x80\x80").dump(), "\"\uFFFD\uFFFD\uFFFD\uFFFD\"\n");  // > U+10FFFF
}

TEST(Json, RefusesMembersOfScalarsAndItemsOfObjects) {
  Json number = 3;
  EXPECT_THROW(number["x"], std::logic_error);
  Json object = Json::object();
  EXPECT_THROW(object.push_back(1), std::logic_error);
}

}  // namespace
