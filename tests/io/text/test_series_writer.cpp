// SPDX-License-Identifier: Apache-2.0

// Indexes of time series: contents, and continuation by a restarted run.
#include "io/text/series_writer.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "solver/core/error.hpp"
#include "tests/io/scratch.hpp"

namespace {
using namespace lbm::testing;
using lbm::io::SeriesWriter;

TEST(SeriesWriter, ListsEveryFileAddedSoFar) {
  const ScratchDirectory scratch;
  SeriesWriter series(scratch.path() / "fields.hdf.series");
  series.add("fields_0.hdf", 0);
  const auto first = read_text(series.path());
  series.add("fields_1.hdf", 0.25);
  EXPECT_FALSE(contains(first, "fields_1.hdf"));
  EXPECT_EQ(read_text(series.path()), R"({
  "file-series-version": "1.0",
  "files": [
    {
      "name": "fields_0.hdf",
      "time": 0.0
    },
    {
      "name": "fields_1.hdf",
      "time": 0.25
    }
  ]
}
)");
}

TEST(SeriesWriter, PvdListsTheSame) {
  const ScratchDirectory scratch;
  SeriesWriter series(scratch.path() / "slice.pvd");
  series.add("slice_0.vti", 0.5);
  series.add("slice_1.pvti", 1.75);
  EXPECT_EQ(read_text(series.path()), R"(<?xml version="1.0"?>
<VTKFile type="Collection" version="0.1" byte_order="LittleEndian">
  <Collection>
    <DataSet file="slice_0.vti" part="0" timestep="0.5"/>
    <DataSet file="slice_1.pvti" part="0" timestep="1.75"/>
  </Collection>
</VTKFile>
)");
}

// Each write makes a new file, since the index is replaced atomically.
TEST(SeriesWriter, OfManyFilesIsNotRewrittenForEach) {
  const ScratchDirectory scratch;
  const auto path = scratch.path() / "many.hdf.series";
  constexpr int files = 1000;
  int writes = 0;
  {
    SeriesWriter series(path);
    ino_t before = 0;
    for (int i = 0; i < files; ++i) {
      series.add("f_" + std::to_string(i) + ".hdf", i);
      struct stat now {};
      ASSERT_EQ(::stat(path.c_str(), &now), 0);
      if (now.st_ino != before) ++writes;
      before = now.st_ino;
    }
  }
  EXPECT_LT(writes, files / 2);
  EXPECT_TRUE(contains(read_text(path), "f_999.hdf"));
}

class Endings : public ::testing::TestWithParam<const char*> {
 protected:
  // The index of these files, written at once.
  std::string index_of(std::vector<std::pair<std::string, double>> entries) const {
    const ScratchDirectory other;
    SeriesWriter series(other.path() / GetParam());
    for (const auto& [name, time] : entries) series.add(name, time);
    return read_text(series.path());
  }
  ScratchDirectory scratch_;
  std::filesystem::path path_ = scratch_.path() / GetParam();
};

TEST_P(Endings, ARestartedRunCutsWhatComesAgainAndGoesOn) {
  const double third = 1.0 / 3;
  SeriesWriter first(path_);
  for (int i = 0; i < 6; ++i) first.add("a" + std::to_string(i), i * third);
  SeriesWriter second(path_);
  second.continue_after(1.0);  // time of i = 3, which 3 * third may miss by rounding
  EXPECT_EQ(read_text(path_),
            index_of({{"a0", 0}, {"a1", third}, {"a2", 2 * third}, {"a3", 3 * third}}));
  second.add("b4", 4 * third);
  EXPECT_EQ(
      read_text(path_),
      index_of(
          {{"a0", 0}, {"a1", third}, {"a2", 2 * third}, {"a3", 3 * third}, {"b4", 4 * third}}));
}

TEST_P(Endings, TheSameTimeIsListedOnceAndTimesAreInOrder) {
  SeriesWriter series(path_);
  series.add("old", 1);
  series.add("late", 2);
  series.add("new", 1);
  series.add("early", 0.5);
  EXPECT_EQ(read_text(path_), index_of({{"early", 0.5}, {"new", 1}, {"late", 2}}));
}

TEST_P(Endings, WithoutAFileARestartedRunStartsOne) {
  SeriesWriter series(path_);
  series.continue_after(7);
  series.add("a", 8);
  EXPECT_EQ(read_text(path_), index_of({{"a", 8}}));
}

TEST_P(Endings, ForeignAndDamagedIndexesAreRefusedAndKept) {
  SeriesWriter writer(path_);
  writer.add("a", 1);
  writer.add("b", 2);
  const auto good = read_text(path_);
  std::vector<std::string> bad{"", "{}", "<VTKFile/>", "my notes", good + "\n"};
  for (std::size_t length = 0; length < good.size(); ++length) {
    bad.push_back(good.substr(0, length));
    bad.push_back(good);
    bad.back()[length] ^= 1;
  }
  int accepted = 0;
  for (const auto& text : bad) {
    write_text(path_, text);
    SeriesWriter series(path_);
    try {
      series.continue_after(9);
      ++accepted;  // another name or time: cannot be detected
    } catch (const lbm::UsageError& error) {
      EXPECT_TRUE(contains(error.what(), path_.string())) << error.what();
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
    EXPECT_EQ(read_text(path_), text);
  }
  EXPECT_LT(accepted, 10);
  std::filesystem::remove(path_);
  std::filesystem::create_directory(path_);
  EXPECT_THROW(SeriesWriter(path_).continue_after(1), lbm::UsageError);
}

TEST_P(Endings, NamesThatWouldBreakTheIndexAreRefused) {
  SeriesWriter series(path_);
  for (const char* name : {"", "a\"b", "a\nb", "a<b", "a&b", "a\\b"})
    EXPECT_THROW(series.add(name, 1), std::invalid_argument) << name;
  EXPECT_FALSE(std::filesystem::exists(path_));
}

INSTANTIATE_TEST_SUITE_P(Both, Endings, ::testing::Values("x.hdf.series", "x.pvd"));

}  // namespace
