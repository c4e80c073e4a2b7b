// SPDX-License-Identifier: Apache-2.0

// The recorder of the other tests: what it asserts, and what it writes.
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "io/text/json.hpp"
#include "tests/verification/support/evidence.hpp"
#include "tests/verification/support/flow.hpp"

namespace lbm::verification {
namespace {

const double nan = std::nan("");

// Writes into a folder of its own; leaves the caller's environment as it was.
class EvidenceRecord : public testing::Test {
 protected:
  EvidenceRecord() {
    if (const char* folder = std::getenv("LBM_EVIDENCE")) before_ = folder;
    std::filesystem::remove_all(folder_);
    setenv("LBM_EVIDENCE", folder_.c_str(), 1);
  }
  ~EvidenceRecord() override {
    if (before_.empty())
      unsetenv("LBM_EVIDENCE");
    else
      setenv("LBM_EVIDENCE", before_.c_str(), 1);
    std::filesystem::remove_all(folder_);
  }
  std::string record() const {
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    std::ifstream file(folder_ / ("EvidenceRecord." + name + ".json"));
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }
  bool has(const std::string& text) const { return record().find(text) != std::string::npos; }

  bool says_failed() const { return has("\n  \"passed\": false"); }  // of the test, not of a check

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() /
      ("lbm_evidence_" + std::to_string(testing::UnitTest::GetInstance()->random_seed()) + "_" +
       testing::UnitTest::GetInstance()->current_test_info()->name());
  std::string before_;
};

TEST_F(EvidenceRecord, HasWhatWasMeasured) {
  {
    Evidence evidence("a flow", "a paper");
    EXPECT_TRUE(says_failed()) << "until the end";
    evidence.on("32 cells").below("error", 0.0125, 0.02, percent);
    evidence.headline().matches("drag", 2.02, 2, 0.02);
    evidence.table("errors", {"cells", {"L2", "{:.1e}"}}).row({32, nan});
    evidence.figure("id", "profile", "x", "u").points("data", {0, 1.23456789}, {1, 2});
  }
  for (const char* text :
       {"\"program\": \"test_evidence\"", "\"test\": \"EvidenceRecord.HasWhatWasMeasured\"",
        "\"measured\": 1.25,", "\"bound\": 2.0,", "\"grid\": \"32 cells\"", "\"unit\": \"%\"",
        "\"against\": \"a paper\"", "\"value\": 2.02", "\"reference\": 2.0", "\"headline\": true",
        "\"kind\": \"reference\"", "\"style\": \"points\""})
    EXPECT_TRUE(has(text)) << text << " is not in\n" << record();
  const std::string line = io::json_line(io::parse_json(record(), "the record"));
  for (const char* text : {"[32.0,null]", "[0.0,1.23457]"})
    EXPECT_NE(line.find(text), std::string::npos) << text << " is not in\n" << line;
  EXPECT_FALSE(has("\"passed\": false")) << record();
}

TEST_F(EvidenceRecord, SaysWhetherTheRunWasFull) {
  setenv("LBM_VERIFICATION", "full", 1);
  { Evidence evidence("a flow", "a paper"); }
  EXPECT_TRUE(has("\"mode\": \"quick\"")) << "nobody asked";
  {
    Evidence evidence("a flow", "a paper");
    EXPECT_TRUE(full_run());
  }
  EXPECT_TRUE(has("\"mode\": \"full\""));
  unsetenv("LBM_VERIFICATION");
  {
    Evidence evidence("a flow", "a paper");
    EXPECT_FALSE(full_run());
  }
  EXPECT_TRUE(has("\"mode\": \"quick\""));
}

TEST_F(EvidenceRecord, IsOfAFailedTestWhereItFailed) {
  // EXPECT_NONFATAL_FAILURE takes the failure away from this test but not from the check.
  EXPECT_NONFATAL_FAILURE(Evidence("a flow", "a paper").below("error", 3, 2), "error: 3");
  EXPECT_TRUE(says_failed());
}

TEST_F(EvidenceRecord, IsOfAFailedTestWhereItThrew) {
  try {
    Evidence evidence("a flow", "a paper");
    throw std::runtime_error("");
  } catch (const std::runtime_error&) {
  }
  EXPECT_TRUE(says_failed());
}

TEST_F(EvidenceRecord, IsNotWrittenUnasked) {
  unsetenv("LBM_EVIDENCE");
  { Evidence evidence("a flow", "a paper"); }
  EXPECT_FALSE(std::filesystem::exists(folder_));
}

TEST_F(EvidenceRecord, ChecksAreAsserted) {
  Evidence evidence("a flow", "a paper");
  EXPECT_NONFATAL_FAILURE(evidence.below("low", 2, 2), "low: 2");
  EXPECT_NONFATAL_FAILURE(evidence.above("high", 2, 2), "high: 2");
  EXPECT_NONFATAL_FAILURE(evidence.within("near", -2, 2), "near: -2");
  EXPECT_NONFATAL_FAILURE(evidence.matches("drag", 2.05, 2, 0.02), "drag: 2.05 for 2, 2.5 %");
  EXPECT_NONFATAL_FAILURE(evidence.matches("lift", 1.95, 2, 0.02), "lift: 1.95 for 2, -2.5 %");
  EXPECT_NONFATAL_FAILURE(evidence.between("period", 1.9, 2, 3), "period: 1.9");
  EXPECT_NONFATAL_FAILURE(evidence.between("period", 3.1, 2, 3), "period: 3.1");
  EXPECT_NONFATAL_FAILURE(evidence.holds("bits", false), "bits: no");
  EXPECT_NONFATAL_FAILURE(evidence.below("low", nan, 2), "low");
  EXPECT_NONFATAL_FAILURE(evidence.above("high", nan, 2), "high");
  EXPECT_NONFATAL_FAILURE(evidence.within("near", nan, 2), "near");
  EXPECT_NONFATAL_FAILURE(evidence.matches("drag", nan, 2, 2), "drag");
  EXPECT_NONFATAL_FAILURE(evidence.between("period", nan, 2, 3), "period");
  evidence.below("low", 1, 2);
  evidence.above("high", 3, 2);
  evidence.within("near", -1, 2);
  evidence.matches("drag", 2.01, 2, 0.02);
  evidence.between("period", 2, 2, 3);
  evidence.holds("bits", true);
}

TEST_F(EvidenceRecord, TablesAndFiguresMustBeWhole) {
  Evidence evidence("a flow", "a paper");
  EXPECT_THROW(evidence.table("t", {"a", "b"}).row({1}), std::logic_error);
  EXPECT_THROW(evidence.figure("id", "f", "x", "y").line("u", {1, 2}, {1}), std::logic_error);
}

TEST(Larger, KeepsWhatIsNotANumber) {
  EXPECT_EQ(larger(1, 2), 2);
  EXPECT_EQ(larger(2, 1), 2);
  EXPECT_TRUE(std::isnan(larger(nan, 1)));
  EXPECT_TRUE(std::isnan(larger(1, nan)));
}

}  // namespace
}  // namespace lbm::verification
