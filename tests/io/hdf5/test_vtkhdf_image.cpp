// SPDX-License-Identifier: Apache-2.0

// Images of any arrays as VTKHDF, read with the HDF5 C library: precisions, compression, slices,
// and failures while compressed chunks are written. The rest is in test_vtkhdf_writer.
#include "io/hdf5/vtkhdf_image.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>

#include <cmath>

#include "io/hdf5/hdf5_handle.hpp"
#include "solver/core/error.hpp"
#include "tests/io/image_fixture.hpp"
#include "tests/io/scratch.hpp"

namespace {
using namespace lbm::testing;
using namespace lbm::io;

struct Found {
  std::vector<hsize_t> shape;
  std::vector<float> values;
  std::size_t bytes_each = 0;
  int filters = 0;
  hsize_t stored = 0;  // bytes
};

Found read(const std::filesystem::path& path, const std::string& name) {
  const Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  const Hdf5Handle dataset(H5Dopen2(file.get(), ("VTKHDF/PointData/" + name).c_str(), H5P_DEFAULT),
                           H5Dclose);
  const Hdf5Handle space(H5Dget_space(dataset.get()), H5Sclose);
  const Hdf5Handle type(H5Dget_type(dataset.get()), H5Tclose);
  const Hdf5Handle properties(H5Dget_create_plist(dataset.get()), H5Pclose);
  Found found;
  found.shape.resize(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space.get())));
  H5Sget_simple_extent_dims(space.get(), found.shape.data(), nullptr);
  found.values.resize(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.get())));
  EXPECT_GE(
      H5Dread(dataset.get(), H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, found.values.data()),
      0);
  found.bytes_each = H5Tget_size(type.get());
  found.filters = H5Pget_nfilters(properties.get());
  found.stored = H5Dget_storage_size(dataset.get());
  return found;
}

// Index in the slice of a point in the file: a single point is there twice.
int source(int i, int points) { return points == 1 ? 0 : i; }

void expect_image(const std::filesystem::path& path, const ImageGeometry& geometry, int level) {
  const auto [nx, ny, nz] = geometry.points;
  const std::size_t bytes[] = {4, 2, 1};
  for (std::size_t i = 0; i < 3; ++i) {
    const ArrayInfo info = three_arrays()[i];
    const Found found = read(path, info.name);
    EXPECT_EQ(found.bytes_each, bytes[i]);
    EXPECT_EQ(found.filters, level > 0 ? 2 : 0);
    std::vector<hsize_t> shape{hsize_t(std::max(nz, 2)), hsize_t(std::max(ny, 2)),
                               hsize_t(std::max(nx, 2))};
    if (info.components > 1) shape.push_back(hsize_t(info.components));
    ASSERT_EQ(found.shape, shape);
    auto value = found.values.begin();
    for (int z = 0; z < static_cast<int>(shape[0]); ++z)
      for (int y = 0; y < static_cast<int>(shape[1]); ++y)
        for (int x = 0; x < static_cast<int>(shape[2]); ++x)
          for (int c = 0; c < info.components; ++c)
            ASSERT_EQ(*value++, stored_value(info, source(x, nx), source(y, ny), source(z, nz), c))
                << info.name << " at " << x << " " << y << " " << z << " " << c;
  }
}

class Level : public ::testing::TestWithParam<int> {};

TEST_P(Level, ArraysOfEveryPrecisionReadBack) {
  const ScratchDirectory scratch;
  const ImageGeometry line{{5, 1, 1}, {}, {1, 1, 1}}, point{{1, 1, 1}, {}, {1, 1, 1}};
  for (const auto& geometry : {image_3d, slice_x, slice_y, slice_z, line, point})
    for (const int threads : {1, 3}) {
      const auto path = write_three_arrays(scratch.path() / "a.b", geometry, {GetParam(), threads});
      EXPECT_EQ(path, scratch.path() / "a.b.hdf");
      expect_image(path, geometry, GetParam());
    }
}

// Chunks do not divide planes of 700 x 901 points; noise does not compress.
TEST_P(Level, LargePlanesAndNoiseReadBackWithinThePrediction) {
  const ScratchDirectory scratch;
  const ImageGeometry geometry{{700, 901, 3}, {}, {1, 1, 1}};
  const std::vector<ArrayInfo> arrays{{"smooth", 1, Precision::float32, "m"},
                                      {"noise", 3, Precision::float32, ""}};
  std::vector<float> smooth(700 * 901), noise(3 * smooth.size());
  for (std::size_t i = 0; i < smooth.size(); ++i) smooth[i] = static_cast<float>(i / 700);
  std::uint32_t state = 1;
  for (float& value : noise) {
    state = state * 1664525U + 1013904223U;
    value = std::bit_cast<float>(state & 0xbfffffffU);
  }
  const std::span<const float> planes[] = {smooth, noise};
  const ImageOptions options{GetParam(), 2};
  const auto writer = make_image_writer(scratch.path() / "f", geometry, arrays, {}, options);
  for (const int z : {1, 2, 0}) writer->write_plane(z, planes);
  writer->close();
  const auto size = std::filesystem::file_size(writer->path());
  EXPECT_LE(size, predicted_vtkhdf_bytes(geometry, arrays, {}, options.compression));
  if (GetParam() == 0) {
    EXPECT_GE(size + 65536, predicted_vtkhdf_bytes(geometry, arrays, {}, options.compression));
  } else {
    EXPECT_LT(read(writer->path(), "smooth").stored * 10, 3 * smooth.size() * 4);
  }
  const auto found = read(writer->path(), "smooth").values;
  const auto found_noise = read(writer->path(), "noise").values;
  for (std::size_t z = 0; z < 3; ++z) {
    EXPECT_TRUE(std::equal(smooth.begin(), smooth.end(),
                           found.begin() + static_cast<std::ptrdiff_t>(z * smooth.size())));
    EXPECT_TRUE(std::equal(noise.begin(), noise.end(),
                           found_noise.begin() + static_cast<std::ptrdiff_t>(z * noise.size())));
  }
}

TEST_P(Level, EveryFailedWriteIsToldAndHarmsNothing) {
  const ScratchDirectory scratch;
  const auto write = [&] {
    return write_three_arrays(scratch.path() / "f", {{50, 40, 30}, {}, {1, 1, 1}}, {GetParam(), 2});
  };
  const auto path = write();
  const auto whole = read_text(path);
  for (int part = 0; part < 40; ++part) {
    ::testing::internal::CaptureStderr();
    const auto line = message_of<lbm::ResourceError>([&] {
      const FileSizeLimit limit(part == 39 ? whole.size() - 1 : whole.size() * part / 40);
      write();
    });
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "") << part;
    EXPECT_TRUE(contains(line, "f.hdf: cannot write: File too large")) << part << ": " << line;
    EXPECT_EQ(names_in(scratch.path()), std::vector<std::string>{"f.hdf"});
    EXPECT_EQ(read_text(path), whole);
  }
  write();  // HDF5 still works in this process
  expect_image(path, {{50, 40, 30}, {}, {1, 1, 1}}, GetParam());
}

TEST_P(Level, AFullDiskIsTold) {
  TinyDisk disk("size=64k");
  if (!disk.mounted()) GTEST_SKIP() << "needs the right to mount a tmpfs";
  ::testing::internal::CaptureStderr();
  const auto line = message_of<lbm::ResourceError>([&] {
    write_three_arrays(disk.path() / "f", {{100, 100, 30}, {}, {1, 1, 1}}, {GetParam(), 2});
  });
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_TRUE(contains(line, "No space left on device")) << line;
  EXPECT_TRUE(names_in(disk.path()).empty());
}

INSTANTIATE_TEST_SUITE_P(Compression, Level, ::testing::Values(0, 1, 6));

TEST(VtkhdfImage, HalfPrecisionAndMasksAreRoundedAndCutOff) {
  const ScratchDirectory scratch;
  const ImageGeometry geometry{{8, 2, 2}, {}, {1, 1, 1}};
  const std::vector<ArrayInfo> arrays{{"half", 1, Precision::float16, ""},
                                      {"mask", 1, Precision::uint8, ""}};
  const float nan = std::nanf(""), infinity = HUGE_VALF;
  std::vector<float> half{1 + 1.0F / 2048, 1 + 3.0F / 2048, 1e-9F, 65504, 70000, -70000, nan, -2};
  std::vector<float> mask{0, 1, 0.4F, 0.6F, 254.7F, 300, -3, nan};
  half.insert(half.end(), half.begin(), half.end());
  mask.insert(mask.end(), mask.begin(), mask.end());
  const std::span<const float> planes[] = {half, mask};
  const auto writer = make_image_writer(scratch.path() / "f", geometry, arrays, {});
  for (const int z : {0, 1}) writer->write_plane(z, planes);
  writer->close();
  const auto halves = read(writer->path(), "half").values;
  const float expected[] = {1, 1 + 2.0F / 1024, 0, 65504, infinity, -infinity, nan, -2};
  for (std::size_t i = 0; i < 8; ++i)
    EXPECT_TRUE(halves[i] == expected[i] || (i == 6 && std::isnan(halves[i]))) << i;
  auto masks = read(writer->path(), "mask").values;
  masks.resize(8);
  EXPECT_EQ(masks, (std::vector<float>{0, 1, 0, 1, 255, 255, 0, 0}));
}

TEST(VtkhdfImage, RefusesArraysThatDoNotFit) {
  const ScratchDirectory scratch;
  const auto writer = make_image_writer(scratch.path() / "f", image_3d, three_arrays(), {});
  const std::vector<float> scalar(15), vector(45);
  const std::span<const float> two[] = {scalar, vector}, wrong[] = {scalar, scalar, scalar};
  EXPECT_THROW(writer->write_plane(0, two), std::invalid_argument);
  EXPECT_THROW(writer->write_plane(0, wrong), std::invalid_argument);
  for (const ArrayInfo& bad : {ArrayInfo{"", 1, {}, {}}, {"a/b", 1, {}, {}}, {"a", 0, {}, {}}})
    EXPECT_THROW(make_image_writer(scratch.path() / "g", image_3d, {&bad, 1}, {}),
                 std::invalid_argument);
}

}  // namespace
