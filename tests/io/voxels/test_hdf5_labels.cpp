// SPDX-License-Identifier: Apache-2.0

// Datasets of HDF5 files as images of voxels.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <vector>

#include "io/hdf5/hdf5_handle.hpp"
#include "io/voxels/voxel_image.hpp"
#include "tests/io/voxels/voxel_fixture.hpp"

namespace lbm::io {
namespace {

namespace fs = std::filesystem;

struct Layout {
  std::vector<hsize_t> chunk;  // empty: contiguous
  bool deflate = false;
};

class Hdf5Images : public VoxelImages {
 protected:
  // Appends a dataset of numbers of 32 bits, stored as `type`; makes the file unless it is there.
  void add(const std::string& file, const std::string& name, const std::vector<hsize_t>& shape,
           hid_t type, const std::vector<std::int32_t>& numbers, const Layout& layout = {}) const {
    const Hdf5Section section;
    const auto to = opened(file);
    const auto space = hdf5_checked(
        H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose);
    const auto links = hdf5_checked(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    hdf5_check(H5Pset_create_intermediate_group(links.get(), 1));
    const auto list = hdf5_checked(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    if (!layout.chunk.empty()) {
      hdf5_check(
          H5Pset_chunk(list.get(), static_cast<int>(layout.chunk.size()), layout.chunk.data()));
    }
    if (layout.deflate) hdf5_check(H5Pset_deflate(list.get(), 1));
    const auto dataset = hdf5_checked(
        H5Dcreate2(to.get(), name.c_str(), type, space.get(), links.get(), list.get(), H5P_DEFAULT),
        H5Dclose);
    if (numbers.empty()) return;
    hdf5_check(
        H5Dwrite(dataset.get(), H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()));
  }
  Hdf5Handle opened(const std::string& file) const {
    const std::string name = path(file).string();
    return hdf5_checked(fs::exists(path(file))
                            ? H5Fopen(name.c_str(), H5F_ACC_RDWR, H5P_DEFAULT)
                            : H5Fcreate(name.c_str(), H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT),
                        H5Fclose);
  }
  static void add_text(const Hdf5Handle& object, const char* name, const std::string& text) {
    const auto type = hdf5_checked(H5Tcopy(H5T_C_S1), H5Tclose);
    hdf5_check(H5Tset_size(type.get(), text.size()));
    const auto space = hdf5_checked(H5Screate(H5S_SCALAR), H5Sclose);
    const auto attribute = hdf5_checked(
        H5Acreate2(object.get(), name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT),
        H5Aclose);
    hdf5_check(H5Awrite(attribute.get(), type.get(), text.data()));
  }
  static std::vector<std::int32_t> known() {
    std::vector<std::int32_t> labels(24);
    for (std::size_t i = 0; i < 24; ++i) {
      labels[i] = static_cast<std::int32_t>(label_of(static_cast<std::int64_t>(i)));
    }
    return labels;
  }
  static VoxelHints dataset(const std::string& name) {
    VoxelHints hints;
    hints.dataset = name;
    return hints;
  }
};

TEST_F(Hdf5Images, AreReadWhateverTheirLayoutAndType) {
  const std::vector<hsize_t> shape{2, 3, 4};
  add("a.h5", "/labels", shape, H5T_STD_U16LE, known());
  expect_known_labels(path("a.h5"));
  EXPECT_EQ(find_voxel_format(path("a.h5"), {}).source, nullptr) << "lies together";
  add("b.hdf5", "/deep/er/labels", shape, H5T_STD_I32BE, known());
  expect_known_labels(path("b.hdf5"));
  add("c.nxs", "/labels", shape, H5T_STD_I16BE, known(), {{2, 2, 3}, true});
  expect_known_labels(path("c.nxs"));
  add("d.data", "/labels", {2, 3, 4, 1}, H5T_STD_U32LE, known(), {{1, 3, 4, 1}, false});
  expect_known_labels(path("d.data"), dataset("/labels"));
  expect_known_labels(path("d.data"), dataset("labels"));
}

// Two of the three planes of a chunk are kept at a time: 64 MiB each.
TEST_F(Hdf5Images, AreReadInPartsOfChunks) {
  constexpr hsize_t edge = 8192;
  add("a.h5", "/labels", {3, edge, edge}, H5T_STD_U8LE, {}, {{3, edge, 1024}, false});
  {
    const Hdf5Section section;
    const auto to = opened("a.h5");
    const auto data = hdf5_checked(H5Dopen2(to.get(), "/labels", H5P_DEFAULT), H5Dclose);
    std::vector<std::uint8_t> labels(3 * edge * edge);
    for (std::size_t z = 0; z < 3; ++z) {
      std::fill_n(labels.begin() + static_cast<std::ptrdiff_t>(z * edge * edge), edge * edge,
                  static_cast<std::uint8_t>(z + 1));
    }
    hdf5_check(
        H5Dwrite(data.get(), H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, labels.data()));
  }
  const VoxelImage image(find_voxel_format(path("a.h5"), {}));
  for (const std::int64_t z : {0, 2, 1, 0}) EXPECT_EQ(image.label(5, 8191, z), z + 1);
  const std::int64_t each = edge * edge;
  EXPECT_EQ(image.count({}),
            (std::map<std::int64_t, std::int64_t>{{1, each}, {2, each}, {3, each}}));
}

TEST_F(Hdf5Images, BooleansAreLabels) {
  {
    const Hdf5Section section;
    const auto type = hdf5_checked(H5Tenum_create(H5T_STD_I8LE), H5Tclose);
    for (const signed char value : std::array<signed char, 2>{0, 1}) {
      hdf5_check(H5Tenum_insert(type.get(), value != 0 ? "TRUE" : "FALSE", &value));
    }
    const auto to = opened("a.h5");
    const std::array<hsize_t, 3> shape{1, 1, 2};
    const auto space = hdf5_checked(H5Screate_simple(3, shape.data(), nullptr), H5Sclose);
    for (const bool chunked : {false, true}) {
      const auto list = hdf5_checked(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
      if (chunked) hdf5_check(H5Pset_chunk(list.get(), 3, shape.data()));
      const auto data = hdf5_checked(H5Dcreate2(to.get(), chunked ? "chunked" : "flat", type.get(),
                                                space.get(), H5P_DEFAULT, list.get(), H5P_DEFAULT),
                                     H5Dclose);
      const std::array<signed char, 2> values{1, 0};
      hdf5_check(H5Dwrite(data.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
    }
  }
  for (const char* name : {"chunked", "flat"}) {
    const VoxelImage image(find_voxel_format(path("a.h5"), dataset(name)));
    EXPECT_EQ(read(image), (Labels{1, 0})) << name;
  }
}

TEST_F(Hdf5Images, OfAnotherKindAreRefusedWithWhatThereIs) {
  const std::vector<hsize_t> shape{2, 3, 4};
  add("a.h5", "/one/labels", shape, H5T_STD_U8LE, known());
  add("a.h5", "/two", {4, 3, 2}, H5T_STD_I16LE, known(), {{1, 3, 2}, true});
  add("a.h5", "/grey", shape, H5T_IEEE_F32LE, known());
  expect_refused(path("a.h5"), {},
                 "its datasets of labels are /one/labels [2, 3, 4] of uint8, /two [4, 3, 2] of "
                 "int16: give one of them as dataset");
  expect_refused(path("a.h5"), dataset("/three"), "has no dataset /three; its datasets of labels");
  expect_refused(path("a.h5"), dataset("/one"), "/one is no dataset; its datasets");
  expect_refused(
      path("a.h5"), dataset("/grey"),
      "/grey [2, 3, 4] of floating-point numbers of 32 bits is no dataset of labels; its");
  VoxelHints hints = dataset("/two");
  hints.voxels = Voxels{4, 3, 2};
  expect_refused(path("a.h5"), hints, "its header says cells: 2 x 3 x 4, the case 4 x 3 x 2");
  add("b.h5", "/grey", shape, H5T_IEEE_F64LE, known());
  add("b.h5", "/wide", shape, H5T_STD_I64LE, known());
  expect_refused(path("b.h5"), {},
                 "it has /grey [2, 3, 4] of floating-point numbers of 64 bits, /wide [2, 3, 4] of "
                 "whole numbers of 64 bits: save the labels so");
}

TEST_F(Hdf5Images, TellTheEdgesOfTheirVoxels) {
  int number = 0;
  const auto edges = [&](const std::string& name, const std::vector<double>& lengths,
                         const std::string& unit = "") {
    const std::string file = fmt::format("{}.h5", number++);
    add(file, "labels", {2, 3, 4}, H5T_STD_U16LE, known());
    {
      const Hdf5Section section;
      const auto h5 = opened(file);
      const hsize_t count = lengths.size();
      const auto space = hdf5_checked(H5Screate_simple(1, &count, nullptr), H5Sclose);
      const auto dataset = hdf5_checked(H5Dopen2(h5.get(), "labels", H5P_DEFAULT), H5Dclose);
      const auto attribute = hdf5_checked(H5Acreate2(dataset.get(), name.c_str(), H5T_NATIVE_DOUBLE,
                                                     space.get(), H5P_DEFAULT, H5P_DEFAULT),
                                          H5Aclose);
      hdf5_check(H5Awrite(attribute.get(), H5T_NATIVE_DOUBLE, lengths.data()));
      if (!unit.empty()) add_text(dataset, "unit", unit);
    }
    return text_of(find_voxel_format(path(file), {}).edges);
  };
  EXPECT_EQ(edges("element_size_um", {6, 4, 2}), "2 x 4 x 6 um");
  EXPECT_EQ(edges("voxel_size", {6, 4, 2}, "mm"), "2 x 4 x 6 mm");
  EXPECT_EQ(edges("voxel_size", {3}), "3 x 3 x 3");
  EXPECT_EQ(edges("something", {3}), "");
}

TEST_F(Hdf5Images, ThatAreDamagedAreRefused) {
  add("a.h5", "/labels", {2, 3, 4}, H5T_STD_U16LE, known());
  fs::resize_file(path("a.h5"), fs::file_size(path("a.h5")) - 8);
  expect_refused(path("a.h5"), {}, "is no HDF5 file, or is damaged, cut short");
  expect_refused(write("b.h5", "no HDF5 file at all"), {}, "is no HDF5 file");
  expect_refused(write("c.h5", ""), {}, "is empty");
  expect_refused(write("d.raw", "labels"), dataset("/labels"), "is no HDF5 file");
  add("e.h5", "/labels", {1000, 1000, 1000}, H5T_STD_U16LE, {}, {{100, 100, 100}, true});
  expect_refused(path("e.h5"), {}, "/labels claims more voxels than the file can hold");
  add("f.h5", "/labels", {2, 1 << 19, 1 << 19}, H5T_STD_U8LE, {}, {{1, 1000, 1000}, true});
  expect_refused(path("f.h5"), {}, "has planes of 524288 x 524288 voxels");
}

TEST_F(Hdf5Images, BehindLinksToOtherFilesAreRefused) {
  add("a.h5", "/labels", {2, 3, 4}, H5T_STD_U16LE, known());
  add("b.h5", "/more", {2, 3, 4}, H5T_STD_U16LE, known());
  {
    const Hdf5Section section;
    const auto to = opened("b.h5");
    hdf5_check(H5Lcreate_external(path("a.h5").c_str(), "/labels", to.get(), "link", H5P_DEFAULT,
                                  H5P_DEFAULT));
    hdf5_check(H5Lcreate_soft("/more", to.get(), "soft", H5P_DEFAULT, H5P_DEFAULT));
  }
  expect_refused(path("b.h5"), dataset("/link"),
                 "dataset /link is a link to another file: give that file as file");
  expect_known_labels(path("b.h5"));
  expect_known_labels(path("b.h5"), dataset("/soft"));
}

// A search through 2000 levels took minutes.
TEST_F(Hdf5Images, InManyLevelsOfGroupsAreNamed) {
  const auto deep = [](int levels) {
    std::string name;
    for (int i = 0; i < levels; ++i) name += "/g";
    return name + "/labels";
  };
  add("a.h5", deep(20), {2, 3, 4}, H5T_STD_U16LE, known());
  expect_known_labels(path("a.h5"));
  for (const int levels : {40, 300}) {
    const std::string file = fmt::format("{}.h5", levels);
    add(file, deep(levels), {2, 3, 4}, H5T_STD_U16LE, known());
    expect_refused(path(file), {}, "give the path of the labels as dataset");
    expect_known_labels(path(file), dataset(deep(levels)));
  }
}

}  // namespace
}  // namespace lbm::io
