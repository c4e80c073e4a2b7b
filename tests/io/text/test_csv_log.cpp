// SPDX-License-Identifier: Apache-2.0

// Logs that a later run continues.
#include "io/text/csv.hpp"

#include <gtest/gtest.h>

#include "solver/core/error.hpp"
#include "tests/io/scratch.hpp"

namespace lbm::io {
namespace {

using lbm::testing::read_text;
using lbm::testing::ScratchDirectory;
using lbm::testing::write_text;

CsvLog continued(const ScratchDirectory& scratch, const std::vector<std::string>& columns) {
  return {scratch.path() / "log.csv", {"new"}, columns, true};
}

TEST(CsvLog, ContinuesAfterAStep) {
  const ScratchDirectory scratch;
  write_text(scratch.path() / "log.csv", "# old\nstep,time,a\n1,0.5,7\n2,1,8\n3,1.5,9\n");
  CsvLog log = continued(scratch, {"step", "time", "a"});
  log.continue_after(2);
  log.add(4, 2, {10});
  log.flush();
  EXPECT_EQ(read_text(scratch.path() / "log.csv"), "# old\nstep,time,a\n1,0.5,7\n2,1,8\n4,2,10\n");
}

// An older program did not know the last columns.
TEST(CsvLog, KeepsTheColumnsOfAnOlderFile) {
  const ScratchDirectory scratch;
  write_text(scratch.path() / "log.csv", "step,time,a\n1,0.5,7\n");
  CsvLog log = continued(scratch, {"step", "time", "a", "b", "c"});
  log.continue_after(1);
  log.add(2, 1, {8, 80, 800});
  log.flush();
  EXPECT_EQ(read_text(scratch.path() / "log.csv"), "step,time,a\n1,0.5,7\n2,1,8\n");
}

TEST(CsvLog, SaysThatItsDirectoryIsGone) {
  const ScratchDirectory scratch;
  const auto directory = scratch.path() / "results";
  std::filesystem::create_directory(directory);
  CsvLog log(directory / "log.csv", {}, {"step", "time", "a"}, false);
  log.add(1, 1, {1});
  std::filesystem::remove_all(directory);
  std::string line;
  try {
    log.flush();
  } catch (const ResourceError& error) {
    line = error.what();
  }
  EXPECT_NE(line.find("the directory was moved or removed during the run"), std::string::npos)
      << line;
}

// Whoever watches a slow run sees its rows before they fill a piece.
TEST(CsvLog, AppendsRowsThatHaveWaited) {
  const ScratchDirectory scratch;
  CsvLog log(scratch.path() / "log.csv", {}, {"step", "time", "a"}, false);
  log.add(1, 0.5, {7});
  EXPECT_EQ(read_text(scratch.path() / "log.csv"), "step,time,a\n");
  log.set_longest_wait(CsvLog::Clock::duration::zero());
  log.add(2, 1, {8});
  EXPECT_EQ(read_text(scratch.path() / "log.csv"), "step,time,a\n1,0.5,7\n2,1,8\n");
}

// A run goes on after it could not save a checkpoint, and writes the rows that waited again.
TEST(CsvLog, RowsOfAWriteThatFailedPartlyAreWrittenOnce) {
  const ScratchDirectory scratch;
  CsvLog log(scratch.path() / "log.csv", {}, {"step", "time", "a"}, false);
  log.add(1, 1, {10});
  {
    const lbm::testing::FileSizeLimit limit(18);  // in the middle of the row
    EXPECT_THROW(log.flush(), ResourceError);
  }
  log.add(2, 2, {20});
  log.flush();
  EXPECT_EQ(read_text(scratch.path() / "log.csv"), "step,time,a\n1,1,10\n2,2,20\n");
}

TEST(CsvLog, RefusesOtherColumns) {
  for (const char* names :
       {"step,time,b", "step,time", "step", "step,time,a,b,c", "step,time,aa"}) {
    const ScratchDirectory scratch;
    const std::string text = std::string(names) + "\n";
    write_text(scratch.path() / "log.csv", text);
    CsvLog log = continued(scratch, {"step", "time", "a", "b"});
    EXPECT_THROW(log.continue_after(1), UsageError) << names;
    EXPECT_EQ(read_text(scratch.path() / "log.csv"), text);
  }
}

}  // namespace
}  // namespace lbm::io
