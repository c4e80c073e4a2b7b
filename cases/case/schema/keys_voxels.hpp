// Key table: bodies of images of voxels.
#pragma once

#include <cstdint>
#include <limits>

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
}

}  // namespace lbm::cases::key_table
