// SPDX-License-Identifier: Apache-2.0

// Atomic writes and disk helpers.
#include "io/files/place.hpp"

#include <gtest/gtest.h>

#include "solver/core/error.hpp"
#include "tests/io/scratch.hpp"

namespace {
using namespace lbm::testing;
using lbm::human_bytes;
using lbm::io::write_file_atomically;

TEST(AtomicFile, ReplacesTheOldFile) {
  const ScratchDirectory scratch;
  const auto path = scratch.path() / "report.json";
  write_file_atomically(path, "old and longer");
  write_file_atomically(path, "new");
  EXPECT_EQ(read_text(path), "new");
  EXPECT_EQ(names_in(scratch.path()), std::vector<std::string>{"report.json"});
}

TEST(AtomicFile, MissingDirectoryNamesTheFileAndTheCause) {
  const ScratchDirectory scratch;
  const auto path = scratch.path() / "missing" / "report.json";
  const auto line = message_of<lbm::ResourceError>([&] { write_file_atomically(path, "x"); });
  EXPECT_TRUE(contains(line, path.string())) << line;
  EXPECT_TRUE(contains(line, "No such file or directory")) << line;
}

TEST(AtomicFile, TooManyOpenFilesNameTheLimit) {
  const ScratchDirectory scratch;
  const auto act = [&] {
    const rlimit none{0, 0};
    setrlimit(RLIMIT_NOFILE, &none);
    std::string line;
    try {
      write_file_atomically(scratch.path() / "x.txt", "text");
    } catch (const lbm::ResourceError& error) {
      line = error.what();
    }
    // Without destructors: sanitizers open files to look at objects, and would report all of them.
    std::_Exit(line.ends_with("raise the limit on open files (ulimit -n)") ? 0 : 1);
  };
  EXPECT_EXIT(act(), ::testing::ExitedWithCode(0), "");
}

TEST(AtomicFile, FullDiskLeavesTheOldFileAndNoPartialOne) {
  TinyDisk disk("size=64k");
  if (!disk.mounted()) GTEST_SKIP() << "needs the right to mount a tmpfs";
  const auto path = disk.path() / "report.json";
  write_file_atomically(path, "old");
  const auto line = message_of<lbm::ResourceError>(
      [&] { write_file_atomically(path, std::string(1 << 20, 'x')); });
  EXPECT_TRUE(contains(line, "No space left on device")) << line;
  EXPECT_TRUE(contains(line, "needs 1.0 MiB")) << line;
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_EQ(read_text(path), "old");
  EXPECT_EQ(names_in(disk.path()), std::vector<std::string>{"report.json"});
}

TEST(Disk, HumanBytesKeepsOneDecimalAndRollsOver) {
  EXPECT_EQ(human_bytes(0), "0 B");
  EXPECT_EQ(human_bytes(1023), "1023 B");
  EXPECT_EQ(human_bytes(1536), "1.5 KiB");
  EXPECT_EQ(human_bytes((1ULL << 30) - 1), "1.0 GiB");
  EXPECT_EQ(human_bytes(5ULL << 40), "5.0 TiB");
  EXPECT_EQ(human_bytes(~0ULL), "16.0 EiB");
}

TEST(Disk, FreeBytesOfWhatDoesNotExistYetAreThoseOfItsParent) {
  TinyDisk disk("size=1m");
  if (!disk.mounted()) GTEST_SKIP() << "needs the right to mount a tmpfs";
  EXPECT_EQ(lbm::io::free_disk_bytes(disk.path() / "not" / "yet"), 1U << 20);
  write_text(disk.path() / "file", std::string(512 << 10, 'x'));
  EXPECT_EQ(lbm::io::free_disk_bytes(disk.path()), 512U << 10);
}

}  // namespace
