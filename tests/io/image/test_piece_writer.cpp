// SPDX-License-Identifier: Apache-2.0

// Arrays cut into pieces and written by several threads: every value at its offset, every failure
// reported.
#include "io/image/image.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>

#include "io/files/place.hpp"
#include "solver/lattice/storage.hpp"
#include "tests/io/scratch.hpp"

namespace {
using namespace lbm::testing;
using lbm::io::FloatBlock;
using lbm::io::MappedRange;
using lbm::io::PieceWriter;
using lbm::io::Precision;
using lbm::io::UniqueFd;

std::vector<float> numbers(std::size_t count, float first) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = first + static_cast<float>(i % 9973);
  return values;
}

class Threads : public ::testing::TestWithParam<int> {};

TEST_P(Threads, EveryValueIsAtItsPlace) {
  const ScratchDirectory scratch;
  const auto path = scratch.path() / "f";
  const auto a = numbers(1'000'003, 1), b = numbers(7, -5), c = numbers(300'000, 0.5F);
  const std::uint64_t at_b = 100 + a.size() * 4 + 12, at_c = at_b + b.size() * 4;
  {
    const UniqueFd fd = lbm::io::Place(path).create();
    PieceWriter writer(fd.get(), GetParam());
    for (int again = 0; again < 20; ++again) {  // reuses the helpers
      const FloatBlock blocks[] = {{a, 100}, {b, at_b}, {c, at_c}};
      ASSERT_EQ(writer.write(blocks), 0);
    }
    EXPECT_EQ(writer.write({}), 0);
  }
  const std::string text = read_text(path);
  ASSERT_EQ(text.size(), at_c + c.size() * 4);
  const auto expect = [&](const std::vector<float>& values, std::uint64_t at) {
    std::vector<float> found(values.size());
    std::memcpy(found.data(), text.data() + at, values.size() * 4);
    for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(found[i], values[i]) << i;
  };
  expect(a, 100);
  expect(b, at_b);
  expect(c, at_c);
  EXPECT_EQ(text.substr(at_b - 12, 12), std::string(12, '\0')) << "the gap between blocks";
}

TEST_P(Threads, OtherPrecisionsAreRounded) {
  const ScratchDirectory scratch;
  const auto values = numbers(500'000, 0.25F);
  {
    const UniqueFd fd = lbm::io::Place(scratch.path() / "f").create();
    PieceWriter writer(fd.get(), GetParam());
    const FloatBlock blocks[] = {{values, 0, Precision::float16},
                                 {values, values.size() * 2, Precision::uint8}};
    ASSERT_EQ(writer.write(blocks), 0);
  }
  const std::string text = read_text(scratch.path() / "f");
  ASSERT_EQ(text.size(), values.size() * 3);
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::uint16_t half;
    std::memcpy(&half, text.data() + 2 * i, 2);
    ASSERT_EQ(half, lbm::float_to_half(values[i])) << i;
    ASSERT_EQ(static_cast<unsigned char>(text[2 * values.size() + i]),
              std::lround(std::min(values[i], 255.0F)))
        << i;
  }
}

TEST_P(Threads, TellsTheErrorAndWorksAgain) {
  const UniqueFd full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
  ASSERT_TRUE(full.valid());
  const auto values = numbers(2'000'000, 0);
  const FloatBlock blocks[] = {{values, 0}};
  PieceWriter writer(full.get(), GetParam());
  for (int i = 0; i < 20; ++i) EXPECT_EQ(writer.write(blocks), ENOSPC);
  const UniqueFd read_only(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  PieceWriter other(read_only.get(), GetParam());
  EXPECT_EQ(other.write(blocks), EBADF);
}

// A tmpfs that ends in the middle of a piece: a short write.
TEST_P(Threads, AShortWriteIsTheErrorThatEndsIt) {
  const TinyDisk disk("size=100k");
  if (!disk.mounted()) GTEST_SKIP() << "needs the right to mount a tmpfs";
  const UniqueFd fd = lbm::io::Place(disk.path() / "f").create();
  const auto values = numbers(100'000, 0);
  const FloatBlock blocks[] = {{values, 0}};
  PieceWriter writer(fd.get(), GetParam());
  EXPECT_EQ(writer.write(blocks), ENOSPC);
}

// As files of results, which are reserved first.
TEST_P(Threads, EveryValueIsAtItsPlaceOfAReservedFile) {
  const ScratchDirectory scratch;
  const auto path = scratch.path() / "f";
  const auto a = numbers(1'000'003, 1), b = numbers(300'000, 0.5F);
  const std::uint64_t at_b = 101 + a.size() * 4, size = at_b + b.size() * 2 + 5;
  {
    const UniqueFd fd = lbm::io::Place(path).create();
    ASSERT_EQ(lbm::io::reserve_bytes(fd.get(), size), 0);
    PieceWriter writer(fd.get(), GetParam());
    const FloatBlock blocks[] = {{a, 101}, {b, at_b, Precision::float16}};
    ASSERT_EQ(writer.write(blocks), 0);
  }
  const std::string text = read_text(path);
  ASSERT_EQ(text.size(), size);
  EXPECT_EQ(std::memcmp(text.data() + 101, a.data(), a.size() * 4), 0);
  for (std::size_t i = 0; i < b.size(); ++i) {
    std::uint16_t half;
    std::memcpy(&half, text.data() + at_b + 2 * i, 2);
    ASSERT_EQ(half, lbm::float_to_half(b[i])) << i;
  }
  EXPECT_EQ(text.substr(0, 101), std::string(101, '\0'));
  EXPECT_EQ(text.substr(size - 5), std::string(5, '\0'));
}

INSTANTIATE_TEST_SUITE_P(Some, Threads, ::testing::Values(1, 2, 5));

TEST(MappedRange, IsOfAFileWithoutHoles) {
  const ScratchDirectory scratch;
  const UniqueFd fd = lbm::io::Place(scratch.path() / "f").create();
  EXPECT_FALSE(MappedRange::open(fd.get(), 0, 10)) << "an empty file";
  ASSERT_EQ(::ftruncate(fd.get(), 1 << 20), 0);
  EXPECT_FALSE(MappedRange::open(fd.get(), 0, 10)) << "a hole";
  ASSERT_EQ(lbm::io::reserve_bytes(fd.get(), 1 << 20), 0);
  EXPECT_FALSE(MappedRange::open(fd.get(), 1 << 20, 1)) << "past the end";
  auto range = MappedRange::open(fd.get(), 5000, 3);
  if (!range) GTEST_SKIP() << "another file system";
  std::memcpy(range->data(), "abc", 3);
  range.reset();
  EXPECT_EQ(read_text(scratch.path() / "f").substr(4999, 5), std::string("\0abc\0", 5));
  const UniqueFd read_only(::open((scratch.path() / "f").c_str(), O_RDONLY | O_CLOEXEC));
  EXPECT_FALSE(MappedRange::open(read_only.get(), 0, 10));
}

TEST(PieceWriter, IsSaidHowManyThreadsSuitTheMachine) {
  EXPECT_GE(lbm::io::writer_threads(), 1);
  EXPECT_LE(lbm::io::writer_threads(), 16);
}

}  // namespace
