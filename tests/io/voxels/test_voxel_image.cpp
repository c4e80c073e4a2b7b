// SPDX-License-Identifier: Apache-2.0

// Images of voxels: headers, sizes, labels.
#include "io/voxels/voxel_image.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>

#include "tests/io/voxels/voxel_fixture.hpp"

namespace lbm::io {
namespace {

namespace fs = std::filesystem;

std::string npy(const std::string& dictionary, const std::string& data) {
  std::string header = dictionary + "\n";
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size() & 0xff) +
         static_cast<char>(header.size() >> 8) + header + data;
}

TEST_F(VoxelImages, AreReadWhateverTheirHeader) {
  expect_known_labels(write("a.raw", two_bytes(false)), {voxels, VoxelType::uint16, {}, {}});
  expect_known_labels(write("b.raw", "12345" + two_bytes(true)),
                      {voxels, VoxelType::int16, true, 5});
  const char* dictionary = "{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}";
  expect_known_labels(write(
      "c.npy",
      npy(fmt::format(fmt::runtime(dictionary), "<u2", "False", "(2, 3, 4)"), two_bytes(false))));
  expect_known_labels(write(
      "d.npy",
      npy(fmt::format(fmt::runtime(dictionary), ">i2", "True", "(4, 3, 2)"), two_bytes(true))));
}

// The message has the command that converts them.
TEST_F(VoxelImages, OfMetaImageAndNrrdNameTheirConverter) {
  for (const char* name : {"a.mhd", "a.MHA", "a.nrrd", "a.nhdr"}) {
    expect_refused(write(name, "x"), {}, "python -m lbm.voxels '" + path(name).string() + "' '");
  }
}

// The size of the file fits all of these.
TEST_F(VoxelImages, WhoseHeaderContradictsItselfAreRefused) {
  const auto array = [&](const std::string& text, const std::string& part) {
    expect_refused(write("a.npy", text), {}, part);
  };
  const std::string good = "{'descr': '<u2', 'fortran_order': False, 'shape': (2, 3, 4), }";
  array(npy("{'descr': '<u2', 'fortran_order': None, 'shape': (2, 3, 4), }", two_bytes(false)),
        "its header is none of NumPy");
  array(npy("{'descr': 'xu2', 'fortran_order': False, 'shape': (2, 3, 4), }", two_bytes(false)),
        "holds numbers of type xu2");
  array(npy(good.substr(0, good.size() - 1), two_bytes(false)), "its header is none of NumPy");
  array(npy("{'descr': '<u2', 'shape': (4, 3, 2), 'fortran_order': False, 'shape': (2, 3, 4), }",
            two_bytes(false)),
        "its header is none of NumPy");
  std::string version = npy(good, two_bytes(false));
  version[6] = 9;
  array(version, "its header is none of NumPy");
}

TEST_F(VoxelImages, CountTheirLabels) {
  const VoxelImage bytes(
      find_voxel_format(write("a.raw", std::string("\x00\x05\xff\x05\x05\x00\x05\x05", 8)),
                        {Voxels{2, 2, 2}, {}, {}, {}}));
  EXPECT_EQ(bytes.count({}), (std::map<std::int64_t, std::int64_t>{{0, 2}, {5, 5}, {255, 1}}));
  const VoxelImage with_sign(find_voxel_format(write("b.raw", std::string("\xff\x80", 2)),
                                               {Voxels{2, 1, 1}, VoxelType::int8, {}, {}}));
  EXPECT_EQ(with_sign.count({}), (std::map<std::int64_t, std::int64_t>{{-1, 1}, {-128, 1}}));
  std::string four(8, '\0');
  four[3] = '\x80';  // 2^31
  const VoxelImage wide(
      find_voxel_format(write("c.raw", four), {Voxels{2, 1, 1}, VoxelType::uint32, {}, {}}));
  EXPECT_EQ(wide.count({}), (std::map<std::int64_t, std::int64_t>{{0, 1}, {2147483648, 1}}));
  EXPECT_THROW(wide.count(TimeLimit(std::chrono::seconds(0))), TimeLimitReached);
}

// The commonest mistakes are told from the size of the file.
TEST_F(VoxelImages, OfAnotherSizeAreRefusedWithWhatWouldFit) {
  const auto path = write("a.raw", std::string(1000, '\1'));
  expect_refused(path, {}, "give cells, the voxels along x, y and z, and type");
  const auto raw = [&](Voxels n, VoxelType type, std::uint64_t offset, const std::string& part) {
    expect_refused(path, {n, type, {}, offset}, part);
  };
  raw({10, 10, 9}, VoxelType::uint8, 0,
      "holds 1000 bytes, 10 x 10 x 9 voxels of uint8 need 900: check cells and type, or "
      "header_bytes: 100 if so many bytes precede the labels; it has the size of 10 x 10 x 10 "
      "voxels of uint8");
  raw({10, 10, 10}, VoxelType::uint16, 0,
      "need 2000: check cells and type, or copy it again if it was cut short; it has the size of "
      "these voxels of type uint8");
  raw({5, 10, 10}, VoxelType::uint8, 0, "it has the size of these voxels of type uint16 or int16");
  raw({10, 10, 10}, VoxelType::uint8, 24, "10 x 10 x 10 voxels of uint8 behind 24 bytes need 1024");
  raw({0, 10, 10}, VoxelType::uint8, 0, "must have from 1 to 1048576 along each axis");
  expect_refused(write("empty.raw", ""), {Voxels{1, 1, 1}, {}, {}, {}}, "is empty");
  expect_refused(scratch_.path() / "none.raw", {}, "there is no such file");
  fs::create_directory(scratch_.path() / "d.raw");
  expect_refused(scratch_.path() / "d.raw", {}, "is a directory");
}

TEST_F(VoxelImages, WithAHeaderThatDoesNotFitAreRefused) {
  const auto array = [](const std::string& descr, const std::string& shape, std::size_t bytes) {
    return npy("{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }",
               std::string(bytes, '\1'));
  };
  expect_refused(write("a.npy", array("<f4", "(2, 3, 4)", 96)), {},
                 "holds numbers of type <f4, must be labels");
  expect_refused(write("b.npy", array("|u1", "(6, 4)", 24)), {}, "must have three axes");
  expect_refused(write("c.npy", array("|u1", "(2, 3, 4)", 23)), {},
                 "it is cut short: copy it again");
  expect_refused(write("d.npy", array("|u1", "(2, 3, 4)", 25)), {},
                 "its header belongs to another image");
  expect_refused(write("e.npy", "no array"), {}, "is no .npy file");
  const auto good = write("f.npy", array("|u1", "(2, 3, 4)", 24));
  expect_refused(good, {Voxels{2, 3, 4}, {}, {}, {}},
                 "its header says cells: 4 x 3 x 2, the case 2 x 3 x 4");
  expect_refused(good, {{}, VoxelType::int8, {}, {}}, "its header says type: uint8, the case int8");
}

// As an image of grey values has, that was not segmented.
TEST_F(VoxelImages, WithTooManyLabelsAreRefused) {
  std::string bytes(4 * 70000, '\0');
  for (std::int32_t i = 0; i < 70000; ++i)
    std::memcpy(&bytes[4 * static_cast<std::size_t>(i)], &i, 4);
  expect_refused(write("a.raw", bytes), {Voxels{70000, 1, 1}, VoxelType::int32, {}, {}},
                 "more than 65536 different labels: is it an image of grey values?");
}

TEST_F(VoxelImages, ThatBecomeShorterAreAnError) {
  const auto path = write("a.raw", std::string(24, '\1'));
  const VoxelImage image(find_voxel_format(path, {voxels, {}, {}, {}}));
  fs::resize_file(path, 20);
  Labels plane(12);
  image.plane(0, plane);
  EXPECT_THROW(image.plane(1, plane), UsageError);
  EXPECT_THROW(image.count({}), UsageError);
}

}  // namespace
}  // namespace lbm::io
