// SPDX-License-Identifier: Apache-2.0

// Files go to the directory that was opened, and never through a symbolic link.
#include <gtest/gtest.h>

#include "io/checkpoint/checkpoint.hpp"
#include "io/files/place.hpp"
#include "io/files/run_directory.hpp"
#include "io/text/csv.hpp"
#include "io/text/series_writer.hpp"
#include "solver/core/error.hpp"
#include "tests/io/image_fixture.hpp"
#include "tests/io/scratch.hpp"

namespace {
using namespace lbm::testing;
using lbm::io::RunDirectory;
namespace fs = std::filesystem;
using Names = std::vector<std::string>;

template <class Stem>
void write_image(const Stem& stem) {
  const auto writer = make_image_writer(stem, image_3d, three_arrays(), info_3d);
  for (int z = 0; z < image_3d.points[2]; ++z) write_plane_of(*writer, image_3d, z);
  writer->close();
}

class HeldDirectory : public ::testing::Test {
 protected:
  void write_one_of_each() const {
    lbm::io::write_file_atomically(run_.file("report.json"), "{}");
    lbm::io::CsvLog log(run_.file("monitor.csv"), {}, {"step", "time", "a"});
    log.add(1, 1, {1});
    log.sync();
    lbm::io::SeriesWriter(run_.file("f.pvd")).add("f_1.vtp", 1);
    write_image(run_.file("f_1"));
    const std::vector<std::byte> plane(8);
    lbm::io::CheckpointWriter checkpoint(run_.file("checkpoint_000000001.h5"), {{"header", "{}"}},
                                         {{"a", lbm::io::ElementType::float64, 1, 1}});
    checkpoint.write_planes(0, 0, plane);
    checkpoint.close();
  }
  Names results() const {
    return {"checkpoint_000000001.h5", "f.pvd", "f_1.hdf", "monitor.csv", "report.json"};
  }
  Names names_of(const fs::path& directory) const {
    Names names = names_in(directory);
    std::erase(names, ".lbm-lock");
    return names;
  }

  ScratchDirectory scratch_;
  fs::path out_ = scratch_.path() / "out";
  RunDirectory run_ = RunDirectory::open(out_, true, false);
};

// As `mv out moved; lbm run --out out` does.
TEST_F(HeldDirectory, IsTheOneThatWasOpenedWhateverTakesItsName) {
  fs::rename(out_, scratch_.path() / "moved");
  fs::create_directory(out_);
  write_one_of_each();
  EXPECT_EQ(names_of(scratch_.path() / "moved"), results());
  EXPECT_EQ(names_of(out_), Names());
}

TEST_F(HeldDirectory, ReplacesLinksInsteadOfWritingThroughThem) {
  const fs::path victim = scratch_.path() / "victim";
  write_text(victim, "precious");
  for (const std::string& name : results()) {
    fs::create_symlink(victim, out_ / (name + ".partial"));
    fs::create_symlink(victim, out_ / name);
  }
  write_one_of_each();
  EXPECT_EQ(read_text(victim), "precious");
  for (const std::string& name : results()) EXPECT_FALSE(fs::is_symlink(out_ / name)) << name;
}

TEST_F(HeldDirectory, ALogDoesNotGrowInAnotherFile) {
  const fs::path victim = scratch_.path() / "victim";
  write_text(victim, "precious");
  lbm::io::CsvLog log(run_.file("monitor.csv"), {}, {"step", "time", "a"});
  fs::remove(out_ / "monitor.csv");
  fs::create_symlink(victim, out_ / "monitor.csv");
  log.add(1, 1, {1});
  const auto line = message_of<lbm::ResourceError>([&] { log.flush(); });
  EXPECT_TRUE(contains(line, "monitor.csv")) << line;
  EXPECT_EQ(read_text(victim), "precious");
}

TEST_F(HeldDirectory, IsNotLockedThroughALink) {
  const fs::path other = scratch_.path() / "other", elsewhere = scratch_.path() / "elsewhere";
  fs::create_directory(other);
  fs::create_symlink(elsewhere, other / ".lbm-lock");
  EXPECT_THROW(RunDirectory::open(other, true, false), lbm::ResourceError);
  EXPECT_FALSE(fs::exists(elsewhere));
}

// A file that another process has put in the place of a partial one is not taken for a result.
TEST_F(HeldDirectory, APartialFileOfAnotherProcessIsNotCommitted) {
  lbm::io::CheckpointWriter writer(run_.file("a.h5"), {},
                                   {{"a", lbm::io::ElementType::float64, 1, 1}});
  fs::remove(out_ / "a.h5.partial");
  write_text(out_ / "a.h5.partial", "of another process");
  writer.write_planes(0, 0, std::vector<std::byte>(8));
  EXPECT_THROW(writer.close(), lbm::ResourceError);
  EXPECT_FALSE(fs::exists(out_ / "a.h5"));
}

}  // namespace
