// SPDX-License-Identifier: Apache-2.0

// A checkpoint with several writers: the same bytes, and never in another file.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <random>

#include "io/checkpoint/checkpoint.hpp"
#include "solver/core/error.hpp"
#include "tests/io/scratch.hpp"

namespace {
namespace fs = std::filesystem;
using lbm::ResourceError;
using lbm::io::ArrayPlace;
using lbm::io::CheckpointPart;
using lbm::io::CheckpointReader;
using lbm::io::CheckpointWriter;
using lbm::io::ElementType;
using lbm::io::PlaneArray;
using lbm::io::PlaneSum;
using lbm::testing::contains;
using lbm::testing::FileSizeLimit;
using lbm::testing::message_of;
using lbm::testing::names_in;
using lbm::testing::read_text;
using lbm::testing::ScratchDirectory;
using lbm::testing::write_text;

using Bytes = std::vector<std::byte>;

const lbm::io::CheckpointTexts texts{{"header", "{\"step\": 7}"}};
// Planes larger than a piece, and no multiple of disk blocks.
const std::vector<PlaneArray> arrays{{"mean", ElementType::float64, 5, 33},
                                     {"populations", ElementType::float32, 9, 70001}};
constexpr std::size_t populations = 1;

Bytes values_of(std::size_t array) {
  std::mt19937 random(static_cast<unsigned>(array));
  Bytes bytes(arrays[array].bytes());
  for (std::byte& b : bytes) b = static_cast<std::byte>(random());
  return bytes;
}

std::span<const std::byte> planes_of(const Bytes& all, std::int64_t first, std::int64_t count) {
  const std::size_t bytes = arrays[populations].plane_bytes();
  return std::span(all).subspan(static_cast<std::size_t>(first) * bytes,
                                static_cast<std::size_t>(count) * bytes);
}

std::string written_alone(const fs::path& path) {
  CheckpointWriter writer(path, texts, arrays);
  for (std::size_t a = 0; a < arrays.size(); ++a) writer.write_planes(a, 0, values_of(a));
  writer.close();
  return read_text(path);
}

// The writer has planes 0 and 1 of nine; two other processes write the rest.
TEST(CheckpointPart, GivesTheBytesThatOneWriterGives) {
  const ScratchDirectory scratch;
  const fs::path path = scratch.path() / "shared.h5";
  const Bytes all = values_of(populations);
  CheckpointWriter writer(path, texts, arrays);
  for (const int threads : {1, 4}) {
    auto part = CheckpointPart::open(writer.partial(), writer.share(populations), threads);
    ASSERT_TRUE(part);
    const std::int64_t first = threads == 1 ? 2 : 6;
    EXPECT_EQ(part->write_planes(first + 1, planes_of(all, first + 1, threads == 1 ? 3 : 2)), 0);
    EXPECT_EQ(part->write_planes(first, planes_of(all, first, 1)), 0);
    EXPECT_EQ(part->sync(), 0);
    writer.add_planes(populations, part->sums());
  }
  writer.write_planes(populations, 0, planes_of(all, 0, 2));
  writer.write_planes(0, 0, values_of(0));
  writer.close();
  EXPECT_TRUE(read_text(path) == written_alone(scratch.path() / "alone.h5"));
  Bytes plane(arrays[populations].plane_bytes());
  const CheckpointReader reader(path);
  for (std::int64_t z = 0; z < arrays[populations].planes; ++z) reader.read_plane(1, z, plane);
}

TEST(CheckpointPart, IsOpenedFromEverywhere) {
  const ScratchDirectory scratch;
  const fs::path before = fs::current_path();
  fs::current_path(scratch.path());
  CheckpointWriter writer("a.h5", texts, arrays);
  const fs::path partial = writer.partial();
  fs::current_path(before);
  EXPECT_TRUE(CheckpointPart::open(partial, writer.share(populations)));
  fs::current_path(scratch.path());  // where the writer removes its file
  { const CheckpointWriter gone = std::move(writer); }
  fs::current_path(before);
}

TEST(CheckpointPart, IsNotOpenedInAnotherFile) {
  const ScratchDirectory scratch;
  CheckpointWriter writer(scratch.path() / "a.h5", texts, arrays);
  const ArrayPlace place = writer.share(populations);
  CheckpointWriter other(scratch.path() / "b.h5", texts, arrays);
  EXPECT_FALSE(CheckpointPart::open(other.partial(), place)) << "that nobody shares";
  EXPECT_NE(other.share(populations).token.value, place.token.value);
  EXPECT_FALSE(CheckpointPart::open(other.partial(), place)) << "that others share";
  EXPECT_FALSE(CheckpointPart::open(scratch.path() / "none", place));
  EXPECT_FALSE(CheckpointPart::open(scratch.path() / "none" / "none", place));
  EXPECT_FALSE(CheckpointPart::open(scratch.path(), place));
  write_text(scratch.path() / "short", "x");
  EXPECT_FALSE(CheckpointPart::open(scratch.path() / "short", place));
  EXPECT_TRUE(CheckpointPart::open(writer.partial(), place));
}

TEST(CheckpointPart, WantsEveryPlaneOnce) {
  const ScratchDirectory scratch;
  CheckpointWriter writer(scratch.path() / "a.h5", texts, arrays);
  auto part = CheckpointPart::open(writer.partial(), writer.share(populations));
  ASSERT_TRUE(part);
  const Bytes all = values_of(populations);
  EXPECT_THROW(part->write_planes(8, planes_of(all, 0, 2)), std::logic_error);
  EXPECT_THROW(part->write_planes(-1, planes_of(all, 0, 1)), std::logic_error);
  EXPECT_THROW(part->write_planes(0, planes_of(all, 0, 1).first(8)), std::logic_error);
  writer.add_planes(populations, std::vector<PlaneSum>{{3, 1}});
  EXPECT_THROW(writer.add_planes(populations, std::vector<PlaneSum>{{3, 1}}), std::logic_error);
  EXPECT_THROW(writer.add_planes(populations, std::vector<PlaneSum>{{9, 1}}), std::logic_error);
  EXPECT_THROW(writer.add_planes(populations, std::vector<PlaneSum>{{-1, 1}}), std::logic_error);
  EXPECT_THROW(writer.write_planes(populations, 3, planes_of(all, 3, 1)), std::logic_error);
  EXPECT_THROW(writer.close(), std::logic_error) << "planes are missing";
}

// As with a quota on one host, against which the writer's reservation does not help.
TEST(CheckpointPart, TellsThatTheFileIsFullAndTheOldOneStays) {
  const ScratchDirectory scratch;
  const fs::path path = scratch.path() / "a.h5";
  const std::string before = written_alone(path);
  CheckpointWriter writer(path, texts, arrays);
  auto part = CheckpointPart::open(writer.partial(), writer.share(populations));
  ASSERT_TRUE(part);
  const Bytes all = values_of(populations);
  int error = 0;
  {
    const FileSizeLimit limit(500000);
    EXPECT_EQ(part->write_planes(0, planes_of(all, 0, 1)), 0);
    error = part->write_planes(1, planes_of(all, 1, 4));
  }
  EXPECT_EQ(error, EFBIG);
  EXPECT_EQ(part->sums().size(), 1U);
  const auto message = message_of<ResourceError>([&] { writer.fail(error); });
  EXPECT_TRUE(contains(message, path.string() + ": cannot write: File too large")) << message;
  EXPECT_TRUE(contains(message, "the file needs 2.")) << message;
  EXPECT_EQ(names_in(scratch.path()), std::vector<std::string>{"a.h5"});
  EXPECT_TRUE(read_text(path) == before);
  EXPECT_THROW(writer.add_planes(populations, part->sums()), std::logic_error) << "it has ended";
}

}  // namespace
