// SPDX-License-Identifier: Apache-2.0
#include "io/files/run_directory.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/files/place.hpp"
#include "solver/core/error.hpp"
#include "tests/io/scratch.hpp"

namespace {
using namespace lbm::testing;
using lbm::ResourceError;
using lbm::UsageError;
using lbm::io::RunDirectory;
namespace fs = std::filesystem;

constexpr bool by_user = true;
constexpr bool by_default = false;

class RunDirectoryTest : public ::testing::Test {
 protected:
  fs::path earlier_run(const std::string& result) {
    fs::create_directories(out());
    write_text(out() / result, "earlier");
    return out();
  }
  fs::path out() const { return scratch_.path() / "deep" / "out"; }
  ScratchDirectory scratch_;
};

TEST_F(RunDirectoryTest, CreatesParentsAndLeavesNothingBehindButTheDirectory) {
  {
    const auto run = RunDirectory::open(out(), by_user, false);
    EXPECT_EQ(run.path(), out());
  }
  EXPECT_TRUE(names_in(out()).empty());
}

TEST_F(RunDirectoryTest, ForeignFilesDoNotCount) {
  earlier_run("notes.txt");
  fs::create_directory(out() / "folder.csv");
  EXPECT_EQ(RunDirectory::open(out(), by_user, false).path(), out());
  EXPECT_EQ(RunDirectory::open(out(), by_default, false).path(), out());
}

TEST_F(RunDirectoryTest, DefaultDirectoryMovesOnToTheNextFreeName) {
  earlier_run("report.json");
  fs::create_directories(out().string() + "-2");
  write_text(out().string() + "-2/u.csv", "earlier");
  EXPECT_EQ(RunDirectory::open(out(), by_default, false).path(), out().string() + "-3");
  EXPECT_EQ(RunDirectory::open(out() / "", by_default, false).path(), out().string() + "-3");
  EXPECT_EQ(read_text(out() / "report.json"), "earlier");
}

TEST_F(RunDirectoryTest, SearchForAFreeNameEnds) {
  earlier_run("report.json");
  for (int n = 2; n <= 999; ++n) {
    const auto sibling = fs::path(out().string() + "-" + std::to_string(n));
    fs::create_directory(sibling);
    write_text(sibling / "report.json", "earlier");
  }
  const auto line = message_of<UsageError>([&] { RunDirectory::open(out(), by_default, false); });
  EXPECT_TRUE(contains(line, "--out")) << line;
  EXPECT_FALSE(fs::exists(out().string() + "-1000"));
}

TEST_F(RunDirectoryTest, ResultsInAnExplicitDirectoryAreRefusedAndKept) {
  for (const std::string name : {"report.json", "f.hdf", "line.csv", "f.hdf.series"}) {
    earlier_run(name);
    const auto line = message_of<UsageError>([&] { RunDirectory::open(out(), by_user, false); });
    EXPECT_TRUE(contains(line, out().string())) << line;
    EXPECT_TRUE(contains(line, name)) << line;
    EXPECT_TRUE(contains(line, "--overwrite")) << line;
    EXPECT_TRUE(contains(line, "--out")) << line;
    EXPECT_EQ(names_in(out()), std::vector<std::string>{name});
    fs::remove(out() / name);
  }
}

TEST_F(RunDirectoryTest, OverwriteMovesResultsAsideEveryTimeAndKeepsForeignFiles) {
  earlier_run("notes.txt");
  for (const std::string n : {"1", "2"}) {
    write_text(out() / "report.json", "run " + n);
    write_text(out() / "f.hdf", "run " + n);
    EXPECT_EQ(RunDirectory::open(out(), by_user, true).path(), out());
    EXPECT_EQ(read_text(out() / ("old-" + n) / "report.json"), "run " + n);
    EXPECT_EQ(read_text(out() / ("old-" + n) / "f.hdf"), "run " + n);
  }
  EXPECT_EQ(names_in(out()), (std::vector<std::string>{"notes.txt", "old-1", "old-2"}));
}

TEST_F(RunDirectoryTest, OverwriteOfTheDefaultDirectoryStaysThere) {
  earlier_run("report.json");
  EXPECT_EQ(RunDirectory::open(out(), by_default, true).path(), out());
  EXPECT_EQ(read_text(out() / "old-1" / "report.json"), "earlier");
}

TEST_F(RunDirectoryTest, TwoRunsCannotShareADirectory) {
  auto first = RunDirectory::open(out(), by_user, false);
  const auto line = message_of<UsageError>([&] { RunDirectory::open(out(), by_user, true); });
  EXPECT_TRUE(contains(line, "another run")) << line;
  EXPECT_EQ(RunDirectory::open(out(), by_default, false).path(), out().string() + "-2");
  const auto moved = std::move(first);
  EXPECT_THROW(RunDirectory::open(out(), by_user, false), UsageError);
}

TEST_F(RunDirectoryTest, LockOfAKilledRunDoesNotStay) {
  const pid_t child = ::fork();
  if (child == 0) {
    [[maybe_unused]] const auto run = RunDirectory::open(out(), by_user, false);
    ::_exit(fs::exists(out() / ".lbm-lock") ? 0 : 1);  // no destructor runs
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  ASSERT_EQ(names_in(out()), std::vector<std::string>{".lbm-lock"});
  EXPECT_EQ(RunDirectory::open(out(), by_user, false).path(), out());
}

TEST_F(RunDirectoryTest, PathsThatAreFilesOrBelowFilesAreUsageErrors) {
  const auto file = scratch_.path() / "file";
  write_text(file, "precious");
  for (const auto& path : {file, file / "out", file / "a" / "b"}) {
    for (const bool explicit_by_user : {by_user, by_default}) {
      const auto line =
          message_of<UsageError>([&] { RunDirectory::open(path, explicit_by_user, true); });
      EXPECT_TRUE(contains(line, file.string())) << line;
      EXPECT_TRUE(contains(line, "is a file")) << line;
    }
  }
  EXPECT_EQ(read_text(file), "precious");
  EXPECT_THROW(RunDirectory::open("", by_user, false), UsageError);
}

TEST_F(RunDirectoryTest, ReadOnlyDiskIsAResourceError) {
  TinyDisk disk("size=64k");
  if (!disk.mounted()) GTEST_SKIP() << "needs the right to mount a tmpfs";
  fs::create_directory(disk.path() / "empty");
  ASSERT_TRUE(disk.make_read_only());
  for (const std::string name : {"empty", "new", "new/deep"}) {
    const auto line =
        message_of<ResourceError>([&] { RunDirectory::open(disk.path() / name, by_user, false); });
    EXPECT_TRUE(contains(line, "Read-only file system")) << line;
    EXPECT_TRUE(contains(line, (disk.path() / name).string())) << line;
  }
}

TEST_F(RunDirectoryTest, DefaultDirectoryMovesOnFromReadOnlyResults) {
  TinyDisk disk("size=64k");
  if (!disk.mounted()) GTEST_SKIP() << "needs the right to mount a tmpfs";
  write_text(disk.path() / "report.json", "archived");
  ASSERT_TRUE(disk.make_read_only());
  const fs::path next = disk.path().string() + "-2";
  EXPECT_EQ(RunDirectory::open(disk.path(), by_default, false).path(), next);
  fs::remove_all(next);
}

TEST_F(RunDirectoryTest, FullDiskIsAResourceErrorBeforeOldResultsMove) {
  TinyDisk disk("size=64k");
  if (!disk.mounted()) GTEST_SKIP() << "needs the right to mount a tmpfs";
  write_text(disk.path() / "f.hdf", std::string(64 << 10, 'x'));
  const auto line =
      message_of<ResourceError>([&] { RunDirectory::open(disk.path(), by_user, true); });
  EXPECT_TRUE(contains(line, "No space left on device")) << line;
  EXPECT_EQ(names_in(disk.path()), std::vector<std::string>{"f.hdf"});
}

TEST_F(RunDirectoryTest, CheckSpaceSaysWhatIsNeededAndWhatIsFree) {
  TinyDisk disk("size=1m");
  if (!disk.mounted()) GTEST_SKIP() << "needs the right to mount a tmpfs";
  const auto run = RunDirectory::open(disk.path(), by_user, false);
  EXPECT_NO_THROW(run.check_space(lbm::io::free_disk_bytes(disk.path()).value()));
  const auto line = message_of<ResourceError>([&] { run.check_space(3ULL << 30); });
  EXPECT_TRUE(contains(line, "need 3.0 GiB, only 1.0 MiB are free")) << line;
}

// Files left by a killed run are as large as a checkpoint.
TEST(RunDirectory, RemovesUnfinishedFilesOfAKilledRunAndNoOthers) {
  const lbm::testing::ScratchDirectory scratch;
  const auto fill = [&] {
    for (const char* name : {"checkpoint_000000007.h5.partial", "monitor.csv", "mine.partial",
                             "fields.hdf.series.partial", "checkpoint_000000006.h5"}) {
      lbm::testing::write_text(scratch.path() / name, "x");
    }
  };
  const auto here = [&](const char* name) {
    return std::filesystem::exists(scratch.path() / name);
  };
  for (const bool again : {true, false}) {
    fill();
    const auto run = again ? lbm::io::RunDirectory::open_again(scratch.path())
                           : lbm::io::RunDirectory::open(scratch.path(), true, true);
    EXPECT_FALSE(here("checkpoint_000000007.h5.partial"));
    EXPECT_FALSE(here("fields.hdf.series.partial"));
    EXPECT_TRUE(here("mine.partial"));
    EXPECT_EQ(here("monitor.csv"), again) << "results stay, or move to old-1";
    EXPECT_EQ(here("checkpoint_000000006.h5"), again);
  }
}

TEST(RunDirectory, IsNotOpenedAgainWhileARunWritesThere) {
  const lbm::testing::ScratchDirectory scratch;
  const auto run = lbm::io::RunDirectory::open_again(scratch.path());
  EXPECT_THROW(lbm::io::RunDirectory::open_again(scratch.path()), lbm::UsageError);
}

}  // namespace
