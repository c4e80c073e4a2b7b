// SPDX-License-Identifier: Apache-2.0
#include "io/text/csv.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <stdexcept>

#include "tests/io/scratch.hpp"

namespace {
using lbm::io::csv_text;
using lbm::io::CsvTable;

TEST(Csv, PrintsCommentsNamesAndRows) {
  const CsvTable table{{"lbm 0.1", "two\nlines"}, {"step", "u"}, {{0, 100}, {0.5, -1e-7}}};
  EXPECT_EQ(csv_text(table), "# lbm 0.1\n# two\n# lines\nstep,u\n0,0.5\n100,-1e-07\n");
}

TEST(Csv, NumbersReadBackToTheSameBits) {
  const std::vector<double> values{0.1, 1.0 / 3, 1e300, 5e-324, 2.2250738585072011e-308};
  std::istringstream lines(csv_text({{}, {"x"}, {values}}));
  std::string line;
  std::getline(lines, line);
  for (const double value : values) {
    std::getline(lines, line);
    EXPECT_EQ(std::strtod(line.c_str(), nullptr), value) << line;
  }
}

TEST(Csv, PrintsNonFiniteValuesAsReadersKnowThem) {
  EXPECT_EQ(csv_text({{}, {"x"}, {{std::nan(""), INFINITY}}}), "x\nnan\ninf\n");
}

TEST(Csv, TableWithoutRowsStillNamesItsColumns) {
  EXPECT_EQ(csv_text({{}, {"a", "b"}, {{}, {}}}), "a,b\n");
}

TEST(Csv, RefusesRaggedTables) {
  EXPECT_THROW(csv_text({{}, {"a", "b"}, {{1}}}), std::invalid_argument);
  EXPECT_THROW(csv_text({{}, {"a", "b"}, {{1}, {1, 2}}}), std::invalid_argument);
}

}  // namespace
