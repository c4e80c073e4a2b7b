// SPDX-License-Identifier: Apache-2.0

// .vti and .pvti images read back by VTK, and write failures.
#include <gtest/gtest.h>
#include <vtkDataArray.h>
#include <vtkFieldData.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkXMLImageDataReader.h>
#include <vtkXMLPImageDataReader.h>

#include <cmath>

#include "io/vtk/make_image_writer.hpp"
#include "solver/core/error.hpp"
#include "tests/io/image_fixture.hpp"
#include "tests/io/scratch.hpp"

namespace {
using namespace lbm::testing;
using namespace lbm::io;

template <typename Reader>
vtkSmartPointer<vtkImageData> read(const std::filesystem::path& path) {
  vtkNew<Reader> reader;
  reader->SetFileName(path.c_str());
  reader->Update();
  return reader->GetOutput();
}

void expect_image(vtkImageData& found, const ImageGeometry& geometry) {
  for (int d = 0; d < 3; ++d) {
    const auto axis = static_cast<std::size_t>(d);
    EXPECT_EQ(found.GetExtent()[2 * d], 0);
    EXPECT_EQ(found.GetExtent()[2 * d + 1], geometry.points[axis] - 1);
    EXPECT_EQ(found.GetOrigin()[d], geometry.origin[axis]);
    EXPECT_EQ(found.GetSpacing()[d], geometry.spacing[axis]);
  }
  ASSERT_EQ(found.GetPointData()->GetNumberOfArrays(), 3);
  for (const ArrayInfo& info : three_arrays()) {
    vtkDataArray* array = found.GetPointData()->GetArray(info.name.c_str());
    ASSERT_NE(array, nullptr) << info.name;
    EXPECT_EQ(array->GetDataType(), info.name == "solid" ? VTK_UNSIGNED_CHAR : VTK_FLOAT);
    ASSERT_EQ(array->GetNumberOfComponents(), info.components);
    vtkIdType point = 0;
    for (int z = 0; z < geometry.points[2]; ++z)
      for (int y = 0; y < geometry.points[1]; ++y)
        for (int x = 0; x < geometry.points[0]; ++x, ++point)
          for (int c = 0; c < info.components; ++c)
            ASSERT_EQ(array->GetComponent(point, c), stored_value(info, x, y, z, c))
                << info.name << " at " << x << " " << y << " " << z << " " << c;
  }
}

class Compression : public ::testing::TestWithParam<int> {};

TEST_P(Compression, OnePieceReadsBack) {
  const ScratchDirectory scratch;
  for (const ImageGeometry& geometry : {image_3d, slice_x, slice_y, slice_z}) {
    const auto path = write_three_arrays(scratch.path() / "a.b", geometry,
                                         {ImageFormat::vti, GetParam(), 1, 1 << 20});
    EXPECT_EQ(path, scratch.path() / "a.b.vti");
    const auto found = read<vtkXMLImageDataReader>(path);
    expect_image(*found, geometry);
    EXPECT_EQ(found->GetFieldData()->GetArray("TimeValue")->GetComponent(0, 0), 0.125);
    EXPECT_EQ(found->GetFieldData()->GetArray("step")->GetComponent(0, 0), 4e9);
  }
  EXPECT_EQ(names_in(scratch.path()), std::vector<std::string>{"a.b.vti"});
}

// Planes start in the middle and wrap around, as a sweep may deliver them.
TEST_P(Compression, PiecesShareAPlaneAndReadBackAsOneImage) {
  const ScratchDirectory scratch;
  const auto path = write_three_arrays(scratch.path() / "f", image_3d,
                                       {ImageFormat::vti, GetParam(), 1, 3 * plane_bytes_3d});
  EXPECT_EQ(names_in(scratch.path()),
            (std::vector<std::string>{"f.pvti", "f_p0000.vti", "f_p0001.vti", "f_p0002.vti"}));
  EXPECT_EQ(path, scratch.path() / "f.pvti");
  expect_image(*read<vtkXMLPImageDataReader>(path), image_3d);
  const auto second = read<vtkXMLImageDataReader>(scratch.path() / "f_p0001.vti");
  EXPECT_EQ(second->GetExtent()[4], 2);
  EXPECT_EQ(second->GetExtent()[5], 4);
}

INSTANTIATE_TEST_SUITE_P(Levels, Compression, ::testing::Values(0, 6));

TEST(VtiWriter, CompressionMakesFilesSmallerThanPredicted) {
  const ScratchDirectory scratch;
  const std::vector<ArrayInfo> one{{"a", 1, Precision::float32, ""}};
  std::uintmax_t sizes[2];
  for (const int level : {0, 6}) {
    const ImageGeometry geometry{{64, 64, 9}, {}, {1, 1, 1}};
    const ImageOptions options{ImageFormat::vti, level, 1, 1 << 20};
    auto writer = make_image_writer(scratch.path() / "f", geometry, one, {}, options);
    std::vector<float> plane(4096);
    for (std::size_t i = 0; i < plane.size(); ++i) plane[i] = std::sin(static_cast<float>(i / 64));
    const std::span<const float> arrays[] = {plane};
    for (int z = 0; z < 9; ++z) writer->write_plane(z, arrays);
    writer->close();
    sizes[level / 6] = std::filesystem::file_size(writer->path());
    const auto bound = predicted_image_bytes(geometry, one, {}, options);
    EXPECT_LE(sizes[level / 6], bound);
    EXPECT_GE(sizes[0] + 65536, bound - 9 * 4096 * 4 / 512);
  }
  EXPECT_LT(sizes[1] * 4, sizes[0]);
}

TEST(VtiWriter, UnclosedWriterLeavesNothingAndOlderFilesStay) {
  const ScratchDirectory scratch;
  const ImageOptions options{ImageFormat::vti, 0, 1, 3 * plane_bytes_3d};
  write_text(scratch.path() / "f.pvti", "older");
  {
    const auto writer =
        make_image_writer(scratch.path() / "f", image_3d, three_arrays(), info_3d, options);
    for (int z = 0; z < 5; ++z) write_plane_of(*writer, image_3d, z);
    EXPECT_EQ(names_in(scratch.path()).size(), 3U) << "two pieces under way";
    EXPECT_THROW(writer->close(), std::logic_error);
    EXPECT_THROW(write_plane_of(*writer, image_3d, 4), std::logic_error);
    EXPECT_THROW(write_plane_of(*writer, image_3d, 7), std::out_of_range);
  }
  EXPECT_EQ(names_in(scratch.path()), std::vector<std::string>{"f.pvti"});
  EXPECT_EQ(read_text(scratch.path() / "f.pvti"), "older");
}

// At least 320 KiB.
void write_flat_image(const std::filesystem::path& stem, std::uint64_t piece_bytes) {
  const std::vector<ArrayInfo> one{{"a", 1, Precision::float32, ""}};
  const std::vector<float> plane(4096, 1.0F);
  const std::span<const float> arrays[] = {plane};
  auto writer = make_image_writer(stem, {{64, 64, 20}, {}, {1, 1, 1}}, one, {},
                                  {ImageFormat::vti, 0, 1, piece_bytes});
  for (int z = 0; z < 20; ++z) writer->write_plane(z, arrays);
  writer->close();
}

TEST(VtiWriter, FullDiskIsOneQuietLineAndHarmsNothing) {
  TinyDisk disk("size=200k");
  if (!disk.mounted()) GTEST_SKIP() << "needs the right to mount a tmpfs";
  for (const char* name : {"f.pvti", "f.vti", "f_p0000.vti"})
    write_text(disk.path() / name, "older");
  for (const std::uint64_t piece_bytes : {1 << 20, 80 << 10}) {
    ::testing::internal::CaptureStderr();
    const auto line =
        message_of<lbm::ResourceError>([&] { write_flat_image(disk.path() / "f", piece_bytes); });
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
    EXPECT_TRUE(contains(line, disk.path().string() + "/f")) << line;
    EXPECT_TRUE(contains(line, "No space left on device")) << line;
    EXPECT_TRUE(contains(line, "needs")) << line;
    EXPECT_EQ(line.find('\n'), std::string::npos);
    EXPECT_EQ(names_in(disk.path()), (std::vector<std::string>{"f.pvti", "f.vti", "f_p0000.vti"}));
  }
  for (const char* name : {"f.pvti", "f.vti", "f_p0000.vti"})
    EXPECT_EQ(read_text(disk.path() / name), "older");
}

// Up to the last byte, which VTK writes when it closes the file.
TEST(VtiWriter, EveryFailedWriteIsTold) {
  const ScratchDirectory scratch;
  write_flat_image(scratch.path() / "f", 1 << 20);
  const auto whole = read_text(scratch.path() / "f.vti");
  for (const std::size_t less : {std::size_t{1}, std::size_t{10}, std::size_t{100},
                                 std::size_t{5000}, whole.size() / 2, whole.size() - 1}) {
    ::testing::internal::CaptureStderr();
    const auto line = message_of<lbm::ResourceError>([&] {
      const FileSizeLimit limit(whole.size() - less);
      write_flat_image(scratch.path() / "f", 1 << 20);
    });
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "") << less;
    EXPECT_TRUE(contains(line, "f.vti: cannot write")) << line;
    EXPECT_EQ(names_in(scratch.path()), std::vector<std::string>{"f.vti"});
    EXPECT_EQ(read_text(scratch.path() / "f.vti"), whole);
  }
}

TEST(VtiWriter, MissingDirectoryIsOneQuietLine) {
  const ScratchDirectory scratch;
  ::testing::internal::CaptureStderr();
  const auto line = message_of<lbm::ResourceError>([&] {
    write_three_arrays(scratch.path() / "missing" / "f", image_3d,
                       {ImageFormat::vti, 0, 1, 1 << 20});
  });
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_TRUE(contains(line, "No such file or directory")) << line;
}

}  // namespace
