// SPDX-License-Identifier: Apache-2.0

// Checkpoint files: written data are read back, and any damage is detected.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <thread>

#include "io/checkpoint/checkpoint.hpp"
#include "io/files/checksum.hpp"
#include "solver/core/error.hpp"
#include "tests/io/scratch.hpp"

namespace {
namespace fs = std::filesystem;
using lbm::ResourceError;
using lbm::UsageError;
using lbm::io::CheckpointReader;
using lbm::io::CheckpointTexts;
using lbm::io::CheckpointWriter;
using lbm::io::Checksum;
using lbm::io::checksum;
using lbm::io::ElementType;
using lbm::io::PlaneArray;
using lbm::testing::contains;
using lbm::testing::message_of;
using lbm::testing::names_in;
using lbm::testing::read_text;
using lbm::testing::ScratchDirectory;
using lbm::testing::TinyDisk;
using lbm::testing::write_text;

using Bytes = std::vector<std::byte>;

const CheckpointTexts texts{{"header", "{\"step\": 7}"}, {"state", ""}, {"case", "name: \"a\"\n"}};
const std::vector<PlaneArray> arrays{{"populations", ElementType::float32, 11, 700},
                                     {"mean", ElementType::float64, 5, 33},
                                     {"half", ElementType::uint16, 3, 7}};

Bytes values_of(const PlaneArray& array, unsigned seed) {
  std::mt19937 random(seed);
  Bytes bytes(array.bytes());
  for (std::byte& b : bytes) b = static_cast<std::byte>(random());
  return bytes;
}

// Arrays in order, planes in several calls, the last ones first.
void write_checkpoint(const fs::path& path, int threads = 3) {
  CheckpointWriter writer(path, texts, arrays, threads);
  for (std::size_t a = 0; a < arrays.size(); ++a) {
    const Bytes all = values_of(arrays[a], static_cast<unsigned>(a));
    const std::int64_t half = arrays[a].planes / 2;
    const std::size_t cut = static_cast<std::size_t>(half) * arrays[a].plane_bytes();
    writer.write_planes(a, half, std::span(all).subspan(cut));
    writer.write_planes(a, 0, std::span(all).first(cut));
  }
  writer.close();
}

// All contents of a file, or its error as UsageError.
struct Contents {
  CheckpointTexts texts;
  std::vector<PlaneArray> arrays;
  std::vector<Bytes> values;
  bool operator==(const Contents&) const = default;
};

Contents read_checkpoint(const fs::path& path) {
  const CheckpointReader reader(path);
  Contents all{{}, reader.arrays(), {}};
  for (const auto& [name, text] : texts) all.texts[name] = reader.text(name);
  for (std::size_t a = 0; a < all.arrays.size(); ++a) {
    Bytes& values = all.values.emplace_back(all.arrays[a].bytes());
    const std::size_t plane = all.arrays[a].plane_bytes();
    for (std::int64_t z = 0; z < all.arrays[a].planes; ++z) {
      reader.read_plane(a, z,
                        std::span(values).subspan(static_cast<std::size_t>(z) * plane, plane));
    }
  }
  return all;
}

TEST(Checksum, SeesEveryFlippedBit) {
  Bytes bytes(200);
  std::iota(reinterpret_cast<unsigned char*>(bytes.data()),
            reinterpret_cast<unsigned char*>(bytes.data()) + bytes.size(), 0);
  const std::uint64_t right = checksum(bytes, 5);
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    bytes[bit / 8] ^= std::byte(1U << bit % 8);
    EXPECT_NE(checksum(bytes, 5), right) << bit;
    bytes[bit / 8] ^= std::byte(1U << bit % 8);
  }
  EXPECT_EQ(checksum(bytes, 5), right);
  EXPECT_NE(checksum(bytes, 6), right) << "seed";
  EXPECT_NE(checksum(std::span(bytes).first(199), 5), right);
}

TEST(Checksum, KnowsLengthOrderAndPieces) {
  const Bytes zeros(256);
  EXPECT_NE(checksum(std::span(zeros).first(64)), checksum(std::span(zeros).first(65)));
  EXPECT_NE(checksum(std::span(zeros).first(65)), checksum(std::span(zeros).first(66)));
  EXPECT_NE(checksum({}), checksum(std::span(zeros).first(1)));
  Bytes two(128);
  two[0] = std::byte(1);
  Bytes swapped(128);
  swapped[64] = std::byte(1);
  EXPECT_NE(checksum(two), checksum(swapped));
  const Bytes all = values_of(arrays[0], 1);
  Checksum sum(9);
  sum.add(std::span(all).first(640));
  sum.add(std::span(all).subspan(640));
  EXPECT_EQ(sum.value(), checksum(all, 9));
  Checksum pieces(9);
  for (std::size_t at = 0; at < all.size(); at += 13)
    pieces.add(std::span(all).subspan(at, std::min<std::size_t>(13, all.size() - at)));
  EXPECT_EQ(pieces.value(), checksum(all, 9));
}

TEST(Checkpoint, ComesBackAsItWas) {
  const ScratchDirectory scratch;
  for (const int threads : {1, 4}) {
    const fs::path path = scratch.path() / "a.h5";
    write_checkpoint(path, threads);
    const Contents read = read_checkpoint(path);
    EXPECT_EQ(read.texts, texts);
    EXPECT_EQ(read.arrays, arrays);
    for (std::size_t a = 0; a < arrays.size(); ++a) {
      EXPECT_EQ(read.values[a], values_of(arrays[a], static_cast<unsigned>(a)));
    }
    EXPECT_LE(fs::file_size(path), lbm::io::predicted_checkpoint_bytes(texts, arrays));
    EXPECT_EQ(names_in(scratch.path()), std::vector<std::string>{"a.h5"});
  }
}

TEST(Checkpoint, HasTheSameBytesWheneverItIsWritten) {
  const ScratchDirectory scratch;
  write_checkpoint(scratch.path() / "a.h5");
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // HDF5 time stamps count seconds
  write_checkpoint(scratch.path() / "b.h5");
  EXPECT_TRUE(read_text(scratch.path() / "a.h5") == read_text(scratch.path() / "b.h5"));
}

TEST(Checkpoint, FindsArraysByName) {
  const ScratchDirectory scratch;
  write_checkpoint(scratch.path() / "a.h5");
  const CheckpointReader reader(scratch.path() / "a.h5");
  EXPECT_EQ(reader.find("mean"), 1U);
  EXPECT_FALSE(reader.find("none"));
  EXPECT_EQ(reader.text("none"), "");
}

TEST(Checkpoint, HoldsManyPlanesAndLongTexts) {
  const ScratchDirectory scratch;
  const fs::path path = scratch.path() / "a.h5";
  const CheckpointTexts longer{{"state", std::string(3 << 20, 'x')}};
  const std::vector<PlaneArray> many{{"populations", ElementType::float32, 70000, 2}};
  const Bytes values = values_of(many[0], 3);
  CheckpointWriter writer(path, longer, many);
  writer.write_planes(0, 0, values);
  writer.close();
  const CheckpointReader reader(path);
  EXPECT_EQ(reader.text("state"), longer.at("state"));
  Bytes plane(8);
  for (const std::int64_t z : {0, 1, 35000, 69999}) {
    reader.read_plane(0, z, plane);
    EXPECT_EQ(std::memcmp(plane.data(), values.data() + 8 * z, 8), 0) << z;
  }
}

TEST(Checkpoint, IsRefusedAtAnyOtherLength) {
  const ScratchDirectory scratch;
  const fs::path path = scratch.path() / "a.h5";
  write_checkpoint(path);
  const auto size = static_cast<std::size_t>(fs::file_size(path));
  const std::string whole = read_text(path);
  std::vector<std::size_t> lengths{0,    1,    15,   16,       511,      512,
                                   4095, 4096, 4097, size - 1, size + 1, size + 4096};
  for (std::size_t l = 0; l < size; l += 97) lengths.push_back(l);
  for (const std::size_t length : lengths) {
    std::string cut = whole;
    cut.resize(length);
    write_text(path, cut);
    const auto message = message_of<UsageError>([&] { read_checkpoint(path); });
    EXPECT_EQ(message.find('\n'), std::string::npos);
    EXPECT_TRUE(message.starts_with(path.string() + ": is ")) << message;
  }
}

// A flipped bit in data, HDF5 metadata, texts or user block is found, unless the byte is unused.
TEST(Checkpoint, NeverBelievesAFlippedBit) {
  const ScratchDirectory scratch;
  const fs::path path = scratch.path() / "a.h5";
  write_checkpoint(path);
  const Contents right = read_checkpoint(path);
  std::string bytes = read_text(path);
  std::mt19937_64 random(20251122);
  int refused = 0;
  constexpr int flips = 4000;
  for (int i = 0; i < flips; ++i) {
    // Compared with a real file this one is small: about half of the flips hit its metadata.
    const std::size_t at = random() % bytes.size();
    const auto bit = static_cast<char>(1 << random() % 8);
    bytes[at] = static_cast<char>(bytes[at] ^ bit);
    write_text(path, bytes);
    try {
      EXPECT_EQ(read_checkpoint(path), right) << "byte " << at;
    } catch (const UsageError& error) {
      ++refused;
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    }
    bytes[at] = static_cast<char>(bytes[at] ^ bit);
  }
  EXPECT_EQ(refused, flips) << "every byte of the file is under a checksum";
}

TEST(Checkpoint, NeverBelievesPlanesThatChangedPlaces) {
  const ScratchDirectory scratch;
  const fs::path path = scratch.path() / "a.h5";
  write_checkpoint(path);
  std::string bytes = read_text(path);
  const Bytes all = values_of(arrays[0], 0);
  const std::string_view first(reinterpret_cast<const char*>(all.data()), arrays[0].plane_bytes());
  const auto begin = bytes.find(first);
  ASSERT_NE(begin, std::string::npos);
  std::swap_ranges(bytes.begin() + static_cast<std::ptrdiff_t>(begin),
                   bytes.begin() + static_cast<std::ptrdiff_t>(begin + first.size()),
                   bytes.begin() + static_cast<std::ptrdiff_t>(begin + first.size()));
  write_text(path, bytes);
  EXPECT_TRUE(contains(message_of<UsageError>([&] { read_checkpoint(path); }),
                       "the checksum of plane 0 of populations is wrong"));
}

TEST(Checkpoint, RefusesForeignFiles) {
  const ScratchDirectory scratch;
  const fs::path path = scratch.path() / "x";
  const auto refusal = [&] {
    return message_of<UsageError>([&] { CheckpointReader reader(path); });
  };
  EXPECT_TRUE(contains(refusal(), "No such file")) << "missing";
  fs::create_directory(path);
  EXPECT_TRUE(contains(refusal(), "is a directory"));
  fs::remove(path);
  write_text(path, "");
  EXPECT_TRUE(contains(refusal(), "no checkpoint of lbm"));
  write_text(path, "name: cavity\n");
  EXPECT_TRUE(contains(refusal(), "no checkpoint of lbm"));
  // Starts like an HDF5 file.
  write_text(path, std::string("\x89HDF\r\n\x1a\n", 8) + std::string(8192, '\0'));
  EXPECT_TRUE(contains(refusal(), "no checkpoint of lbm"));
  fs::remove(path);
  if (fs::exists("/dev/zero")) {
    fs::create_symlink("/dev/zero", path);
    EXPECT_TRUE(contains(refusal(), "no regular file"));
  }
}

TEST(Checkpoint, RefusesOtherVersions) {
  const ScratchDirectory scratch;
  const fs::path path = scratch.path() / "a.h5";
  write_checkpoint(path);
  std::string bytes = read_text(path);
  lbm::io::checkpoint::UserBlockBytes block;
  std::memcpy(block.data(), bytes.data(), block.size());
  lbm::io::checkpoint::UserBlock contents;
  ASSERT_EQ(lbm::io::checkpoint::from_bytes(block, contents), "");
  contents.format = 2;
  block = lbm::io::checkpoint::to_bytes(contents);
  std::memcpy(bytes.data(), block.data(), block.size());
  write_text(path, bytes);
  EXPECT_TRUE(
      contains(message_of<UsageError>([&] { CheckpointReader reader(path); }), "another version"));
}

TEST(Checkpoint, OneThatIsNotClosedLeavesTheOldOne) {
  const ScratchDirectory scratch;
  const fs::path path = scratch.path() / "a.h5";
  write_checkpoint(path);
  const std::string before = read_text(path);
  {
    CheckpointWriter writer(path, texts, arrays);
    writer.write_planes(0, 0, values_of(arrays[0], 8));
    EXPECT_EQ(names_in(scratch.path()), (std::vector<std::string>{"a.h5", "a.h5.partial"}));
  }
  EXPECT_EQ(names_in(scratch.path()), std::vector<std::string>{"a.h5"});
  EXPECT_EQ(read_text(path), before);
}

TEST(Checkpoint, WantsEveryPlaneOnce) {
  const ScratchDirectory scratch;
  CheckpointWriter writer(scratch.path() / "a.h5", texts, arrays);
  const Bytes all = values_of(arrays[1], 8);
  const auto plane = std::span(all).first(arrays[1].plane_bytes());
  writer.write_planes(1, 2, plane);
  EXPECT_THROW(writer.write_planes(1, 2, plane), std::logic_error);
  EXPECT_THROW(writer.write_planes(1, 5, plane), std::logic_error);
  EXPECT_THROW(writer.write_planes(1, -1, plane), std::logic_error);
  EXPECT_THROW(writer.write_planes(1, 0, plane.first(8)), std::logic_error);
  EXPECT_THROW(writer.close(), std::logic_error) << "planes are missing";
}

TEST(Checkpoint, WantsNames) {
  const ScratchDirectory scratch;
  const fs::path path = scratch.path() / "a.h5";
  const auto make = [&](const CheckpointTexts& t, const std::vector<PlaneArray>& a) {
    CheckpointWriter writer(path, t, a);
  };
  EXPECT_THROW(make({{"a/b", ""}}, arrays), std::invalid_argument);
  EXPECT_THROW(make({{"planes", ""}}, arrays), std::invalid_argument);
  EXPECT_THROW(make(texts, {arrays[0], arrays[0]}), std::invalid_argument);
  EXPECT_THROW(make(texts, {{"empty", ElementType::uint16, 0, 4}}), std::invalid_argument);
  EXPECT_TRUE(names_in(scratch.path()).empty());
}

TEST(Checkpoint, AFullDiskShowsBeforeAnythingIsWrittenAndHarmsNothing) {
  const TinyDisk disk("size=1m");
  if (!disk.mounted()) GTEST_SKIP() << "may not mount a tmpfs here";
  const fs::path path = disk.path() / "a.h5";
  write_checkpoint(path);
  const std::string before = read_text(path);
  const std::vector<PlaneArray> large{{"populations", ElementType::float32, 300, 1000}};
  const auto message =
      message_of<ResourceError>([&] { CheckpointWriter writer(path, texts, large); });
  EXPECT_TRUE(contains(message, "No space left")) << message;
  EXPECT_TRUE(contains(message, "the file needs 1.2")) << message;
  EXPECT_EQ(read_text(path), before);
  EXPECT_EQ(names_in(disk.path()), std::vector<std::string>{"a.h5"});
}

TEST(Checkpoint, SaysWhereItCannotWrite) {
  const ScratchDirectory scratch;
  const fs::path path = scratch.path() / "none" / "a.h5";
  const auto message = message_of<ResourceError>([&] { write_checkpoint(path); });
  EXPECT_TRUE(contains(message, path.string() + ": cannot write: No such file")) << message;
  TinyDisk disk("size=1m");
  if (!disk.mounted() || !disk.make_read_only()) GTEST_SKIP() << "may not mount a tmpfs here";
  EXPECT_TRUE(contains(message_of<ResourceError>([&] { write_checkpoint(disk.path() / "a.h5"); }),
                       "Read-only"));
}

}  // namespace
