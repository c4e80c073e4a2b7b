// SPDX-License-Identifier: Apache-2.0

// Isosurfaces computed slab by slab and read back by VTK: closed, at the right place, with the
// right values.
#include "io/vtk/surface_writer.hpp"

#include <gtest/gtest.h>
#include <vtkCellArray.h>
#include <vtkDataArray.h>
#include <vtkMassProperties.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkXMLPPolyDataReader.h>
#include <vtkXMLPolyDataReader.h>

#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "solver/core/error.hpp"
#include "tests/io/scratch.hpp"

namespace {
using namespace lbm::testing;
using namespace lbm::io;

constexpr int edge = 41;
constexpr double radius = 0.75;
// Around the unit sphere; z has its own spacing and origin.
const ImageGeometry box{{edge, edge, 61}, {-1, -1, 9}, {0.05, 0.05, 2.0 / 60}};
const std::vector<ArrayInfo> arrays_of_box{{"velocity", 3, Precision::float16, ""},
                                           {"distance", 1, Precision::float32, ""}};

std::array<double, 3> point_at(int x, int y, int z) {
  return {box.origin[0] + x * box.spacing[0], box.origin[1] + y * box.spacing[1],
          box.origin[2] + z * box.spacing[2]};
}

// Distance from (0, 0, 10), and the position as velocity.
void write_plane(ImageWriter& writer, int z) {
  std::vector<float> velocity, distance;
  for (int y = 0; y < edge; ++y)
    for (int x = 0; x < edge; ++x) {
      const auto at = point_at(x, y, z);
      for (const double c : at) velocity.push_back(static_cast<float>(c));
      distance.push_back(static_cast<float>(std::hypot(at[0], at[1], at[2] - 10)));
    }
  const std::span<const float> arrays[] = {velocity, distance};
  writer.write_plane(z, arrays);
}

std::filesystem::path write_sphere(const std::filesystem::path& stem, int first_plane,
                                   SurfaceOptions options) {
  options.scalar = 1;
  if (options.value == 0) options.value = radius;
  const auto writer = make_surface_writer(stem, box, arrays_of_box, {0.5, 7, {}}, options);
  const int planes = box.points[2];
  for (int i = 0; i < planes; ++i) write_plane(*writer, (i + first_plane) % planes);
  writer->close();
  return writer->path();
}

template <typename Reader>
vtkSmartPointer<vtkPolyData> read(const std::filesystem::path& path) {
  vtkNew<Reader> reader;
  reader->SetFileName(path.c_str());
  reader->Update();
  return reader->GetOutput();
}

// Counts edges of triangles by the positions of their ends, equal bit for bit across slabs: a
// closed surface has each edge twice.
int open_edges(vtkPolyData& surface) {
  using Place = std::array<double, 3>;
  std::map<std::pair<Place, Place>, int> edges;
  vtkNew<vtkIdList> ids;
  const auto place = [&](vtkIdType i) {
    Place at;
    surface.GetPoint(ids->GetId(i % 3), at.data());
    return at;
  };
  for (vtkIdType cell = 0; cell < surface.GetNumberOfCells(); ++cell) {
    surface.GetCellPoints(cell, ids);
    for (vtkIdType i = 0; i < 3; ++i) {
      const auto a = place(i), b = place(i + 1);
      if (a != b) ++edges[std::minmax(a, b)];
    }
  }
  int open = 0;
  for (const auto& [ends, count] : edges) open += count % 2;
  return open;
}

void expect_sphere(vtkPolyData& surface) {
  ASSERT_GT(surface.GetNumberOfPoints(), 1000);
  EXPECT_EQ(open_edges(surface), 0);
  vtkNew<vtkMassProperties> mass;
  mass->SetInputData(&surface);
  mass->Update();
  const double area = 4 * std::numbers::pi * radius * radius;
  EXPECT_NEAR(mass->GetSurfaceArea(), area, 0.005 * area);
  EXPECT_NEAR(mass->GetVolume(), area * radius / 3, 0.005 * area * radius / 3);
  vtkDataArray* velocity = surface.GetPointData()->GetArray("velocity");
  ASSERT_NE(velocity, nullptr);
  for (vtkIdType i = 0; i < surface.GetNumberOfPoints(); ++i) {
    const double* at = surface.GetPoint(i);
    ASSERT_NEAR(std::hypot(at[0], at[1], at[2] - 10), radius, 0.002);
    for (int c = 0; c < 3; ++c) ASSERT_NEAR(velocity->GetComponent(i, c), at[c], 1e-5);
  }
}

TEST(SurfaceWriter, ASphereFromManySlabsIsOneClosedSurface) {
  const ScratchDirectory scratch;
  for (const std::uint64_t slab_bytes : {0, 300000, 1 << 30})
    for (const int first : {0, 33}) {
      SurfaceOptions options;
      options.slab_bytes = slab_bytes;
      const auto path = write_sphere(scratch.path() / "q", first, options);
      EXPECT_EQ(path, scratch.path() / "q.vtp");
      SCOPED_TRACE(slab_bytes);
      expect_sphere(*read<vtkXMLPolyDataReader>(path));
    }
  EXPECT_EQ(names_in(scratch.path()), std::vector<std::string>{"q.vtp"});
}

TEST(SurfaceWriter, LargeSurfacesArePieces) {
  const ScratchDirectory scratch;
  SurfaceOptions options;
  options.slab_bytes = 100000;
  options.piece_bytes = 150000;
  options.compression = 5;
  const auto path = write_sphere(scratch.path() / "q", 20, options);
  EXPECT_EQ(path, scratch.path() / "q.pvtp");
  EXPECT_GE(names_in(scratch.path()).size(), 4U);
  expect_sphere(*read<vtkXMLPPolyDataReader>(path));
}

TEST(SurfaceWriter, NoSurfaceIsAFileWithoutPoints) {
  const ScratchDirectory scratch;
  SurfaceOptions options;
  options.value = 77;
  options.slab_bytes = 100000;
  const auto path = write_sphere(scratch.path() / "q", 0, options);
  EXPECT_EQ(path, scratch.path() / "q.vtp");
  const auto found = read<vtkXMLPolyDataReader>(path);
  EXPECT_EQ(found->GetNumberOfPoints(), 0);
  ASSERT_NE(found->GetPointData()->GetArray("velocity"), nullptr);
  EXPECT_EQ(found->GetPointData()->GetArray("velocity")->GetNumberOfComponents(), 3);
}

TEST(SurfaceWriter, UnclosedOrFailedLeavesNothing) {
  TinyDisk disk("size=200k");
  if (!disk.mounted()) GTEST_SKIP() << "needs the right to mount a tmpfs";
  write_text(disk.path() / "q.vtp", "older");
  {
    SurfaceOptions options{1, radius, 0, 1000, 100000};
    const auto writer = make_surface_writer(disk.path() / "q", box, arrays_of_box, {}, options);
    for (int z = 0; z < 12; ++z) write_plane(*writer, z);
    EXPECT_GE(names_in(disk.path()).size(), 2U);
    EXPECT_THROW(writer->close(), std::logic_error);
  }
  EXPECT_EQ(names_in(disk.path()), std::vector<std::string>{"q.vtp"});
  for (const std::uint64_t piece_bytes : {30000, 1 << 30}) {
    ::testing::internal::CaptureStderr();
    const auto line = message_of<lbm::ResourceError>([&] {
      write_sphere(disk.path() / "q", 0, {1, radius, 0, piece_bytes, 100000});
    });
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
    EXPECT_TRUE(contains(line, disk.path().string() + "/q")) << line;
    EXPECT_TRUE(contains(line, "No space left on device")) << line;
    EXPECT_EQ(names_in(disk.path()), std::vector<std::string>{"q.vtp"});
  }
  EXPECT_EQ(read_text(disk.path() / "q.vtp"), "older");
}

TEST(SurfaceWriter, RefusesWhatHasNoSurface) {
  EXPECT_THROW(make_surface_writer("q", {{4, 4, 1}, {}, {1, 1, 1}}, arrays_of_box, {}, {1, 0.5}),
               std::invalid_argument);
  EXPECT_THROW(make_surface_writer("q", box, arrays_of_box, {}, {0, 0.5}), std::invalid_argument);
  EXPECT_THROW(make_surface_writer("q", box, arrays_of_box, {}, {2, 0.5}), std::invalid_argument);
}

}  // namespace
