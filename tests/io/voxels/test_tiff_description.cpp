// SPDX-License-Identifier: Apache-2.0

// TIFF files whose description, tags or names say that they are no image of three axes.
#include <gtest/gtest.h>

#include <filesystem>
#include <utility>

#include "io/voxels/voxel_image.hpp"
#include "tests/io/voxels/tiff_fixture.hpp"

namespace lbm::io {
namespace {

namespace fs = std::filesystem;

// Channels and times are no planes, whoever describes them; planes saved as one of these are.
TEST_F(TiffImages, OfMoreThanThreeAxesAreRefused) {
  const auto described = [&](const std::string& text) {
    TiffBytes file;
    for (const int z : {0, 1}) {
      const std::uint64_t at = file.add_bytes(two_bytes(false, 12 * z, 12));
      file.add_page(tags({at}), z == 0 ? text : "");
    }
    return write("a.ome.tif", file.bytes());
  };
  const auto ome = [](const std::string& pixels) {
    return "<?xml version=\"1.0\"?><OME xmlns=\"http://www.openmicroscopy.org\"><Image "
           "ID=\"Image:0\">"
           "<Pixels SizeX=\"4\" SizeY=\"3\" " +
           pixels + "><Channel/></Pixels></Image></OME>";
  };
  expect_known_labels(described(ome("SizeC=\"1\" SizeZ=\"2\" SizeT=\"1\"")));
  expect_known_labels(described(ome("SizeC=\"1\" SizeZ=\"1\" SizeT=\"2\"")));
  expect_known_labels(described("{\"shape\": [2, 3, 4]}"));
  expect_known_labels(described("{\"shape\": [1, 2, 3, 4, 1]}"));
  expect_known_labels(described("ImageJ=1.53t\nimages=2\nframes=2\n"));
  expect_known_labels(described("ImageJ=1.53t\nloop=false\n"));
  for (const auto& [text, part] :
       {std::pair{ome("SizeC=\"2\" SizeZ=\"8\" SizeT=\"1\""),
                  "a stack of 2 channels, 8 slices and 1 times"},
        {ome("SizeC=\"1\" SizeZ=\"2\" SizeT=\"3\""), "a stack of 1 channels, 2 slices and 3 times"},
        {ome("SizeC=\"1\" SizeZ=\"3\" SizeT=\"1\""), "says that it has 3 planes, and has 2"},
        {ome("SizeZ=\"2\"") + ome("SizeZ=\"2\""), "holds several images"},
        {std::string("{\"shape\": [2, 2, 3, 4]}"), "is an array of 4 axes"},
        {std::string("{\"shape\": [2, 4, 3]}"), "described as 3 x 4 pixels, and has 4 x 3"},
        {std::string("{\"shape\": [5, 3, 4]}"), "says that it has 5 planes, and has 2"},
        {std::string("ImageJ=1.53t\nimages=4\nslices=2\nframes=2\n"), "2 slices and 2 times"},
        {std::string("ImageJ=1.53t\nimages=5\nslices=5\n"), "says that it has 5 planes, and has 2"},
        {std::string("ImageJ=1.53t\nimages=2\nslices=5\n"), "says images=2 and 5 slices"}}) {
    expect_refused(described(text), {}, part);
  }
}

TEST_F(TiffImages, TellTheEdgesOfTheirVoxels) {
  const auto edges = [&](const std::string& text, std::uint64_t x, std::uint64_t y) {
    TiffBytes file;
    auto all = tags({file.add_bytes(two_bytes(false))});
    file.add_page(all, text, {{282, {x, 1'000'000}}, {283, {y, 1'000'000}}});
    return text_of(find_voxel_format(write("a.tif", file.bytes()), {}).edges);
  };
  const std::string imagej = "ImageJ=1.53t\nimages=2\nslices=2\n";
  EXPECT_EQ(edges(imagej + "unit=micron\nspacing=6.0\n", 500'000, 250'000), "2 x 4 x 6 um");
  EXPECT_EQ(edges(imagej + "unit=\xb5m\nspacing=2\n", 500'000, 500'000), "2 x 2 x 2 um");
  EXPECT_EQ(edges(imagej + "unit=mm\n", 500'000, 500'000), "2 x 2 x ? mm");
  EXPECT_EQ(edges(imagej + "spacing=3.0\n", 72'000'000, 72'000'000), "1 x 1 x 3");
  EXPECT_EQ(edges(imagej, 72'000'000, 72'000'000), "") << "the resolution of a printer";
  EXPECT_EQ(edges("{\"shape\": [1, 3, 4]}", 72'000'000, 72'000'000), "");
  EXPECT_EQ(edges("<OME ><Pixels SizeX=\"4\" SizeY=\"3\" SizeZ=\"1\" PhysicalSizeX=\"2.5\" "
                  "PhysicalSizeY=\"2.5\" "
                  "PhysicalSizeZ=\"5\"></Pixels></OME>",
                  1, 1),
            "2.5 x 2.5 x 5 um");
  EXPECT_EQ(edges("<OME ><Pixels SizeX=\"4\" SizeY=\"3\" PhysicalSizeX=\"2\" "
                  "PhysicalSizeXUnit=\"mm\"/></OME>",
                  1, 1),
            "2 x ? x ? mm");
}

// The size of the file fits all of these.
TEST_F(TiffImages, WhoseTagsContradictThePixelsAreRefused) {
  const auto with = [&](int tag, std::uint64_t value, const std::string& part) {
    TiffBytes file;
    auto all = tags({file.add_bytes(two_bytes(false, 0, 12))});
    all[279] = {24};
    all[tag] = {value};
    expect_refused(write("a.tif", file.add_page(all).bytes()), {}, part);
  };
  with(274, 6, "Orientation 6");
  with(32997, 2, "ImageDepth");
  with(339, 5, "must be labels");
  with(278, 2, "is damaged or cut short");
}

// A copy, a preview or a plane of another image is no plane of this one.
TEST_F(TiffImages, WithAStrayFileAmongThemAreRefused) {
  for (const auto& [stray, part] :
       {std::pair{"p_2 copy.tif", "p_2 copy.tif and p_2.tif are named differently"},
        {"q_3.tif", "q_3.tif and p_3.tif are named differently"},
        {"mask.tif", "mask.tif and p_2.tif are named differently"},
        {"p_1.tiff", "p_1.tiff and p_2.tif are named differently"},
        {"p_01.tif", "p_01.tif and p_1.tif have the same number"}}) {
    fs::create_directory(path("rock"));
    for (const char* name : {"p_1.tif", "p_2.tif", "p_3.tif"}) {
      write(std::string("rock/") + name, one_plane(false, 0));
    }
    EXPECT_EQ(find_voxel_format(path("rock"), {}).voxels[2], 3);
    write(std::string("rock/") + stray, one_plane(false, 1));
    expect_refused(path("rock"), {}, part);
    expect_refused(path("rock/*.tif*"), {}, part);
    fs::remove_all(path("rock"));
  }
  fs::create_directory(path("two"));
  for (const char* name : {"s1_z1.tif", "s1_z2.tif", "s2_z1.tif", "s2_z2.tif"}) {
    write(std::string("two/") + name, one_plane(false, 0));
  }
  expect_refused(path("two"), {}, "differ in more than the number of the plane");
  EXPECT_EQ(find_voxel_format(path("two/s2_*.tif"), {}).voxels[2], 2);
  EXPECT_EQ(find_voxel_format(path("two/s*_z1.tif"), {}).voxels[2], 2);
  TiffBytes pair;
  add_plane(pair, false, 0);
  add_plane(pair, false, 1);
  write("two/s2_z2.tif", pair.bytes());
  expect_refused(path("two/s2_*.tif"), {}, "has 2 planes, the file before has 1");
}

}  // namespace
}  // namespace lbm::io
