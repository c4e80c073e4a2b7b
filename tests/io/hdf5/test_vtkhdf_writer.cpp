// SPDX-License-Identifier: Apache-2.0

// Files read with the HDF5 C library, and write failures.
#include <gtest/gtest.h>
#include <hdf5.h>

#include "io/hdf5/hdf5_handle.hpp"
#include "solver/core/error.hpp"
#include "tests/io/hdf5/vtkhdf_fixture.hpp"
#include "tests/io/scratch.hpp"

namespace {
using namespace lbm::testing;
using lbm::ResourceError;
using lbm::io::Hdf5Handle;
namespace fs = std::filesystem;

Hdf5Handle open_h5(const fs::path& path) {
  return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose};
}

template <typename T>
std::vector<T> read_attribute(hid_t file, const char* name, hid_t type) {
  const Hdf5Handle attribute(H5Aopen_by_name(file, "VTKHDF", name, H5P_DEFAULT, H5P_DEFAULT),
                             H5Aclose);
  const Hdf5Handle space(H5Aget_space(attribute.get()), H5Sclose);
  std::vector<T> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.get())));
  EXPECT_GE(H5Aread(attribute.get(), type, values.data()), 0) << name;
  return values;
}

std::vector<float> read_field(hid_t file, const char* name, std::vector<hsize_t>& shape) {
  const Hdf5Handle dataset(H5Dopen2(file, name, H5P_DEFAULT), H5Dclose);
  const Hdf5Handle space(H5Dget_space(dataset.get()), H5Sclose);
  const Hdf5Handle type(H5Dget_type(dataset.get()), H5Tclose);
  EXPECT_GT(H5Tequal(type.get(), H5T_IEEE_F32LE), 0);
  shape.resize(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space.get())));
  H5Sget_simple_extent_dims(space.get(), shape.data(), nullptr);
  std::vector<float> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.get())));
  EXPECT_GE(H5Dread(dataset.get(), H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
            0);
  return values;
}

TEST(VtkhdfWriter, FieldsReadBackInTheRightShapeAndOrder) {
  const ScratchDirectory scratch;
  write_image(scratch.path() / "f.hdf");
  const auto file = open_h5(scratch.path() / "f.hdf");
  std::vector<hsize_t> shape;
  std::vector<float> expected_density;
  std::vector<float> expected_velocity;
  for (int z = 0; z < image.points[2]; ++z) {
    const auto plane = plane_at(z);
    expected_density.insert(expected_density.end(), plane.density.begin(), plane.density.end());
    expected_velocity.insert(expected_velocity.end(), plane.velocity.begin(), plane.velocity.end());
  }
  EXPECT_EQ(read_field(file.get(), "VTKHDF/PointData/density", shape), expected_density);
  EXPECT_EQ(shape, (std::vector<hsize_t>{4, 3, 5}));
  EXPECT_EQ(read_field(file.get(), "VTKHDF/PointData/velocity", shape), expected_velocity);
  EXPECT_EQ(shape, (std::vector<hsize_t>{4, 3, 5, 3}));
}

TEST(VtkhdfWriter, AttributesHoldGeometryTimeStepAndExtras) {
  const ScratchDirectory scratch;
  write_image(scratch.path() / "f.hdf");
  const auto file = open_h5(scratch.path() / "f.hdf");
  const auto doubles = [&](const char* name) {
    return read_attribute<double>(file.get(), name, H5T_NATIVE_DOUBLE);
  };
  EXPECT_EQ(read_attribute<int>(file.get(), "WholeExtent", H5T_NATIVE_INT),
            (std::vector<int>{0, 4, 0, 2, 0, 3}));
  EXPECT_EQ(doubles("Origin"), (std::vector<double>{-1.5, 2.25, 100}));
  EXPECT_EQ(doubles("Spacing"), (std::vector<double>{0.5, 0.25, 2}));
  EXPECT_EQ(doubles("time"), std::vector<double>{0.125});
  EXPECT_EQ(doubles("tau"), std::vector<double>{0.6});
  EXPECT_EQ(read_attribute<std::int64_t>(file.get(), "step", H5T_NATIVE_INT64),
            std::vector<std::int64_t>{4000000000});
  const Hdf5Handle text(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(text.get(), H5T_VARIABLE);
  H5Tset_cset(text.get(), H5T_CSET_UTF8);
  const auto strings = read_attribute<char*>(file.get(), "case", text.get());
  ASSERT_EQ(strings.size(), 1U);
  EXPECT_STREQ(strings[0], "cavity \u20ac");
  H5free_memory(strings[0]);
}

TEST(VtkhdfWriter, PredictedSizeIsATightUpperBound) {
  const ScratchDirectory scratch;
  auto heavy = info;
  heavy.attributes.emplace_back("yaml", std::string(200000, 'y'));  // beyond an object header
  for (const auto& each : {lbm::io::FieldInfo{}, info, heavy}) {
    VtkhdfWriter writer(scratch.path() / "f.hdf", {{16, 16, 1}, {}, {1, 1, 1}}, each);
    writer.write_plane(0, std::vector<float>(256), std::vector<float>(768));
    writer.close();
    const auto size = fs::file_size(scratch.path() / "f.hdf");
    const auto predicted = predicted_bytes({16, 16, 1}, each);
    EXPECT_LE(size, predicted);
    EXPECT_LE(predicted, size + 65536);
  }
  EXPECT_GT(predicted_bytes({2000, 2000, 2000}), 128000000000U);
}

TEST(VtkhdfWriter, NameAppearsOnlyAtCloseAndTheFileIsReservedBefore) {
  const ScratchDirectory scratch;
  const auto path = scratch.path() / "f.hdf";
  write_text(path, "older");
  VtkhdfWriter writer(path, {{64, 64, 64}, {}, {1, 1, 1}}, info);
  EXPECT_EQ(names_in(scratch.path()), (std::vector<std::string>{"f.hdf", "f.hdf.partial"}));
  EXPECT_EQ(read_text(path), "older");
  EXPECT_GE(fs::file_size(scratch.path() / "f.hdf.partial"), 64U * 64 * 64 * 16);
  for (int z = 0; z < 64; ++z)
    writer.write_plane(z, std::vector<float>(4096), std::vector<float>(3 * 4096));
  writer.close();
  EXPECT_EQ(names_in(scratch.path()), std::vector<std::string>{"f.hdf"});
  EXPECT_GT(H5Fis_hdf5(path.c_str()), 0);
  EXPECT_THROW(writer.close(), std::logic_error);
}

TEST(VtkhdfWriter, UnclosedWriterLeavesNothing) {
  const ScratchDirectory scratch;
  {
    VtkhdfWriter writer(scratch.path() / "f.hdf", image, info);
    write_plane(writer, 1);
  }
  EXPECT_TRUE(names_in(scratch.path()).empty());
}

TEST(VtkhdfWriter, RefusesMissingDoubledAndWrongPlanes) {
  const ScratchDirectory scratch;
  VtkhdfWriter writer(scratch.path() / "f.hdf", image, info);
  const auto plane = plane_at(0);
  write_plane(writer, 0);
  EXPECT_THROW(write_plane(writer, 0), std::logic_error);
  EXPECT_THROW(writer.write_plane(4, plane.density, plane.velocity), std::out_of_range);
  EXPECT_THROW(writer.write_plane(-1, plane.density, plane.velocity), std::out_of_range);
  EXPECT_THROW(writer.write_plane(1, plane.velocity, plane.velocity), std::invalid_argument);
  EXPECT_THROW(writer.write_plane(1, plane.density, plane.density), std::invalid_argument);
  write_plane(writer, 3);
  const auto line = message_of<std::logic_error>([&] { writer.close(); });
  EXPECT_TRUE(contains(line, "missing: 2 of 4 planes, the first is 1")) << line;
  write_plane(writer, 2);
  write_plane(writer, 1);
  writer.close();
  EXPECT_THROW(VtkhdfWriter("x", {{4, 0, 4}, {}, {}}, info), std::invalid_argument);
}

TEST(VtkhdfWriter, MissingDirectoryIsOneQuietLine) {
  const ScratchDirectory scratch;
  const auto path = scratch.path() / "missing" / "f.hdf";
  ::testing::internal::CaptureStderr();
  const auto line = message_of<ResourceError>([&] { VtkhdfWriter(path, image, info); });
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_TRUE(contains(line, path.string() + ": cannot write: No such file or directory")) << line;
}

TEST(VtkhdfWriter, FullDiskShowsAtOnceAndHarmsNothing) {
  TinyDisk disk("size=1m");
  if (!disk.mounted()) GTEST_SKIP() << "needs the right to mount a tmpfs";
  const auto path = disk.path() / "f.hdf";
  write_image(path);
  const auto before = read_text(path);
  ::testing::internal::CaptureStderr();
  const auto line = message_of<ResourceError>([&] {
    VtkhdfWriter(path, {{64, 64, 64}, {}, {1, 1, 1}}, info);
  });
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_TRUE(contains(line, path.string())) << line;
  EXPECT_TRUE(contains(line, "No space left on device")) << line;
  EXPECT_TRUE(contains(line, "needs 4.0 MiB")) << line;
  EXPECT_FALSE(contains(line, " 0 B free")) << line;  // counted after the partial file went
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_EQ(read_text(path), before);
  EXPECT_EQ(names_in(disk.path()), std::vector<std::string>{"f.hdf"});
}

// Planes both above and below the 64 KiB that HDF5 buffers.
class FailingWrite : public ::testing::TestWithParam<int> {};

TEST_P(FailingWrite, ThrowsQuietlyAndHarmsNothing) {
  const ScratchDirectory scratch;
  const auto path = scratch.path() / "f.hdf";
  write_image(path);
  const auto before = read_text(path);
  const int edge = GetParam();
  const std::vector<float> density(static_cast<std::size_t>(edge * edge), 1.0F);
  const std::vector<float> velocity(3 * density.size(), 2.0F);
  ::testing::internal::CaptureStderr();
  std::string line;
  {
    VtkhdfWriter writer(path, {{edge, edge, 64}, {}, {1, 1, 1}}, info);
    const FileSizeLimit limit(100000);
    line = message_of<ResourceError>([&] {
      for (int z = 0; z < 64; ++z) writer.write_plane(z, density, velocity);
      writer.close();
    });
    EXPECT_THROW(writer.write_plane(63, density, velocity), std::logic_error);
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_TRUE(contains(line, path.string() + ": cannot write: File too large")) << line;
  EXPECT_EQ(read_text(path), before);
  EXPECT_EQ(names_in(scratch.path()), std::vector<std::string>{"f.hdf"});
  write_image(path);  // HDF5 still works in this process
}

INSTANTIATE_TEST_SUITE_P(PlaneEdges, FailingWrite, ::testing::Values(16, 256));

}  // namespace
