// SPDX-License-Identifier: Apache-2.0

// An image with several writers: the same bytes, and never in another file.
#include "io/hdf5/vtkhdf_image.hpp"

#include <gtest/gtest.h>

#include <cerrno>

#include "solver/core/error.hpp"
#include "tests/io/image_fixture.hpp"
#include "tests/io/scratch.hpp"

namespace {
using namespace lbm::testing;
using namespace lbm::io;
using lbm::ResourceError;
namespace fs = std::filesystem;

std::unique_ptr<ImageWriter> make_writer(const fs::path& stem, const ImageGeometry& geometry,
                                         const ImageOptions& options = {}) {
  return make_image_writer(stem, geometry, three_arrays(), info_3d, options);
}

// Every third plane by the writer, the others alternately by two parts.
TEST(VtkhdfPart, GivesTheBytesThatOneWriterGives) {
  const ScratchDirectory scratch;
  for (const ImageGeometry& geometry : {image_3d, slice_x, slice_y, slice_z}) {
    const fs::path alone = write_three_arrays(scratch.path() / "alone", geometry, {});
    const auto writer = make_writer(scratch.path() / "shared", geometry);
    const auto place = writer->share();
    ASSERT_TRUE(place);
    std::vector<VtkhdfPart> parts;
    for (const int threads : {1, 3}) {
      auto part = VtkhdfPart::open(*place, geometry, three_arrays(), threads);
      ASSERT_TRUE(part);
      parts.push_back(std::move(*part));
    }
    for (int z = geometry.points[2] - 1; z >= 0; --z) {
      if (z % 3 == 2) {
        write_plane_of(*writer, geometry, z);
        continue;
      }
      EXPECT_EQ(write_plane_of(parts[static_cast<std::size_t>(z % 3)], geometry, z), 0);
      EXPECT_EQ(parts[static_cast<std::size_t>(z % 3)].sync(), 0);
      writer->add_plane(z);
    }
    writer->close();
    EXPECT_TRUE(read_text(writer->path()) == read_text(alone));
    EXPECT_EQ(names_in(scratch.path()), (std::vector<std::string>{"alone.hdf", "shared.hdf"}));
  }
}

TEST(VtkhdfPart, IsOnlyForImagesThatLieWhereTheyWere) {
  const ScratchDirectory scratch;
  EXPECT_FALSE(make_writer(scratch.path() / "a", image_3d, {1})->share());
}

TEST(VtkhdfPart, IsNotOpenedInAnotherFile) {
  const ScratchDirectory scratch;
  const auto writer = make_writer(scratch.path() / "a", image_3d);
  const auto other = make_writer(scratch.path() / "b", image_3d);
  const auto place = writer->share(), another = other->share();
  ASSERT_TRUE(place && another);
  ImagePlace wrong = *place;
  wrong.file = another->file;
  EXPECT_FALSE(VtkhdfPart::open(wrong, image_3d, three_arrays()));
  wrong.file = scratch.path() / "none";
  EXPECT_FALSE(VtkhdfPart::open(wrong, image_3d, three_arrays()));
  write_plane_of(*writer, image_3d, 6);
  EXPECT_TRUE(VtkhdfPart::open(*place, image_3d, three_arrays())) << "also later";
  EXPECT_THROW(writer->close(), std::logic_error) << "planes are missing";
}

TEST(VtkhdfPart, WantsEveryPlaneOnce) {
  const ScratchDirectory scratch;
  const auto writer = make_writer(scratch.path() / "a", image_3d);
  auto part = VtkhdfPart::open(*writer->share(), image_3d, three_arrays());
  ASSERT_TRUE(part);
  write_plane_of(*part, image_3d, 3);
  EXPECT_THROW(write_plane_of(*part, image_3d, 3), std::logic_error);
  EXPECT_THROW(write_plane_of(*part, image_3d, 7), std::logic_error);
  writer->add_plane(3);
  EXPECT_THROW(writer->add_plane(3), std::logic_error);
  EXPECT_THROW(writer->add_plane(7), std::logic_error);
  EXPECT_THROW(write_plane_of(*writer, image_3d, 3), std::logic_error);
}

TEST(VtkhdfPart, TellsThatTheFileIsFullAndTheOldOneStays) {
  const ScratchDirectory scratch;
  const fs::path path = write_three_arrays(scratch.path() / "a", image_3d, {});
  const std::string before = read_text(path);
  const auto writer = make_writer(scratch.path() / "a", image_3d);
  const auto place = writer->share();
  auto part = VtkhdfPart::open(*place, image_3d, three_arrays());
  ASSERT_TRUE(part);
  int error = 0;
  {
    const FileSizeLimit limit(place->offsets[0]);
    error = write_plane_of(*part, image_3d, 0);
  }
  EXPECT_EQ(error, EFBIG);
  const auto message = message_of<ResourceError>([&] { writer->end_with(error); });
  EXPECT_TRUE(contains(message, path.string() + ": cannot write: File too large")) << message;
  EXPECT_EQ(names_in(scratch.path()), std::vector<std::string>{"a.hdf"});
  EXPECT_TRUE(read_text(path) == before);
}

}  // namespace
