// SPDX-License-Identifier: Apache-2.0

// VtkhdfReader: what VtkhdfImage has written, and files that are something else.
#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/stat.h>

#include <cstring>
#include <functional>

#include "io/hdf5/vtkhdf_image.hpp"
#include "solver/core/error.hpp"
#include "tests/io/hdf5/vtkhdf_fixture.hpp"
#include "tests/io/scratch.hpp"

namespace {
using namespace lbm::testing;
using lbm::UsageError;
using lbm::io::VtkhdfReader;
namespace fs = std::filesystem;

// The message of the one line that opening the file, or reading its velocity, must throw.
std::string refusal(const fs::path& path) {
  try {
    VtkhdfReader reader(path);
    std::vector<float> values(3 * 15);
    if (reader.components("velocity") == 3) reader.read_plane("velocity", 0, {5, 3}, values);
  } catch (const UsageError& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.find('\n'), std::string::npos);
    EXPECT_TRUE(text.starts_with(path.string() + ": ")) << text;
    return text;
  }
  return "";
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

void change_file(const fs::path& path, const std::function<void(hid_t)>& change) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  change(file);
  H5Fclose(file);
}

// A small image, changed by means of HDF5.
fs::path changed(const ScratchDirectory& scratch, const std::function<void(hid_t)>& change) {
  const fs::path path = scratch.path() / "f.hdf";
  write_image(path);
  change_file(path, change);
  return path;
}

void set_extent(hid_t file, const std::array<std::int64_t, 6>& extent) {
  const hid_t root = H5Gopen2(file, "VTKHDF", H5P_DEFAULT);
  EXPECT_GE(H5Adelete(root, "WholeExtent"), 0);
  const hsize_t six = 6;
  const hid_t space = H5Screate_simple(1, &six, nullptr);
  const hid_t attribute =
      H5Acreate2(root, "WholeExtent", H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_GE(H5Awrite(attribute, H5T_NATIVE_INT64, extent.data()), 0);
  H5Sclose(space);
  H5Gclose(root);
  H5Aclose(attribute);
}

TEST(VtkhdfReading, GivesWhatWasWritten) {
  const ScratchDirectory scratch;
  const fs::path path = scratch.path() / "f.hdf";
  write_image(path);
  VtkhdfReader reader(path);
  EXPECT_EQ(reader.geometry().points, image.points);
  EXPECT_EQ(reader.geometry().origin, image.origin);
  EXPECT_EQ(reader.geometry().spacing, image.spacing);
  EXPECT_EQ(reader.number("time"), 0.125);
  EXPECT_EQ(reader.number("step"), 4e9);
  EXPECT_EQ(reader.number("tau"), 0.6);
  EXPECT_EQ(reader.text("case"), "cavity \u20ac");
  EXPECT_EQ(reader.text("tau"), std::nullopt);
  EXPECT_EQ(reader.number("case"), std::nullopt);
  EXPECT_EQ(reader.number("nothing"), std::nullopt);
  EXPECT_EQ(reader.components("density"), 1);
  EXPECT_EQ(reader.components("velocity"), 3);
  EXPECT_EQ(reader.components("pressure"), 0);
  for (const int z : {3, 0, 2}) {
    const Plane plane = plane_at(z);
    std::vector<float> density(15), velocity(45);
    reader.read_plane("density", z, {5, 3}, density);
    reader.read_plane("velocity", z, {5, 3}, velocity);
    EXPECT_EQ(density, plane.density);
    EXPECT_EQ(velocity, plane.velocity);
    std::vector<float> part(2 * 3 * 3);  // two columns, three rows
    reader.read_plane("velocity", z, {2, 3}, part);
    EXPECT_EQ(part[6], velocity[15]) << "row 1 begins after two cells";
  }
}

TEST(VtkhdfReading, UnpacksCompressedHalves) {
  const ScratchDirectory scratch;
  const fs::path path = scratch.path() / "f.hdf";
  const std::vector<lbm::io::ArrayInfo> arrays{{"velocity", 3, lbm::io::Precision::float16, {}}};
  lbm::io::VtkhdfImage file(path, image, arrays, info, {6, 1});
  const std::vector<float> halves(45, 0.625F);  // exact in half precision
  for (int z = 0; z < 4; ++z) {
    const std::array<std::span<const float>, 1> plane{halves};
    file.write_plane(z, plane);
  }
  file.close();
  VtkhdfReader reader(path);
  ASSERT_EQ(reader.components("velocity"), 3);
  std::vector<float> values(45);
  reader.read_plane("velocity", 2, {5, 3}, values);
  EXPECT_EQ(values, halves);
}

TEST(VtkhdfReading, AnExtentMayBeginAnywhere) {
  const ScratchDirectory scratch;
  const VtkhdfReader reader(changed(scratch, [](hid_t file) {
    set_extent(file, {2, 6, -1, 1, 0, 3});
  }));
  EXPECT_EQ(reader.geometry().points, image.points);
  for (std::size_t a = 0; a < 3; ++a) {
    const std::array<double, 3> begin{2, -1, 0};
    EXPECT_DOUBLE_EQ(reader.geometry().origin[a], image.origin[a] + begin[a] * image.spacing[a]);
  }
}

// Whatever numbers, or however many, say so.
TEST(VtkhdfReading, TurnedImagesAreRefused) {
  const ScratchDirectory scratch;
  const auto with = [&](const std::vector<double>& direction) {
    return refusal(changed(scratch, [&](hid_t file) {
      const hid_t root = H5Gopen2(file, "VTKHDF", H5P_DEFAULT);
      H5Adelete(root, "Direction");
      const hsize_t count = direction.size();
      const hid_t space = H5Screate_simple(1, &count, nullptr);
      const hid_t attribute =
          H5Acreate2(root, "Direction", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT);
      EXPECT_GE(H5Awrite(attribute, H5T_NATIVE_DOUBLE, direction.data()), 0);
      H5Sclose(space);
      H5Gclose(root);
      H5Aclose(attribute);
    }));
  };
  EXPECT_EQ(with({1, 0, 0, 0, 1, 0, 0, 0, 1}), "");
  EXPECT_TRUE(has(with({0, 1, 0, 1, 0, 0, 0, 0, 1}), "its image is turned"));
  EXPECT_TRUE(has(with({-1, 0, 0, 0, 1, 0, 0, 0, 1}), "its image is turned"));
  EXPECT_TRUE(has(with({0, 1, 0, 1, 0, 0, 0, 0}), "its image is turned"));
  EXPECT_TRUE(has(with(std::vector<double>(16, 1)), "its image is turned"));
}

TEST(VtkhdfReading, OtherFilesAreRefused) {
  const ScratchDirectory scratch;
  const fs::path text = scratch.path() / "text", fifo = scratch.path() / "fifo";
  write_text(text, "no HDF5");
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_TRUE(has(refusal(text), "is damaged or no HDF5 file"));
  EXPECT_TRUE(has(refusal(fifo), "is not a regular file"));
  EXPECT_TRUE(has(refusal(scratch.path()), "is a directory"));
  EXPECT_TRUE(has(refusal(scratch.path() / "none"), "no such file"));
  const fs::path bare = scratch.path() / "bare";
  H5Fclose(H5Fcreate(bare.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  EXPECT_TRUE(has(refusal(bare), "has no VTKHDF"));
}

TEST(VtkhdfReading, FilesThatWereCutAreRefused) {
  const ScratchDirectory scratch;
  const fs::path path = scratch.path() / "f.hdf";
  write_image(path);
  ASSERT_EQ(refusal(path), "");
  const auto bytes = fs::file_size(path);
  for (const double share : {0.05, 0.5, 0.9}) {
    fs::resize_file(path, static_cast<std::uintmax_t>(share * static_cast<double>(bytes)));
    EXPECT_NE(refusal(path), "") << share;
  }
}

TEST(VtkhdfReading, WhatAFileClaimsIsComparedWithIt) {
  const ScratchDirectory scratch;
  const auto with_extent = [&](std::int64_t last) {
    return changed(scratch, [&](hid_t file) { set_extent(file, {0, 4, 0, 2, 0, last}); });
  };
  EXPECT_TRUE(has(refusal(with_extent(4)), "velocity has the shape [4, 3, 5, 3]"));
  EXPECT_TRUE(has(refusal(with_extent(std::int64_t{1} << 40)), "points along z"));
  EXPECT_TRUE(has(refusal(with_extent(-1)), "points along z"));
  // A huge array of which nothing is stored: HDF5 would make it of fill values.
  const auto huge = [&](bool chunked) {
    const fs::path path = changed(scratch, [](hid_t file) {
      set_extent(file, {0, 99999, 0, 99999, 0, 3});
    });
    change_file(path, [&](hid_t file) {
      H5Ldelete(file, "VTKHDF/PointData/velocity", H5P_DEFAULT);
      const hsize_t shape[]{4, 100000, 100000, 3}, chunk[]{1, 10, 10, 3};
      const hid_t space = H5Screate_simple(4, shape, nullptr);
      const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
      if (chunked) H5Pset_chunk(list, 4, chunk);
      H5Dclose(H5Dcreate2(file, "VTKHDF/PointData/velocity", H5T_IEEE_F32LE, space, H5P_DEFAULT,
                          list, H5P_DEFAULT));
      H5Pclose(list);
      H5Sclose(space);
    });
    return path;
  };
  for (const bool chunked : {false, true}) {
    EXPECT_TRUE(has(refusal(huge(chunked)), "claims more values than the file can hold"));
  }
}

TEST(VtkhdfReading, LinksToOtherFilesAreRefused) {
  const ScratchDirectory scratch;
  const fs::path path = changed(scratch, [](hid_t file) {
    H5Ldelete(file, "VTKHDF/PointData/velocity", H5P_DEFAULT);
    H5Lcreate_external("other.h5", "x", file, "VTKHDF/PointData/velocity", H5P_DEFAULT,
                       H5P_DEFAULT);
  });
  EXPECT_TRUE(has(refusal(path), "velocity is a link to another place"));
}

}  // namespace
