// SPDX-License-Identifier: Apache-2.0

// Files of numbers: velocities of an inlet, reference profiles; what they say is judged.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>
#include <fstream>
#include <new>

#include "cases/case/tables/tables.hpp"
#include "cases/case/validate/validate.hpp"
#include "tests/cases/case_support.hpp"
#include "tests/io/scratch.hpp"

namespace lbm::cases {
namespace {

using test::error_of;

class CaseTables : public ::testing::Test {
 protected:
  std::string written(const std::string& text, const std::string& name = "t.csv") const {
    const auto path = scratch_.path() / name;
    std::ofstream(path) << text;
    return path.string();
  }

  // A duct whose inlet z_min is a table; 8 x 16 x 20 cells.
  Case inlet(const std::string& rows, const std::string& overrides = "fluid.length=8") const {
    written(rows);
    return parse_case(
        "grid: {cells: [8, 16, 20]}\nfluid: {reynolds: 10}\nrun: {steps: 9}\nboundaries:\n"
        "  z_min: {type: velocity, profile: table, file: t.csv}\n  z_max: outflow\n",
        (scratch_.path() / "c.yaml").string(), {overrides});
  }

  std::string refused(const std::string& rows) const {
    return error_of([&] { validate(inlet(rows)); });
  }

  std::string first_value(const std::string& text) const {
    try {
      return fmt::format("{}", read_number_table(written(text), 2, "values", "two numbers")[0][0]);
    } catch (const UsageError& error) {
      return std::string(error.what()).substr(written("").size());
    }
  }

 private:
  lbm::testing::ScratchDirectory scratch_;
};

std::string corners(double a, double b, double speed) {
  std::string rows;
  for (const double y : {0.0, b}) {
    for (const double x : {0.0, a}) rows += fmt::format("{},{},0,0,{}\n", x, y, speed);
  }
  return rows;
}

TEST_F(CaseTables, OnlyALineWithoutNumbersIsOneOfNames) {
  EXPECT_EQ(first_value("x,u\n0.1,2\n"), "0.1");
  EXPECT_EQ(first_value("# text\n\nx,\n0.1,2\n"), "0.1");
  EXPECT_EQ(first_value("\xef\xbb\xbf"
                        "0.1,2\n0.3,4\n"),
            "0.1");
  EXPECT_EQ(first_value("\xef\xbb\xbfx,u\n0.3,4\n"), "0.3");
  EXPECT_EQ(first_value("0.1,0.O\n0.3,4\n"), ":1: found \"0.1,0.O\", must be two numbers");
  EXPECT_EQ(first_value("# text\nx,1\n0.3,4\n"), ":2: found \"x,1\", must be two numbers");
  EXPECT_EQ(first_value("O.1,.2x\n0.3,4\n"), ":1: found \"O.1,.2x\", must be two numbers");
  EXPECT_EQ(first_value("x,u\ny,v\n0.3,4\n"), ":2: found \"y,v\", must be two numbers");
}

// A grid of all their coordinates would take 9.6 GB.
TEST_F(CaseTables, ScatteredPointsAreRefusedBeforeMemoryIsTaken) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the address sanitizer needs terabytes of addresses, which the test limits";
#endif
  std::string rows;
  for (int i = 0; i < 20'000; ++i) rows += fmt::format("{},{},0,0,1\n", i, i * 7919 % 20'011);
  const std::string path = written(rows);
  const auto read = [&] {
    const rlimit limit{std::size_t{1} << 30, std::size_t{1} << 30};
    setrlimit(RLIMIT_AS, &limit);
    try {
      const VelocityTable table(path);
    } catch (const UsageError&) {
      std::_Exit(0);
    } catch (const std::bad_alloc&) {
      std::_Exit(4);
    }
    std::_Exit(1);
  };
  EXPECT_EXIT(read(), ::testing::ExitedWithCode(0), "");
  EXPECT_NE(error_of([&] {
              const VelocityTable table(path);
            }).find("found 20000 points with 20000 x 20000 different coordinates"),
            std::string::npos);
}

TEST_F(CaseTables, APointThatIsMissingOrGivenTwiceIsRefused) {
  EXPECT_NO_THROW(VelocityTable(written("0,0,0,0,1\n0,1,0,0,1\n")));
  for (const char* rows : {"0,0,0,0,1\n1,1,0,0,1\n", "0,0,0,0,1\n0,0,0,0,1\n",
                           "0,0,0,0,1\n0,1,0,0,1\n1,0,0,0,1\n1,0,0,0,1\n"}) {
    EXPECT_THROW(VelocityTable(written(rows)), UsageError) << rows;
  }
}

TEST_F(CaseTables, AreAsFastAsAConstantVelocityMayBe) {
  EXPECT_NO_THROW(validate(inlet(corners(8, 16, 1))));
  EXPECT_EQ(test::warnings_of(inlet(corners(8, 16, 1))), std::vector<std::string>{});
  for (const double speed : {2.0, -100.0, 1e300}) {
    const std::string line = refused(corners(8, 16, speed));
    EXPECT_NE(line.find("c.yaml:5: boundaries.z_min.file: found a speed of"), std::string::npos)
        << line;
    EXPECT_NE(line.find("must be at most Mach 0.3"), std::string::npos) << line;
  }
  const auto notes = test::warnings_of(inlet(corners(8, 16, 1.5)));
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("z_min.file: Mach 0.26 is above"), std::string::npos) << notes[0];
}

TEST_F(CaseTables, MustMeetTheirFace) {
  const std::string away = "100,100,0,0,1\n200,100,0,0,1\n100,200,0,0,1\n200,200,0,0,1\n";
  const std::string line = refused(away);
  EXPECT_NE(line.find("boundaries.z_min.file: found coordinates from 100 to 200 along x in t.csv, "
                      "must meet the face, from 0 to 8"),
            std::string::npos)
      << line;
  EXPECT_NE(refused("0,-5,0,0,1\n1,-5,0,0,1\n").find("from -5 to -5 along y"), std::string::npos);
  EXPECT_NO_THROW(validate(inlet("0.5,3,0,0,1\n")));
}

TEST_F(CaseTables, InOtherUnitsThanTheFaceAreWarnedOf) {
  for (const auto& [a, b] : {std::pair{0.008, 0.016}, {8000.0, 16000.0}}) {
    const auto notes = test::warnings_of(inlet(corners(a, b, 1)));
    ASSERT_EQ(notes.size(), 2u) << a;
    EXPECT_NE(notes[0].find(fmt::format("the table reaches from 0 to {} along x, but the face from "
                                        "0 to 8",
                                        a)),
              std::string::npos)
        << notes[0];
  }
  // Points at the centres of cells, and a line of them.
  EXPECT_TRUE(
      test::warnings_of(inlet("0.5,0.5,0,0,1\n7.5,0.5,0,0,1\n0.5,15.5,0,0,1\n7.5,15.5,0,0,1\n"))
          .empty());
  EXPECT_TRUE(test::warnings_of(inlet("0,3,0,0,1\n8,3,0,0,1\n")).empty());
}

}  // namespace
}  // namespace lbm::cases
