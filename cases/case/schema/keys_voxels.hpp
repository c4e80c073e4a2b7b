// SPDX-License-Identifier: Apache-2.0

// Key table: bodies of images of voxels.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "cases/case/case_bodies.hpp"
#include "cases/case/limits.hpp"
#include "cases/case/schema/value_types.hpp"

namespace lbm::cases::key_table {

void add_voxel_keys(const auto& body) {
  using namespace value_types;
  constexpr std::int64_t most_label = std::numeric_limits<std::uint32_t>::max();
  body.add("dataset", &Body::dataset, file_name(), "the only one of labels in the file",
           "`voxels`: the path of the labels in an HDF5 file, such as `/labels`.");
  body.add("cells", &Body::cells,
           array_of<std::array<int, 3>>(whole(1, max_cells_per_axis), "whole numbers",
                                        "from 1 to 1000000, such as [400, 400, 1200]"),
           "by the header",
           "`voxels`: voxels of the image along x, which runs fastest in the file, y and z. "
           "Required for a raw file.");
  body.add("type", &Body::type, words<io::VoxelType>(), "by the header; raw: `uint8`",
           "`voxels`: the type of the labels in the file.");
  body.add("byte_order", &Body::byte_order, words<ByteOrder>(), "by the header; raw: `little`",
           "`voxels`: of labels of more than one byte.");
  body.add("header_bytes", &Body::header_bytes, whole(0, std::int64_t{1} << 40),
           "by the header; raw: 0", "`voxels`: bytes of the file before the first label.");
  body.add("fluid", &Body::fluid,
           filled(list_of(whole(-most_label, most_label), "list of whole numbers", "such as [0]")),
           "required by voxels", "`voxels`: the labels of the pores. All other voxels are solid.");
  body.add("voxel_size", &Body::voxel_size, numbers<Vec3>(positive, "> 0"), "by the header",
           "`voxels`: edges of a voxel along x, y and z of the file, where its header has none or "
           "wrong ones. Voxels must be cubes with the edge of a cell, `grid.spacing`; in lattice "
           "units only their ratio counts.");
}

// Each of x, y and z once.
inline value_types::ValueType<std::array<int, 3>> three_axes() {
  using namespace value_types;
  const ValueType<std::vector<int>> list = list_of_words(axis());
  const auto read = [list](const YAML::Node& node) {
    const auto axes = list.read(node);
    std::optional<std::array<int, 3>> three;
    if (axes && axes->size() == 3) three = {(*axes)[0], (*axes)[1], (*axes)[2]};
    return three;
  };
  const auto write = [list](const std::array<int, 3>& axes) {
    return list.write({axes[0], axes[1], axes[2]});
  };
  return {"list of axes", "x, y and z, each once, such as [z, x, y]", read, write};
}

// In the order in which they change the image.
void add_voxel_changes(const auto& body) {
  using namespace value_types;
  using Three = std::array<int, 3>;
  constexpr int most = 1 << 20;
  const auto three = [](int least, const char* example) {
    const auto cell = whole(least, most);
    return array_of<Three>(cell, "whole numbers", cell.allowed + ", such as " + example);
  };
  body.add(
      "crop_from", &Body::crop_from, three(0, "[0, 0, 200]"), "the first voxel",
      "`voxels`: only a part of the image is read: the first voxel of it, counted from 0, along "
      "x, y and z of the file.");
  body.add("crop_to", &Body::crop_to, three(1, "[400, 400, 1000]"), "behind the last voxel",
           "`voxels`: the voxel behind the part, as in `image[from:to]` of NumPy.");
  body.add("resample", &Body::resample, boolean(), "false",
           "`voxels`: voxels that are no cubes become cubes with the shortest edge of a voxel. "
           "Each takes the label at its centre.");
  body.add("axes", &Body::axes, three_axes(), "as in the file",
           "`voxels`: which axes of the file become x, y and z of the box. An exchange of two axes "
           "also mirrors the image.");
  body.add("coarsen", &Body::coarsen, whole(1, most), "none",
           "`voxels`: n^3 voxels become one cell, which is solid where at least half of them are. "
           "The part of the image must have a multiple of n voxels along each axis.");
  body.add("refine", &Body::refine, whole(1, most), "none", "`voxels`: a voxel becomes n^3 cells.");
  auto axes = list_of_words(axis());
  axes.name = "list of axes";
  axes.allowed = "x, y, z, each at most once, such as [z]";
  axes.write = [write = axes.write](const std::vector<int>& all) {
    return all.empty() ? std::string() : write(all);
  };
  body.add("mirror", &Body::mirror, axes, "none",
           "`voxels`: along these axes the image is followed by its mirror image, so that opposite "
           "faces of a periodic box fit each other.");
  body.add("repeat", &Body::repeat, three(1, "[1, 1, 2]"), "once",
           "`voxels`: so many images one behind the other along x, y and z.");
  body.add(
      "connected", &Body::connected, axis(), "no axis",
      "`voxels`: pores that do not lead from one face of the image to the other along this axis "
      "become solid. The image must fit into memory with one bit a cell.");
  body.add(
      "reservoir", &Body::reservoir, three(0, "[0, 0, 10]"), "none",
      "`voxels`: cells of fluid before and behind the image along x, y and z. The image begins "
      "behind the first of them.");
}

}  // namespace lbm::cases::key_table
