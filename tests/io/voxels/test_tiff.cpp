// SPDX-License-Identifier: Apache-2.0

// Stacks of TIFF files.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/io/voxels/tiff_fixture.hpp"

namespace lbm::io {
namespace {

namespace fs = std::filesystem;
using test::TiffBytes;

TEST_F(TiffImages, AreReadPageByPageInBothOrders) {
  for (const bool big_endian : {false, true}) {
    for (const bool big_tiff : {false, true}) {
      TiffBytes file(big_endian, big_tiff);
      add_plane(file, big_endian, 0);
      add_plane(file, big_endian, 1);
      expect_known_labels(write(fmt::format("{}{}.tif", big_endian, big_tiff), file.bytes()));
    }
  }
}

// Strips that lie in disorder, and one page of a preview, which is no plane.
TEST_F(TiffImages, MayLieInStripsAnywhere) {
  TiffBytes file;
  for (const int z : {0, 1}) {
    const std::uint64_t second = file.add_bytes(two_bytes(false, 12 * z + 8, 4));
    const std::uint64_t first = file.add_bytes(two_bytes(false, 12 * z, 8));
    auto all = tags({first, second}, 2);
    all[279] = {16, 8};
    file.add_page(all);
    file.add_page({{254, {1}}, {256, {1}}, {257, {1}}, {258, {8}}, {273, {first}}, {279, {1}}});
  }
  expect_known_labels(write("a.TIFF", file.bytes()));
}

// The tiles have 3 x 2 pixels and reach beyond the image of 4 x 3 pixels.
TEST_F(TiffImages, MayLieInTiles) {
  TiffBytes file(true);
  for (const int z : {0, 1}) {
    std::vector<std::uint64_t> places;
    for (const int y : {0, 2}) {
      for (const int x : {0, 3}) {
        std::string tile;
        for (int j = y; j < y + 2; ++j) {
          for (int i = x; i < x + 3; ++i) {
            tile += i < 4 && j < 3 ? two_bytes(true, 12 * z + 4 * j + i, 1) : "\xff\xff";
          }
        }
        places.push_back(file.add_bytes(tile));
      }
    }
    file.add_page({{256, {4}},
                   {257, {3}},
                   {258, {16}},
                   {322, {3}},
                   {323, {2}},
                   {324, std::move(places)},
                   {325, {12, 12, 12, 12}}});
  }
  expect_known_labels(write("a.tif", file.bytes()));
}

// As ImageJ writes what is larger than 4 GB.
TEST_F(TiffImages, MayHaveOneDirectoryForAllPlanes) {
  TiffBytes file(true);
  const std::string text = "ImageJ=1.53t\nimages=2\nslices=2\nloop=false\n";
  file.add_page(tags({file.add_bytes(two_bytes(true))}), text);
  const VoxelFormat format = find_voxel_format(write("a.tif", file.bytes()), {});
  EXPECT_EQ(format.source, nullptr) << "its planes lie one after the other";
  expect_known_labels(path("a.tif"));

  TiffBytes shorter;
  const std::uint64_t at = shorter.add_bytes("");
  shorter.add_page(tags({at}), "ImageJ=1.53t\nimages=2000\n");
  expect_refused(write("b.tif", shorter.bytes()), {},
                 "less than its 2000 planes of 4 x 3 pixels of uint16: it is cut short");
  TiffBytes colours;
  colours.add_page(tags({colours.add_bytes(two_bytes(false))}),
                   "ImageJ=1.53t\nimages=4\nchannels=2\nslices=2\n");
  expect_refused(write("c.tif", colours.bytes()), {},
                 "is a stack of 2 channels, 2 slices and 1 times");
}

TEST_F(TiffImages, MayBeFilesOfOnePlane) {
  fs::create_directory(path("rock"));
  write("rock/p_10.tif", one_plane(true, 1));
  write("rock/p_9.tif", one_plane(false, 0));
  write("rock/.p_8.tif", "hidden");
  write("rock/notes.txt", "no plane");
  expect_known_labels(path("rock"));
  expect_known_labels(path("rock/p_*.tif"));
  EXPECT_EQ(find_voxel_format(path("rock/p_?.tif"), {}).voxels[2], 1);
  expect_refused(path("rock/*"), {}, "notes.txt: is no .tif file");
  expect_refused(path("rock/q_*.tif"), {}, "no file has such a name");
  write("rock/p_12.tif", one_plane(true, 1));
  expect_refused(path("rock"), {}, "p_10.tif and p_12.tif have a gap between their numbers");
  write("rock/p_11.tif",
        TiffBytes().add_page({{256, {3}}, {257, {3}}, {258, {8}}, {273, {8}}}).bytes());
  expect_refused(path("rock"), {},
                 "plane 3 has 3 x 3 pixels of uint8, the first plane 4 x 3 of uint16");
}

TEST_F(TiffImages, MayBePacked) {
  // PackBits: a run of literals; then a repeated byte would be shorter, but needs not be.
  const auto literal = [](const std::string& bytes) {
    return static_cast<char>(bytes.size() - 1) + bytes;
  };
  expect_known_labels(write("a.tif", packed(32773, {literal(two_bytes(false, 0, 12)),
                                                    literal(two_bytes(false, 12, 12))})));
  expect_refused(write("c.tif", packed(32773, {"\x05"
                                               "ab"})),
                 {}, "is damaged or cut short");
  expect_refused(write("d.tif", packed(34999, {"new"})), {},
                 "is compressed in a way that this libtiff does not read (number 34999");
}

TEST_F(TiffImages, ThatAreDamagedAreRefused) {
  const std::string good = one_plane(false, 0);
  expect_refused(write("a.tif", "no TIFF file at all"), {}, "is no TIFF file");
  expect_refused(write("b.tif", "II"), {}, "is no TIFF file");
  expect_refused(write("c.tif", good.substr(0, good.size() - 20)), {}, "damaged");
  expect_refused(write("d.tif", TiffBytes().add_page(tags({8})).bytes().substr(0, 8) + "\xff\xff" +
                                    std::string(99, 'x')),
                 {}, "a damaged one");
  TiffBytes circle;
  circle.add_page(tags({0}));
  const std::uint64_t at = circle.bytes().size();
  circle.add_page(tags({0})).add_page(tags({0})).link_to(at);
  expect_refused(write("e.tif", circle.bytes()), {}, "is damaged");
  auto absurd = tags({0});
  absurd[256] = {0xffffffff};
  absurd[257] = {0xffffffff};
  expect_refused(write("f.tif", TiffBytes().add_page(absurd).bytes()), {}, "damaged");
  auto bits = tags({0});
  bits[258] = {1};
  expect_refused(write("g.tif", TiffBytes().add_page(bits).bytes()), {},
                 "holds numbers of 1 bits, must be labels");
  bits[258] = {32};
  bits[339] = {3};
  expect_refused(write("h.tif", TiffBytes().add_page(bits).bytes()), {},
                 "floating-point numbers of 32 bits, must be labels");
  bits[339] = {1};
  bits[277] = {3};
  expect_refused(write("i.tif", TiffBytes().add_page(bits).bytes()), {}, "has 3 numbers a pixel");
  expect_refused(write("j.tif", good), {Voxels{4, 3, 2}, {}, {}, {}, {}},
                 "its header says cells: 4 x 3 x 1, the case 4 x 3 x 2");
  expect_refused(write("k.tif", TiffBytes().add_page(tags({1, 2, 3}, 3)).bytes().substr(0, 60)), {},
                 "a damaged one");
}

TEST_F(TiffImages, ThatBecomeShorterAreAnError) {
  write("p_0.tif", one_plane(false, 0));
  write("p_1.tif", one_plane(false, 1));
  const VoxelImage image(find_voxel_format(path("p_*.tif"), {}));
  write("p_1.tif", one_plane(false, 1).substr(0, 20));
  Labels plane(12);
  image.plane(0, plane);
  EXPECT_THROW(image.plane(1, plane), UsageError);
}

}  // namespace
}  // namespace lbm::io
